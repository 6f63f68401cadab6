// Results that infinities and NaN may lead to, where an honest engine has a choice: each is admitted, and nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "oracle/evaluate.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/numbers.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using Given = Outputs;

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

TEST(SpecialValues, GatesThatAreNanAreToldWithoutSignOrRadius) {
  Problem problem = one_step(Operator::RNN, [](Case&) {});
  Tensor& X = *problem.inputs[input::X].tensor;
  X.set_value({0, 0, 0}, std::nan(""));
  Given outputs = testing::compute(problem);
  outputs[output::Y]->set_value({0, 0, 0, 0}, 0.5);
  const Judgement judgement = judge(problem, outputs, {Readings{}, ContractId::F32});
  ASSERT_EQ(judgement.verdict, Verdict::Diverges);
  ASSERT_FALSE(judgement.first->gates.empty());
  for (const GateValue& gate : judgement.first->gates) EXPECT_EQ(value_text(gate), "nan") << gate.name;
}

/// One row, one unit, one feature, one step, Y alone; every tensor by its values.
Problem one_number(Operator op, const std::vector<std::pair<std::size_t, std::vector<double>>>& values,
                   const std::function<void(Case&)>& change) {
  Case c = plain_case({op, 22}, ElementType::Float, 1, 1, 1, 1);
  for (const auto& [position, numbers] : values) c.inputs[position].presence = Presence::Given;
  change(c);
  Problem problem = make_problem(c);
  problem.outputs = {Presence::Given};
  for (const auto& [position, numbers] : values) {
    Tensor& tensor = *problem.inputs[position].tensor;
    tensor = Tensor::from_values(ElementType::Float, tensor.shape(), numbers);
  }
  return problem;
}

Given y_of(double value) {
  return {Tensor::from_values(ElementType::Float, {1, 1, 1, 1}, std::vector{value})};
}

TEST(SpecialValues, AResetStateThatOverflowsMayMakeNanOfAWeightOfZero) {
  for (const double h : {1e30, 1.0}) {
    const Problem problem = one_number(
        Operator::GRU, {{input::X, {1}}, {input::W, {0, 1e30F, 1}}, {input::R, {0, 0, 0}}, {input::initial_h, {h}}},
        [](Case& c) {
          c.attributes.activations = {"Affine", "Tanh"};
        });
    EXPECT_EQ(diverges(problem, y_of(std::nan(""))), h == 1) << h;
  }
}

/// Expects NaN, or what a fused operation gives, only of the problem where a finite part overflows beside an infinity.
/// The other one must give `y`.
void expect_nan_only_beside_an_overflow(const Problem& overflows, double fused, const Problem& does_not, double y) {
  EXPECT_FALSE(diverges(overflows, y_of(std::nan(""))));
  EXPECT_FALSE(diverges(overflows, y_of(fused)));
  EXPECT_TRUE(diverges(does_not, y_of(std::nan(""))));
  EXPECT_FALSE(diverges(does_not, y_of(y)));
}

TEST(SpecialChoice, APeepholesProductThatOverflowsBesideAnInfinityMayMakeNan) {
  const auto with_cell = [](double cell) {  // f: -infinity + 2 C'
    return one_number(Operator::LSTM,
                      {{input::X, {-1}},
                       {input::W, {0, 0, testing::infinity, 0}},
                       {input::R, {0, 0, 0, 0}},
                       {input::initial_c, {cell}},
                       {input::P, {0, 0, 2}}},
                      [](Case&) {});
  };
  // Otherwise f is 0, i and o are a half, and c~ is 0.
  expect_nan_only_beside_an_overflow(with_cell(3e38F), 0, with_cell(3), 0);
}

TEST(SpecialChoice, AProductWithTheCellThatOverflowsBesideAnInfinityMayMakeNan) {
  // i = f = 2 and c~ = -infinity, so C = 2 C' - infinity; o = Relu(2 - C), H = o tanh(C).
  const auto with_cell = [](double cell) {
    return one_number(Operator::LSTM,
                      {{input::X, {-1}},
                       {input::W, {0, 0, 0, testing::infinity}},
                       {input::R, {0, 0, 0, 0}},
                       {input::B, {2, 2, 2, 0, 0, 0, 0, 0}},
                       {input::initial_c, {cell}},
                       {input::P, {0, -1, 0}}},
                      [](Case& c) {
                        c.attributes.activations = {"Relu", "Affine", "Tanh"};
                        c.attributes.activation_alpha = {1.0F};
                        c.attributes.activation_beta = {0.0F};
                      });
  };
  expect_nan_only_beside_an_overflow(with_cell(3e38F), -testing::infinity, with_cell(3), -testing::infinity);
}

