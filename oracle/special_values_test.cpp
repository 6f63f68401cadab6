// What infinities and NaN may lead to, where an honest engine has a choice: each choice is admitted, and nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "oracle/course.hpp"
#include "oracle/judge.hpp"
#include "oracle/step/activation.hpp"
#include "oracle/testing/numbers.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using Given = std::vector<std::optional<Tensor>>;

bool diverges(const Problem& problem, const Given& outputs) {
  return judge(problem, outputs, {Readings{}, ContractId::F32}).verdict == Verdict::Diverges;
}

/// One step, Y alone.
Problem one_step(Operator op, const std::function<void(Case&)>& change) {
  Problem problem = testing::some_problem(op, ElementType::Float, [&](Case& c) {
    c.T = 1;
    change(c);
  });
  problem.outputs = {Presence::Given};
  return problem;
}

/// The outputs with unit 0 of every row set to the value.
Given with_first_unit(Given outputs, double value) {
  Tensor& Y = *outputs[output::Y];
  for (std::int64_t b = 0; b < Y.shape()[2]; ++b) Y.set_value({0, 0, b, 0}, value);
  return outputs;
}

TEST(SpecialChoice, SoftsignOfInfinityIsItsLimitOrNan) {
  const Activation softsign{ActivationKind::Softsign, 0, 0, true};
  const auto set = image(softsign, Enclosure<double>::point(testing::infinity), testing::f32).whole();
  EXPECT_TRUE(set.contains(1));
  EXPECT_TRUE(set.has(may_be_nan));
  EXPECT_TRUE(set.has(is_unspecified));
}

TEST(SpecialChoice, AFiniteProductThatOverflowsBesideAnInfinityMayMakeNan) {
  Problem problem = one_step(Operator::RNN, [](Case&) {});
  Tensor &X = *problem.inputs[input::X].tensor, &W = *problem.inputs[input::W].tensor;
  for (std::int64_t b = 0; b < X.shape()[1]; ++b) {
    X.set_value({0, b, 0}, testing::infinity);
    X.set_value({0, b, 1}, -3e38F);
  }
  W.set_value({0, 0, 0}, 1);
  W.set_value({0, 0, 1}, 4);
  const Given outputs = testing::compute(problem);
  EXPECT_FALSE(diverges(problem, with_first_unit(outputs, std::nan(""))));
  EXPECT_FALSE(diverges(problem, with_first_unit(outputs, 1)));
  // Without the overflow there is nothing to make NaN of.
  for (std::int64_t b = 0; b < X.shape()[1]; ++b) X.set_value({0, b, 1}, -3);
  const Given finite = testing::compute(problem);
  EXPECT_TRUE(diverges(problem, with_first_unit(finite, std::nan(""))));
  EXPECT_FALSE(diverges(problem, with_first_unit(finite, 1)));
}

TEST(SpecialChoice, OppositeInfinitiesMakeNanAndNothingElse) {
  Problem problem = one_step(Operator::RNN, [](Case&) {});
  Tensor &X = *problem.inputs[input::X].tensor, &W = *problem.inputs[input::W].tensor;
  for (std::int64_t b = 0; b < X.shape()[1]; ++b) {
    X.set_value({0, b, 0}, testing::infinity);
    X.set_value({0, b, 1}, -testing::infinity);
  }
  W.set_value({0, 0, 0}, 1);
  W.set_value({0, 0, 1}, 4);
  const Given outputs = testing::compute(problem);
  EXPECT_FALSE(diverges(problem, with_first_unit(outputs, std::nan(""))));
  EXPECT_TRUE(diverges(problem, with_first_unit(outputs, 1)));
}

TEST(SpecialChoice, AnAbsentStateBesideAnInfiniteWeightIsMultipliedOrLeftOut) {
  Problem problem = one_step(Operator::RNN, [](Case& c) { c.inputs[input::initial_h].presence = Presence::Absent; });
  const Given left_out = testing::compute(problem);
  problem.inputs[input::R].tensor->set_value({0, 0, 0}, testing::infinity);
  EXPECT_FALSE(diverges(problem, left_out));
  EXPECT_FALSE(diverges(problem, with_first_unit(left_out, std::nan(""))));
  EXPECT_TRUE(diverges(problem, with_first_unit(left_out, 1.5)));
}

