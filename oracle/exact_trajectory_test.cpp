#include "oracle/exact_trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::OwnTask;
using testing::some_problem;

OwnTask exact_task(const Problem& problem, const Readings& readings = {}) {
  return {problem, {}, readings, exact_arithmetic(value_type(problem))};
}

/// A recurrence of 420 steps that blows errors up.
Problem long_and_chaotic(std::int64_t rows) {
  return some_problem(Operator::RNN, ElementType::Float, [rows](Case& c) {
    c.regime = Regime::Chaotic;
    c.T = 420;
    c.N = rows;
    c.H = 24;
  });
}

TEST(ExactTrajectory, OfAChaoticRecurrenceTakesManyBitsAndIsCertified) {
  const Problem problem = long_and_chaotic(1);
  const OwnTask own = exact_task(problem);
  const Task& task = own.task;
  EXPECT_FALSE(exact_trajectory(task, 512).certain);
  const ExactTrajectory sure = certified_trajectory(task);
  EXPECT_TRUE(sure.certain);
  EXPECT_GT(sure.bits, 512);
  // Far more bits give values that these balls hold.
  const ExactTrajectory finer = exact_trajectory(task, 4 * sure.bits);
  for (std::size_t k = 0; k < sure.H.size(); ++k) {
    EXPECT_FALSE(surely_less(sure.H[k], finer.H[k]) || surely_less(finer.H[k], sure.H[k])) << k;
    EXPECT_EQ(correctly_rounded(sure.H[k], ElementType::Float), correctly_rounded(finer.H[k], ElementType::Float)) << k;
  }
}

TEST(ExactTrajectory, SaysSoWhereItsBitsDoNotDo) {
  const Problem problem = some_problem(Operator::GRU, ElementType::Float, [](Case& c) {
    c.regime = Regime::Chaotic;
    c.T = 120;
    c.H = 24;
  });
  const ExactTrajectory cut_short = certified_trajectory(exact_task(problem), first_bits_of_balls);
  EXPECT_FALSE(cut_short.certain);
  EXPECT_EQ(cut_short.bits, first_bits_of_balls);
}

TEST(ExactTrajectory, SaysNothingFromWhereItHoldsNoDigitOn) {
  const Problem problem = long_and_chaotic(2);
  const OwnTask own = exact_task(problem);
  const Layout& f = own.task.layout;
  const ExactTrajectory lost = exact_trajectory(own.task, first_bits_of_balls);
  EXPECT_FALSE(lost.certain);
  for (std::int64_t b = 0; b < f.N; ++b) {
    const auto first = [&](std::int64_t rank) { return lost.H[ElementEvaluation::y_place(f, rank, 0, b)]; };
    EXPECT_TRUE(correctly_rounded(first(0), ElementType::Float));
    const Ball last = first(f.lengths[static_cast<std::size_t>(b)] - 1);
    EXPECT_FALSE(isfinite(last));
    EXPECT_FALSE(isnan(last));
  }
}

TEST(ExactTrajectory, SaysOfANanThatItIsNoNumberWhereItHoldsNoDigit) {
  Problem problem = long_and_chaotic(1);
  Tensor& X = *problem.inputs[input::X].tensor;
  constexpr std::int64_t late = 400;  // of 420 steps
  X.set_value(X.offset({late, 0, 0}), std::numeric_limits<double>::quiet_NaN());
  const OwnTask own = exact_task(problem);
  const ExactTrajectory lost = exact_trajectory(own.task, first_bits_of_balls);
  const auto first = [&](std::int64_t rank) { return lost.H[ElementEvaluation::y_place(own.task.layout, rank, 0, 0)]; };
  EXPECT_FALSE(isnan(first(late - 1)) || isfinite(first(late - 1)));
  EXPECT_TRUE(isnan(first(late)) && isnan(first(late + 1)));
}

TEST(ExactTrajectory, FollowsStatesBeyondAllDoubles) {
  Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.T = 400;
    c.N = 1;
    c.attributes.activations = {{"Affine"}};
    c.attributes.activation_alpha = {{1000.0F}};
    c.attributes.activation_beta = {{0.0F}};
  });
  const OwnTask own = exact_task(problem);
  const Layout& f = own.task.layout;
  const ExactTrajectory large = certified_trajectory(own.task);
  EXPECT_TRUE(large.certain);
  const Ball& last = large.H[ElementEvaluation::y_place(f, f.T - 1, 0, 0)];
  EXPECT_EQ(std::abs(static_cast<double>(last)), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(isfinite(last));
  EXPECT_EQ(std::abs(*correctly_rounded(last, ElementType::Float)), std::numeric_limits<double>::infinity());
}