TEST(SpecialChoice, AResetProductThatOverflowsBesideAnInfinityMayMakeNan) {
  const auto with_state = [](double state) {  // tanh(-infinity + 2 H')
    return one_number(
        Operator::GRU,
        {{input::X, {-1}}, {input::W, {0, 0, testing::infinity}}, {input::R, {0, 0, 1}}, {input::initial_h, {state}}},
        [](Case& c) {
          c.attributes.linear_before_reset = 1;
          c.attributes.activations = {"Affine", "Tanh"};
          c.attributes.activation_alpha = {0.0F};
          c.attributes.activation_beta = {2.0F};
        });
  };
  // Then (1 - 2) * -1 + 2 H'.
  expect_nan_only_beside_an_overflow(with_state(3e38F), testing::infinity, with_state(3), 7);
}

TEST(SpecialChoice, ABlendOneOfWhosePartsOverflowsBesideAnInfinityMayMakeNan) {
  const auto with_state = [](double state) {  // (1 + 2) * infinity - 2 H'
    return one_number(
        Operator::GRU,
        {{input::X, {1}}, {input::W, {0, 0, testing::infinity}}, {input::R, {0, 0, 0}}, {input::initial_h, {state}}},
        [](Case& c) {
          c.attributes.linear_before_reset = 1;
          c.attributes.activations = {"Affine", "Affine"};
          c.attributes.activation_alpha = {0.0F, 1.0F};
          c.attributes.activation_beta = {-2.0F, 0.0F};
        });
  };
  expect_nan_only_beside_an_overflow(with_state(3e38F), testing::infinity, with_state(3), testing::infinity);
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

TEST(SpecialChoice, ANumberThatComesOutSaysThatTheCellBehindItIsNoNan) {
  Problem problem = testing::some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    c.T = 2;
    c.inputs[input::initial_h].presence = Presence::Absent;
  });
  problem.outputs = {Presence::Given};
  // The input gate of the first unit: infinity times the absent state is NaN, or nothing, as 1e38 times it is.
  Tensor& R = *problem.inputs[input::R].tensor;
  R.set_value({0, 0, 0}, 1e38F);
  Tensor Y = *testing::compute(problem)[output::Y];
  R.set_value({0, 0, 0}, testing::infinity);
  ASSERT_FALSE(std::isnan(Y.value({0, 0, 0, 0})) || std::isnan(Y.value({1, 0, 0, 0})));
  EXPECT_FALSE(diverges(problem, {Y}));
  Y.set_value({1, 0, 0, 0}, std::nan(""));
  EXPECT_TRUE(diverges(problem, {Y}));
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

/// An RNN of one unit, the identity for a function, two steps, of which only the last state is asked for; by step what
/// X has, and the weights of X and of the state.
Problem two_steps(const std::vector<double>& x, const std::vector<double>& W, double R, float alpha = 1) {
  const auto inputs = static_cast<std::int64_t>(W.size());
  Case c = plain_case({Operator::RNN, 22}, ElementType::Float, 2, 1, inputs, 1);
  c.attributes.activations = {"Affine"};
  c.attributes.activation_alpha = {alpha};
  c.attributes.activation_beta = {0.0F};
  Problem problem = make_problem(c);
  problem.outputs = {Presence::Absent, Presence::Given};
  problem.inputs[input::X].tensor = Tensor::from_values(ElementType::Float, {2, 1, inputs}, x);
  problem.inputs[input::W].tensor = Tensor::from_values(ElementType::Float, {1, 1, inputs}, W);
  problem.inputs[input::R].tensor->set_value(0, R);
  return problem;
}

Given last_state(double value) {
  return {std::nullopt, Tensor::from_values(ElementType::Float, {1, 1, 1}, std::vector{value})};
}