TEST(SpecialChoice, AnAbsentStateBesideAResetGateOfNanIsMultipliedOrLeftOut) {
  Problem problem = one_step(Operator::GRU, [](Case& c) {
    c.inputs[input::initial_h].presence = Presence::Absent;
    c.attributes.linear_before_reset = 0;
  });
  // The reset gate of the last unit becomes NaN, which meets nothing but a state of zeros.
  const std::int64_t H = problem.input(input::R)->shape()[2];
  Tensor &X = *problem.inputs[input::X].tensor, &W = *problem.inputs[input::W].tensor;
  for (std::int64_t row = 0; row < 3 * H; ++row) W.set_value({0, row, 0}, row == 2 * H - 1 ? testing::infinity : 0);
  for (std::int64_t b = 0; b < X.shape()[1]; ++b) X.set_value({0, b, 0}, 0);
  Problem without = problem;
  without.inputs[input::W].tensor->set_value({0, 2 * H - 1, 0}, 0);
  const Given finite = testing::compute(without);
  EXPECT_FALSE(diverges(problem, finite));
  EXPECT_FALSE(diverges(problem, with_first_unit(finite, std::nan(""))));
  EXPECT_TRUE(diverges(problem, with_first_unit(finite, 1.5)));
}

TEST(SpecialChoice, AnAbsentCellBesideAnInfinitePeepholeIsMultipliedOrLeftOut) {
  Problem problem = one_step(Operator::LSTM, [](Case& c) {
    c.inputs[input::initial_h].presence = c.inputs[input::initial_c].presence = Presence::Absent;
  });
  const Given left_out = testing::compute(problem);
  problem.inputs[input::P].tensor->set_value({0, 0}, testing::infinity);  // of the input gate, which sees C(t-1)
  EXPECT_FALSE(diverges(problem, left_out));
  EXPECT_FALSE(diverges(problem, with_first_unit(left_out, std::nan(""))));
  EXPECT_TRUE(diverges(problem, with_first_unit(left_out, 1.5)));
}

TEST(SpecialChoice, AnAbsentPeepholeBesideAnInfiniteCellIsMultipliedOrLeftOut) {
  Problem problem = one_step(Operator::LSTM, [](Case& c) { c.inputs[input::P].presence = Presence::Absent; });
  Tensor& cell = *problem.inputs[input::initial_c].tensor;
  for (std::int64_t b = 0; b < cell.shape()[1]; ++b) cell.set_value({0, b, 0}, testing::infinity);
  const Given left_out = testing::compute(problem);
  ASSERT_FALSE(std::isnan(left_out[output::Y]->value({0, 0, 0, 0})));
  EXPECT_FALSE(diverges(problem, left_out));
  EXPECT_FALSE(diverges(problem, with_first_unit(left_out, std::nan(""))));
  EXPECT_TRUE(diverges(problem, with_first_unit(left_out, 1.5)));
}

TEST(SpecialChoice, ACellThatLeavesTheRangeOfFloatMayBeInfinite) {
  Problem problem = one_step(Operator::LSTM, [](Case& c) {
    c.attributes.activations = {"Affine", "Tanh", "Affine"};
    c.attributes.activation_alpha = {0.0F, 1e-38F};
    c.attributes.activation_beta = {2.0F, 0.0F};
  });
  Tensor& cell = *problem.inputs[input::initial_c].tensor;
  for (std::int64_t b = 0; b < cell.shape()[1]; ++b) cell.set_value({0, b, 0}, 3e38F);
  const Given outputs = testing::compute(problem);
  EXPECT_FALSE(diverges(problem, with_first_unit(outputs, testing::infinity)));
}

TEST(SpecialChoice, AnElementThatMayLieOnEitherSideOfAJumpVerifiesNothing) {
  Enclosure<double> kept{0.5, 0.5, 0.5, 0};
  const auto cls = [&] { return element_of(kept, match(kept, 0.5, testing::f32), 0.5, testing::f32).cls; };
  EXPECT_EQ(cls(), ElementClass::Exact);
  kept.flags = is_branched;
  EXPECT_EQ(cls(), ElementClass::Unresolved);
}

}  // namespace
}  // namespace cellproof::oracle
