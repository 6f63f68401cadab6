#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "spec/case.hpp"
#include "spec/readings.hpp"

namespace cellproof {
namespace {

using enum Clause;

Case plain(Operator op, ElementType type = ElementType::Float) {
  return plain_case({op, op == Operator::DynamicQuantizeLSTM ? 1 : 22}, type, 4, 3, 2, 5);
}

void expect_touched(const Case& c, std::vector<Clause> clauses) {
  std::vector<std::string_view> ids, expected;
  for (const Clause clause : clauses_touched(make_problem(c))) ids.push_back(info(clause).id);
  for (const Clause clause : clauses) expected.push_back(info(clause).id);
  EXPECT_EQ(ids, expected);
}

Case with_lengths(Case c, std::vector<double> lengths) {
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {3}, lengths);
  return c;
}

TEST(ClausesTouched, AreNoneInAPlainCase) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    expect_touched(plain(op), {});
    expect_touched(plain(op, ElementType::Double), {});
  }
  expect_touched(plain(Operator::DynamicQuantizeLSTM), {DqGranularity});
}

TEST(ClausesTouched, ByClip) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    Case c = plain(op);
    c.attributes.clip = 0.5F;
    expect_touched(c, op == Operator::LSTM ? std::vector{ClipScope} : std::vector<Clause>{});
  }
  Case c = plain(Operator::LSTM);
  c.attributes.clip = 0.0F;
  expect_touched(c, {ClipScope, ClipZero});
}

TEST(ClausesTouched, ByInputForget) {
  Case c = plain(Operator::LSTM);
  c.attributes.input_forget = 0;
  expect_touched(c, {});
  c.attributes.input_forget = 1;
  expect_touched(c, {InputForget, InputForgetWeights});
}

TEST(ClausesTouched, ByListsOfValuesThatCanBeReadInTwoWays) {
  Case c = plain(Operator::LSTM);
  c.attributes.activations = {"LeakyRelu", "Tanh", "Tanh"};
  c.attributes.activation_alpha = {0.3F};
  expect_touched(c, {});
  c.attributes.activations = {"Tanh", "LeakyRelu", "Tanh"};
  expect_touched(c, {AlphaConsumption});
  c.attributes.activation_alpha = {0.3F, 0.3F};
  expect_touched(c, {AlphaListLength});
  c.attributes.activation_alpha = {0.3F, 0.2F};
  expect_touched(c, {AlphaConsumption, AlphaListLength});
}

TEST(ClausesTouched, ByListsOfValuesOfTwoDirections) {
  Case c = plain(Operator::RNN);
  c.attributes.direction = "bidirectional";
  c.attributes.activations = {"Elu", "Elu"};
  c.attributes.activation_alpha = {0.3F, 0.3F};
  expect_touched(c, {});
  c.attributes.activation_alpha = {0.3F, 0.2F};
  expect_touched(c, {AlphaAcrossDirections});
  c.attributes.activation_alpha = {0.3F};
  expect_touched(c, {AlphaListLength, AlphaAcrossDirections});
  c.attributes.activations = {"Tanh", "Elu"};
  expect_touched(c, {AlphaConsumption, AlphaAcrossDirections});
}

TEST(ClausesTouched, ByDefaults) {
  Case c = plain(Operator::RNN);
  c.attributes.activations = {"ScaledTanh"};
  expect_touched(c, {DefaultsAffineScaledTanh});
  c.attributes.activation_alpha = {0.5F};
  c.attributes.activation_beta = {0.5F};
  expect_touched(c, {});
  for (const char* name : {"HardSigmoid", "LeakyRelu", "Elu"}) {
    Case d = plain(Operator::RNN, ElementType::Double);
    d.attributes.activations = {name};
    // Elu's default is 1, the same number in both types.
    expect_touched(d, std::string_view(name) == "Elu" ? std::vector<Clause>{} : std::vector{DefaultParametersInDouble});
    d.attributes.activation_alpha = {0.5F};
    expect_touched(d, {});
    d.type = ElementType::Float;
    d.attributes.activation_alpha.reset();
    expect_touched(d, {});
  }
}