TEST(ExactTrajectory, LiesInTheForwardSetsOfTheJudge) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const ElementType type : {ElementType::Float, ElementType::Double}) {
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Problem problem = make_problem(testing::drawn_case(op, type, seed));
        const OwnTask own(problem, {}, {}, arithmetic_of(default_contract(type), type));
        const Task& honest = own.task;
        const ExactTrajectory exact = exact_trajectory(honest, 256);
        const Trajectory sets = forward_sets(honest, first_precision_level(type));
        const Layout& f = honest.layout;
        for (std::int64_t d = 0; d < f.D; ++d) {
          for (std::int64_t b = 0; b < f.N; ++b) {
            for (std::int64_t rank = 0; rank < f.lengths[static_cast<std::size_t>(b)]; ++rank) {
              for (std::int64_t j = 0; j < f.H; ++j) {
                const std::size_t k = ElementEvaluation::y_place(f, rank, d, b) + static_cast<std::size_t>(j);
                if (isnan(exact.H[k]) || sets.H[k].empty()) continue;
                EXPECT_FALSE(surely_less(exact.H[k], sets.H[k].lo) || surely_less(sets.H[k].hi, exact.H[k])) << seed;
              }
            }
          }
        }
      }
    }
  }
}

TEST(ExactTrajectory, TakesTheSideOfAJumpThatTheReadingSays) {
  Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.T = 1;
    c.attributes.activations = {{"ThresholdedRelu"}};
    c.attributes.activation_alpha = {{0.5F}};
  });
  for (const std::size_t position : {input::X, input::R, input::initial_h}) {
    Tensor& tensor = *problem.inputs[position].tensor;
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, 0);
  }
  Tensor& B = *problem.inputs[input::B].tensor;
  for (std::size_t k = 0; k < B.size(); ++k) B.set_value(k, 0.25);  // both halves: exactly alpha
  const ExactTrajectory kept = certified_trajectory(exact_task(problem));
  EXPECT_EQ(kept.H[0], 0.5);
  const Readings other = Readings{}.with(Clause::ThresholdedReluEquality, "gt");
  EXPECT_EQ(certified_trajectory(exact_task(problem, other)).H[0], 0);
}

TEST(ExactTrajectory, EndsWhereAnInfinityComesIn) {
  Problem problem = some_problem(Operator::LSTM);
  problem.inputs[input::X].tensor->set_value({2, 1, 0}, std::numeric_limits<double>::infinity());
  const OwnTask own = exact_task(problem);
  const Task& task = own.task;
  const ExactTrajectory exact = certified_trajectory(task);
  EXPECT_TRUE(exact.certain);
  EXPECT_EQ(exact.bits, first_bits_of_balls);
  const Layout& f = task.layout;
  EXPECT_TRUE(isfinite(exact.H[ElementEvaluation::y_place(f, 1, 0, 1)]));
  EXPECT_TRUE(isnan(exact.H[ElementEvaluation::y_place(f, 2, 0, 1)]));
  EXPECT_TRUE(isnan(exact.H[ElementEvaluation::y_place(f, 4, 0, 1)]));
  EXPECT_TRUE(isfinite(exact.H[ElementEvaluation::y_place(f, 4, 0, 2)]));
  EXPECT_TRUE(isnan(exact.C[ElementEvaluation::state_place(f, 0, 1)]));
}

TEST(ExactTrajectory, IsWhatAnElementWithoutYIsComparedWith) {
  // After sixty steps of chaos a double's trajectory is anywhere; the expected value still is the right one.
  Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::Chaotic;
    c.T = 60;
    c.H = 24;
  });
  problem.outputs = {Presence::Empty, Presence::Given};
  const OwnTask own = exact_task(problem);
  const Task& task = own.task;
  const ExactTrajectory exact = certified_trajectory(task);
  ASSERT_TRUE(exact.certain);
  Outputs outputs(2);
  outputs[output::Y_h] = Tensor(ElementType::Float, task.layout.state_shape());
  for (std::int64_t b = 0; b < task.layout.N; ++b) {
    for (std::int64_t j = 0; j < task.layout.H; ++j) {
      const Ball& last = exact.H[ElementEvaluation::y_place(task.layout, 59, 0, b) + static_cast<std::size_t>(j)];
      outputs[output::Y_h]->set_value({0, b, j}, *correctly_rounded(last, ElementType::Float));
    }
  }
  const Judgement judgement = judge(problem, outputs, {Readings{}, ContractId::F32});
  EXPECT_EQ(judgement.max_ulp, 0);
  EXPECT_EQ(judgement.elements[static_cast<std::size_t>(ElementClass::Exact)], task.layout.N * task.layout.H);
  EXPECT_EQ(judgement.bits, exact.bits);
}

TEST(CorrectlyRounded, IsKnownOfABallThatRoundsToOneNumberOnly) {
  const WorkingPrecision precision(128);
  const double tie = 1 + 0x1p-24;
  EXPECT_EQ(correctly_rounded(Ball(tie), ElementType::Float), 1);
  EXPECT_EQ(correctly_rounded(Ball(tie) + Ball(0x1p-90), ElementType::Float), 1 + 0x1p-23);
  Ball around_tie = tie;
  mag_set_ui_2exp_si(arb_radref(around_tie.arb()), 1, -90);
  EXPECT_EQ(correctly_rounded(around_tie, ElementType::Float), std::nullopt);
  EXPECT_EQ(correctly_rounded(Ball(1e39), ElementType::Float), std::numeric_limits<double>::infinity());
  EXPECT_EQ(correctly_rounded(Ball(1) + Ball(0x1p-54), ElementType::Double), 1);
}

}  // namespace
}  // namespace cellproof::oracle