/// Two units of Tanh: the first sees only X, by 3 and -1, the second only the first's state, by infinity. The last
/// states are asked for.
Problem second_unit_sees_sign_of_first(double x, double y) {
  Case c = plain_case({Operator::RNN, 22}, ElementType::Float, 2, 1, 2, 2);
  c.inputs[input::initial_h].presence = Presence::Given;
  Problem problem = make_problem(c);
  problem.outputs = {Presence::Absent, Presence::Given};
  const auto set = [&](std::size_t position, Shape shape, std::vector<double> values) {
    problem.inputs[position].tensor = Tensor::from_values(ElementType::Float, std::move(shape), values);
  };
  set(input::X, {2, 1, 2}, {x, y, 0, 0});
  set(input::W, {1, 2, 2}, {3, -1, 0, 0});
  set(input::R, {1, 2, 2}, {0, 0, testing::infinity, 0});
  set(input::initial_h, {1, 1, 2}, {1, 0});
  return problem;
}

TEST(SpecialChoice, AnInfiniteWeightMakesEitherInfinityOrNanOfAStateWhoseSignIsUnknown) {
  const auto second = [](double h) {
    return Given{std::nullopt, Tensor::from_values(ElementType::Float, {1, 1, 2}, std::vector{0.0, h})};
  };
  // 3 x - y is -7e-9, and rounding may make 0 or a little more of it.
  const Problem unknown = second_unit_sees_sign_of_first(0.1F, 0.3F);
  for (const double h : {1.0, -1.0, std::nan("")}) EXPECT_FALSE(diverges(unknown, second(h))) << h;
  const Problem known = second_unit_sees_sign_of_first(1, 1);
  EXPECT_FALSE(diverges(known, second(1)));
  EXPECT_TRUE(diverges(known, second(-1)));
}

TEST(SpecialChoice, AStateThatMayHaveOverflowedBesideAnInfinityMayMakeNan) {
  const Problem problem = two_steps({0x1p100, testing::infinity}, {0x1p100}, -1, 0x1p-100F);
  EXPECT_FALSE(diverges(problem, last_state(std::nan(""))));
  EXPECT_FALSE(diverges(problem, last_state(testing::infinity)));
}

TEST(SpecialChoice, AStateThatRoundingMayMakeInfiniteBesideAnInfinityMayMakeNan) {
  // The first sum is a little below the largest float, and by honest roundings infinite.
  const std::vector<double> x{1.5 * 0x1p127, (0.5 - 0x1p-22) * 0x1p127, 0x1p90, testing::infinity, 0, 0};
  const Problem problem = two_steps(x, {1, 1, 1}, -1);
  EXPECT_FALSE(diverges(problem, last_state(testing::infinity)));
  EXPECT_FALSE(diverges(problem, last_state(std::nan(""))));
  EXPECT_TRUE(diverges(two_steps({1, 1, 1, testing::infinity, 0, 0}, {1, 1, 1}, -1), last_state(std::nan(""))));
}

TEST(SpecialChoice, WhatMayBeNanMayLeaveClipAtEitherEnd) {
  Problem problem = one_step(Operator::RNN, [](Case& c) {
    c.inputs[input::initial_h].presence = Presence::Absent;
    c.attributes.activations = {"Affine"};
    c.attributes.activation_alpha = {1.0F};
    c.attributes.activation_beta = {0.0F};
    c.attributes.clip = 1.0F;
  });
  Tensor& R = *problem.inputs[input::R].tensor;
  R.set_value({0, 0, 0}, testing::infinity);  // times the absent state: nothing, or NaN
  Tensor& X = *problem.inputs[input::X].tensor;
  for (std::size_t k = 0; k < X.size(); ++k) X.set_value(k, 100);
  Tensor& W = *problem.inputs[input::W].tensor;
  for (std::size_t k = 0; k < W.size(); ++k) W.set_value(k, 1);
  const Given outputs = testing::compute(problem);
  for (const double h : {1.0, -1.0, std::nan("")}) EXPECT_FALSE(diverges(problem, with_first_unit(outputs, h))) << h;
  EXPECT_TRUE(diverges(problem, with_first_unit(outputs, 1.5)));
}

}  // namespace
}  // namespace cellproof::oracle
