// The precision levels that a verdict escalates through, and that each says no more than it can.
#include "oracle/ladder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/search.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/numbers.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::some_problem;

testing::OwnTask task_for(const Problem& problem, const Outputs& outputs) {
  const ElementType type = value_type(problem);
  return {problem, outputs, {}, arithmetic_of(default_contract(type), type)};
}

/// One step of an RNN without a function of its own, with long sums: `double` adds most of its own there.
Problem long_sums(std::uint64_t seed) {
  return some_problem(Operator::RNN, ElementType::Float, [&](Case& c) {
    c.T = 1;
    c.N = 8;
    c.I = 700;
    c.H = 48;
    c.seed = seed;
    c.attributes.activations = {{"Affine"}};
    c.attributes.activation_alpha = {{1.0F}};
    c.attributes.activation_beta = {{0.0F}};
  });
}

/// Moves every element to the last float that `double` still takes for honest.
void move_to_the_edge(const Problem& problem, Outputs& outputs) {
  const ElementEvaluation evaluation = run_evaluation(task_for(problem, outputs), Tier::Running, false, bits_of_double);
  Tensor &Y = *outputs[output::Y], &Y_h = *outputs[output::Y_h];
  for (std::size_t k = 0; k < Y.size(); ++k) {
    const Element& e = evaluation.Y[k];  // one step, one direction: the orders are the same
    const double centre = e.observed >= e.expected ? e.observed - e.error : e.observed + e.error;
    auto edge = static_cast<float>(centre + e.bound);
    if (double{edge} > centre + e.bound) edge = std::nextafter(edge, -std::numeric_limits<float>::infinity());
    Y.set_value(k, edge);
    Y_h.set_value(k, edge);
  }
}

TEST(Ladder, DecidesIn128BitsWhatDoubleCannotOnBothSides) {
  int within = 0, beyond = 0;
  for (std::uint64_t seed = 1; (within == 0 || beyond == 0) && seed < 1500; ++seed) {
    const Problem problem = long_sums(seed);
    Outputs outputs = testing::compute(problem);
    move_to_the_edge(problem, outputs);
    const testing::OwnTask own = task_for(problem, outputs);
    const Task& task = own.task;
    const ElementEvaluation rough = run_evaluation(task, Tier::Running, false, bits_of_double);
    const ElementEvaluation fine = run_evaluation(task, Tier::Running, false, first_bits_of_balls);
    EXPECT_FALSE(fine.any_open);
    for (std::size_t k = 0; k < rough.Y.size(); ++k) {
      if (!rough.Y[k].open) continue;
      EXPECT_NE(rough.Y[k].cls, ElementClass::Divergent);
      (fine.Y[k].cls == ElementClass::Divergent ? beyond : within) += 1;
    }
    if (!rough.any_open) continue;
    const Escalated escalated = escalate(task, Confirm::Later);
    EXPECT_GE(escalated.bits, first_bits_of_balls);
    EXPECT_FALSE(escalated.evaluation.any_open);
  }
  EXPECT_GT(within, 0);
  EXPECT_GT(beyond, 0);
}

TEST(Ladder, BallsNeverAdmitLessThanHonestAndNeverMoreThanDouble) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const ElementType type : {ElementType::Float, ElementType::Float16, ElementType::BFloat16}) {
      for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const Problem problem = make_problem(testing::drawn_case(op, type, seed));
        const Outputs outputs = testing::compute(problem);
        const testing::OwnTask own = task_for(problem, outputs);
        const Task& task = own.task;
        const ElementEvaluation rough = run_evaluation(task, Tier::Certified, false, bits_of_double);
        const ElementEvaluation fine = run_evaluation(task, Tier::Certified, false, first_bits_of_balls);
        ASSERT_EQ(rough.Y.size(), fine.Y.size());
        for (std::size_t k = 0; k < rough.Y.size(); ++k) {
          EXPECT_EQ(rough.Y[k].cls == ElementClass::Divergent, fine.Y[k].cls == ElementClass::Divergent);
          EXPECT_EQ(rough.Y[k].cls == ElementClass::Unverifiable, fine.Y[k].cls == ElementClass::Unverifiable);
          if (!std::isfinite(rough.Y[k].bound) || !std::isfinite(fine.Y[k].bound)) continue;
          EXPECT_LE(fine.Y[k].bound, rough.Y[k].bound * (1 + 1e-6) + 1e-320) << seed;
        }
      }
    }
  }
}