TEST(ClausesTouched, ByNamesOfActivations) {
  Case c = plain(Operator::GRU);
  c.attributes.activations = {"ThresholdedRelu", "tanh"};
  expect_touched(c, {ThresholdedReluEquality, ActivationNameCase});
  Case rnn = plain(Operator::RNN);
  rnn.attributes.activations = {"Tanh", "Tanh"};
  expect_touched(rnn, {ActivationCount});
}

TEST(ClausesTouched, ByLengths) {
  const Case c = plain(Operator::LSTM);
  expect_touched(with_lengths(c, {4, 4, 4}), {});
  expect_touched(with_lengths(c, {4, 2, 4}), {PaddingOfY});
  expect_touched(with_lengths(c, {4, 0, 4}), {PaddingOfY});
  Case state = with_lengths(c, {4, 0, 4});
  state.inputs[input::initial_h].presence = Presence::Given;
  expect_touched(state, {PaddingOfY, ZeroLengthState});
  state.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  expect_touched(state, {ZeroLengthState});
  state.outputs = {Presence::Empty, Presence::Empty, Presence::Given};
  expect_touched(state, {});
  state.inputs[input::initial_c].presence = Presence::Given;
  expect_touched(state, {ZeroLengthState});
}

TEST(ClausesTouched, ByEmptySizes) {
  Case c = plain(Operator::GRU);
  c.T = 0;
  expect_touched(c, {EmptySequenceState});
  c.T = 4;
  c.N = 0;
  expect_touched(c, {EmptySequenceState});
}

TEST(ClausesTouched, ByAttributesBeyondTheirText) {
  Case c = plain(Operator::GRU);
  c.attributes.hidden_size.reset();
  c.attributes.linear_before_reset = 2;
  c.attributes.layout = -1;
  expect_touched(c, {HiddenSizeAbsent, LinearBeforeResetOther, LayoutOther});
}

TEST(ClausesTouched, ByAnAbsentCellBesideAGateThatMayBeInfinite) {
  const auto with_bias = [](Operator op, double bias) {
    Case c = plain(op);
    Tensor B(ElementType::Float, {1, 40});
    B.set_value(11, bias);
    c.inputs[input::B].presence = Presence::Given;
    c.inputs[input::B].values = B;
    return c;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_touched(with_bias(Operator::LSTM, 1000), {});
  expect_touched(with_bias(Operator::LSTM, infinity), {AbsentInitialC});
  expect_touched(with_bias(Operator::LSTM, -std::numeric_limits<double>::quiet_NaN()), {AbsentInitialC});
  expect_touched(with_bias(Operator::LSTM, 1e38), {AbsentInitialC});
  expect_touched(with_bias(Operator::DynamicQuantizeLSTM, infinity), {DqGranularity, AbsentInitialC});
  Case c = with_bias(Operator::LSTM, infinity);
  c.inputs[input::initial_c].presence = Presence::Given;
  expect_touched(c, {});
  // A parameter lets the function grow out of the type's numbers.
  c = with_bias(Operator::LSTM, 1e30);
  expect_touched(c, {});
  c.attributes.activations = {"Affine", "Tanh", "Tanh"};
  c.attributes.activation_alpha = {1e9F};
  c.attributes.activation_beta = {0.0F};
  expect_touched(c, {AbsentInitialC});
}

TEST(ClausesTouched, ByVersionsBefore7) {
  Case c = plain_case({Operator::RNN, 1}, ElementType::Float, 4, 3, 2, 5);
  expect_touched(c, {OutputSequence});
  c.attributes.output_sequence = 1;
  expect_touched(c, {});
  c.outputs = {Presence::Given, Presence::Empty};
  expect_touched(c, {EmptyNameBefore7});
}

TEST(ClausesTouched, ByDynamicQuantisation) {
  Case c = plain(Operator::DynamicQuantizeLSTM);
  c.outputs = {Presence::Empty, Presence::Given};
  expect_touched(with_lengths(c, {4, 4, 4}), {DqGranularity});
  expect_touched(with_lengths(c, {4, 2, 4}), {DqGranularity, DqFinishedRows});
  Tensor zero_points(ElementType::UInt8, {1, 20});
  zero_points.set_value(7, 3);
  c.inputs[input::R_zero_point].values = zero_points;
  expect_touched(c, {DqGranularity, DqZeroPoint});
}

}  // namespace
}  // namespace cellproof
