// The evaluation of one unit alone: it says of that unit what the evaluation of all says.
#include <gtest/gtest.h>

#include "oracle/contract.hpp"
#include "oracle/observed.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/task.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

/// A bound may be a little wider: other units are not known to be exactly what was observed.
void expect_as_among_all(const Element& alone, const Element& among_all) {
  EXPECT_EQ(alone.observed, among_all.observed);
  EXPECT_FLOAT_EQ(static_cast<float>(alone.expected), static_cast<float>(among_all.expected));
  EXPECT_GE(alone.bound, among_all.bound * (1 - 1e-12));
  EXPECT_LE(alone.bound, among_all.bound * 1.5 + 1e-30);
  if (alone.cls == ElementClass::Divergent) {
    EXPECT_EQ(among_all.cls, ElementClass::Divergent);
  }
  if (among_all.ratio > 2) {
    EXPECT_EQ(alone.cls, among_all.cls);
  }
}

Problem with_codes(std::uint64_t seed) {
  return testing::some_problem(Operator::DynamicQuantizeLSTM, ElementType::Float, [&](Case& c) {
    c.seed = seed;
    c.attributes.direction = seed % 2 == 0 ? "bidirectional" : "reverse";
    if (seed % 3 == 0) c.weight_type = ElementType::Int8;
  });
}

/// Outputs that nobody would give.
Outputs all_quarters(const Problem& problem) {
  const Layout f = layout_of(problem);
  const Shape of_Y = f.batchwise ? Shape{f.N, f.T, f.D, f.H} : Shape{f.T, f.D, f.N, f.H};
  const Shape of_state = f.batchwise ? Shape{f.N, f.D, f.H} : Shape{f.D, f.N, f.H};
  Outputs outputs(problem.outputs.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (!problem.asks_for(k)) continue;
    outputs[k].emplace(ElementType::Float, k == output::Y ? of_Y : of_state);
    for (std::size_t i = 0; i < outputs[k]->size(); ++i) outputs[k]->set_value(i, 0.25);
  }
  return outputs;
}

/// Compares all units of a drawn problem, whose engine has one element of Y wrong.
void expect_same_alone(Operator op, ElementType type, std::uint64_t seed, int bits) {
  SCOPED_TRACE(std::string(name(op)) + " " + std::string(onnx_name(type)) + " " + std::to_string(seed));
  const Problem problem = is_quantised(op) ? with_codes(seed) : make_problem(testing::drawn_case(op, type, seed));
  Outputs outputs = is_quantised(op) ? all_quarters(problem) : testing::compute(problem);
  if (!outputs.at(output::Y) || outputs[output::Y]->size() == 0) return;
  outputs[output::Y]->set_value(outputs[output::Y]->size() / 2, 0.75);
  const Observed seen(problem, outputs);
  KnownCells known(problem);
  const Task task(seen, {}, arithmetic_of(default_contract(type), type), {}, &known);
  if (!is_by_rows(task)) return;
  ASSERT_TRUE(task.can_look_at_one_unit());
  const Layout& f = task.layout;
  const ElementEvaluation all = run_evaluation(task, Tier::Certified, false, bits);
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      const std::int64_t steps = f.lengths[static_cast<std::size_t>(b)];
      if (steps == 0) continue;
      for (std::int64_t unit = 0; unit < f.H; ++unit) {
        const Stretch stretch{d, b, steps - 1, unit};
        const ElementEvaluation alone = run_evaluation(task, Tier::Certified, false, bits, &stretch);
        for (std::int64_t rank = 0; rank < steps; ++rank) {
          const std::size_t place = ElementEvaluation::y_place(f, rank, d, b) + static_cast<std::size_t>(unit);
          expect_as_among_all(alone.Y[place], all.Y[place]);
        }
        if (all.Y_c.empty()) continue;
        const std::size_t place = ElementEvaluation::state_place(f, d, b) + static_cast<std::size_t>(unit);
        expect_as_among_all(alone.Y_c[place], all.Y_c[place]);
      }
    }
  }
}

TEST(OneUnit, IsJudgedAsAmongAll) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) expect_same_alone(op, ElementType::Float, seed, bits_of_double);
    for (std::uint64_t seed = 20; seed < 24; ++seed) expect_same_alone(op, ElementType::Float, seed, 128);
  }
}

TEST(OneUnit, IsJudgedAsAmongAllWithCodes) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    expect_same_alone(Operator::DynamicQuantizeLSTM, ElementType::Float, seed, bits_of_double);
}

/// The quick way of a step takes all units at once and says nothing of gates: whoever asks for them gets all.
TEST(OneUnit, HasTheSameGatesInDoubleAsInBalls) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = testing::some_problem(op);
    const Outputs outputs = testing::compute(problem);
    const Observed seen(problem, outputs);
    const Task task(seen, {}, arithmetic_of(default_contract(ElementType::Float), ElementType::Float));
    const auto rough = gates_at(task, 0, 0, 1, 2, bits_of_double);
    const WorkingPrecision precision(first_bits_of_balls);
    const auto fine = gates_at(task, 0, 0, 1, 2, first_bits_of_balls);
    ASSERT_GT(fine.size(), 1U);
    ASSERT_EQ(rough.size(), fine.size()) << name(op);
    for (std::size_t k = 0; k < fine.size(); ++k) {
      EXPECT_EQ(rough[k].name, fine[k].name);
      EXPECT_NEAR(rough[k].centre, fine[k].centre, 1e-9) << name(op) << " " << fine[k].name;
    }
  }
}

/// In 16 bits states may be kept wider than they are given out.
TEST(OneUnit, IsExcludedOnlyWhereItIsAmongAll) {
  int excluded = 0;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Problem problem = make_problem(testing::drawn_case(op, ElementType::Float16, seed));
      Outputs outputs = testing::compute(problem);
      if (!outputs.at(output::Y) || outputs[output::Y]->size() == 0) continue;
      outputs[output::Y]->set_value(0, 0.75);
      const Observed seen(problem, outputs);
      const Task task(seen, {}, arithmetic_of(default_contract(ElementType::Float16), ElementType::Float16));
      const ElementEvaluation all = run_evaluation(task, Tier::Certified, false, bits_of_double);
      for (std::int64_t unit = 0; unit < task.layout.H && task.layout.lengths.front() > 0; ++unit) {
        const Stretch stretch{0, 0, task.layout.lengths.front() - 1, unit};
        const ElementEvaluation alone = run_evaluation(task, Tier::Certified, false, bits_of_double, &stretch);
        for (std::size_t k = 0; k < all.Y.size(); ++k) {
          if (alone.Y[k].cls != ElementClass::Divergent) continue;
          EXPECT_EQ(all.Y[k].cls, ElementClass::Divergent) << name(op) << " seed " << seed << " element " << k;
          ++excluded;
        }
      }
    }
  }
  EXPECT_GT(excluded, 10);
}

}  // namespace
}  // namespace cellproof::oracle