TEST(Ladder, RecordsTheBitsThatAVerdictTook) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem single = some_problem(op);
    Outputs outputs = testing::compute(single);
    EXPECT_EQ(judge(single, outputs, {Readings{}, ContractId::F32}).bits, 53);
    EXPECT_EQ(search(Observed(single, outputs), {}, {}).bits, 53);
    outputs[output::Y]->set_value({2, 0, 1, 3}, outputs[output::Y]->value({2, 0, 1, 3}) + 1e-4);
    const Judgement announced = search(Observed(single, outputs), {}, {});
    EXPECT_EQ(announced.verdict, Verdict::Diverges);
    EXPECT_EQ(announced.bits, first_bits_of_balls);  // no divergence is announced on double's word alone
    const Problem wide = some_problem(op, ElementType::Double);
    testing::Style style;
    style.sums = style.elements = ElementType::Double;
    EXPECT_EQ(judge(wide, testing::compute(wide, style), {Readings{}, ContractId::F64}).bits, first_bits_of_balls);
  }
}

TEST(Ladder, ComputesNothingForAWrongShape) {
  const Problem problem = some_problem(Operator::GRU);
  Outputs outputs = testing::compute(problem);
  outputs[output::Y_h] = Tensor(ElementType::Float, {1, 1, 1});
  EXPECT_EQ(search(Observed(problem, outputs), {}, {}).bits, 0);
}

TEST(Ladder, DoubleExcludesOfDoubleTensorsOnlyWhatBallsExclude) {
  int excluded = 0;
  testing::Style style;
  style.sums = style.elements = ElementType::Double;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Problem problem = make_problem(testing::drawn_case(op, ElementType::Double, seed));
      const auto fault = static_cast<testing::Fault>(1 + seed % 13);
      const Outputs outputs = testing::compute(problem, style, fault);
      const testing::OwnTask own = task_for(problem, outputs);
      const Task& task = own.task;
      const bool fast = beyond_proof(task, Confirm::Later).has_value(),
                 sure = beyond_proof(task, Confirm::Now).has_value();
      EXPECT_EQ(fast, sure) << seed;
      excluded += sure ? 1 : 0;
    }
  }
  EXPECT_GT(excluded, 20);
}

TEST(Ladder, LeavesOpenWhatEndsWithinABallsOwnRadius) {
  const Arithmetic f64 = arithmetic_of(ContractId::F64, ElementType::Double);
  const auto near = [](double x) {
    Ball ball = x;
    mag_set_d(arb_radref(ball.arb()), 1e-3);
    return ball;
  };
  const Enclosure<Ball> set{near(1), near(0.5), near(1.5), 0};
  EXPECT_TRUE(match(set, 1.4, f64).inside);
  EXPECT_FALSE(match(set, 1.4, f64).open);
  EXPECT_TRUE(match(set, 1.4995, f64).open);
  EXPECT_TRUE(match(set, 1.5005, f64).inside);
  EXPECT_TRUE(match(set, 1.5005, f64).open);
  EXPECT_FALSE(match(set, 1.502, f64).inside);
  EXPECT_FALSE(match(set, 1.502, f64).open);
}

TEST(Ladder, SixteenBitElementsAreOpenWhereTheSetMayEndOnEitherSideOfATie) {
  const Arithmetic inside = arithmetic_of(ContractId::F32Inside, ElementType::Float16);
  const double tie = 1 + 0x1p-11;
  const auto up_to = [](Ball end) { return Enclosure<Ball>{1, 1 - 0x1p-20, std::move(end), 0}; };
  EXPECT_FALSE(match(up_to(tie), 1 + 0x1p-10, inside).inside);
  EXPECT_TRUE(match(up_to(Ball(tie) + Ball(0x1p-100)), 1 + 0x1p-10, inside).inside);
  EXPECT_FALSE(match(up_to(Ball(tie) + Ball(0x1p-100)), 1 + 0x1p-10, inside).open);
  Ball around_tie = tie;
  mag_set_ui_2exp_si(arb_radref(around_tie.arb()), 1, -100);
  EXPECT_TRUE(match(up_to(around_tie), 1 + 0x1p-10, inside).open);
  EXPECT_FALSE(match(up_to(around_tie), 1, inside).open);
}

}  // namespace
}  // namespace cellproof::oracle
