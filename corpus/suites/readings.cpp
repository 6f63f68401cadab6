#include "spec/readings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/readings_parts.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "corpus/suites/suites.hpp"
#include "spec/axes.hpp"

namespace cellproof::corpus::catalogue {
namespace {

using Versions = std::vector<OperatorVersion>;

const OperatorVersion lstm = newest(Operator::LSTM);
const OperatorVersion gru = newest(Operator::GRU);
const OperatorVersion rnn = newest(Operator::RNN);
const OperatorVersion quantized{Operator::DynamicQuantizeLSTM, 1};
const Versions every_operator{lstm, gru, rnn, quantized};
const Versions float_operators{lstm, gru, rnn};
const Versions with_cell_state{lstm, quantized};
const Versions first_versions{{Operator::LSTM, 1}, {Operator::GRU, 1}, {Operator::GRU, 3}, {Operator::RNN, 1}};

/// A clause, and the axis values that make it the plain case's only open question, or nearly so.
struct Question {
  Clause clause;
  Versions versions;
  Choices choices;
};

/// Questions that axis values can ask. A clause whose answer needs chosen numbers is asked in readings_numbers.cpp.
const std::vector<Question>& questions() {
  using enum Clause;
  static const std::vector<Question> list{
      {ClipScope, with_cell_state, {{"clip", "biting"}, {"input.B", "initializer"}}},
      {ClipZero, every_operator, {{"clip", "zero"}}},
      {InputForget, with_cell_state, {{"input_forget", "1"}, {"input.B", "initializer"}, {"input.P", "initializer"}}},
      {AlphaConsumption,
       {lstm, quantized},
       {{"activation.g", "LeakyRelu"}, {"activation.h", "Elu"}, {"alpha", "given"}}},
      {AlphaConsumption, {gru}, {{"activation.g", "LeakyRelu"}, {"alpha", "given"}}},
      {AlphaListLength, every_operator, {{"alpha", "short"}}},
      {AlphaListLength, every_operator, {{"activation.f", "HardSigmoid"}, {"alpha", "long"}}},
      {AlphaAcrossDirections,
       every_operator,
       {{"direction", "bidirectional"},
        {"activation.f", "LeakyRelu"},
        {"activation.f.backward", "LeakyRelu"},
        {"alpha", "given"}}},
      {DefaultsAffineScaledTanh, {lstm, quantized}, {{"activation.g", "Affine"}, {"activation.h", "ScaledTanh"}}},
      {DefaultsAffineScaledTanh, {gru}, {{"activation.g", "Affine"}}},
      {DefaultsAffineScaledTanh, {gru}, {{"activation.g", "ScaledTanh"}}},
      {DefaultsAffineScaledTanh, {rnn}, {{"activation.f", "Affine"}}},
      {DefaultsAffineScaledTanh, {rnn}, {{"activation.f", "ScaledTanh"}}},
      {DefaultThresholdedRelu, {lstm, gru, quantized}, {{"activation.g", "ThresholdedRelu"}}},
      {DefaultThresholdedRelu, {rnn}, {{"activation.f", "ThresholdedRelu"}}},
      {ActivationNameCase, every_operator, {{"activations", "lower-case"}}},
      {ActivationCount, {rnn}, {{"activations", "two-names"}}},
      {PaddingOfY, every_operator, {{"lengths", "ragged"}}},
      {ZeroLengthState,
       every_operator,
       {{"lengths", "with-zero"}, {"input.initial_h", "graph"}, {"input.initial_c", "graph"}}},
      {ReverseStartsAtLength, every_operator, {{"direction", "reverse"}, {"lengths", "ragged"}}},
      {ReverseOutputOrder, every_operator, {{"direction", "reverse"}}},
      {ReverseOutputOrder, every_operator, {{"direction", "bidirectional"}}},
      {HiddenSizeAbsent, every_operator, {{"hidden_size", "absent"}}},
      {Gru1DirectionDefault, {{Operator::GRU, 1}}, {}},
      {RTransposed, first_versions, {}},
      {OutputSequence, first_versions, {{"output_sequence", "0"}}},
      {GruParenthesis, {{Operator::GRU, 3}}, {{"linear_before_reset", "1"}, {"input.B", "initializer"}}},
      {LinearBeforeResetOther, {gru}, {{"linear_before_reset", "2"}, {"input.B", "initializer"}}},
      {LayoutOther, float_operators, {{"layout", "2"}}},
      {EmptySequenceState, every_operator, {{"T", "0"}, {"input.initial_h", "graph"}, {"input.initial_c", "graph"}}},
      {AnyOutputSubset, every_operator, {{"outputs", "Y"}}},
      {AnyOutputSubset, every_operator, {{"outputs", "Y_h"}}},
      {AnyOutputSubset, with_cell_state, {{"outputs", "Y_c"}}},
      {DqGranularity, {quantized}, {}},
      {DqAxis, {quantized}, {{"columns.W_scale", "per-column"}, {"columns.R_scale", "per-column"}}},
      {AbsentIsZero, every_operator, {}},
      {DefaultParametersInDouble, {lstm, gru}, {{"type", "double"}, {"activation.f", "HardSigmoid"}}},
      {DefaultParametersInDouble, {rnn}, {{"type", "double"}, {"activation.f", "HardSigmoid"}}},
      {DqFinishedRows, {quantized}, {{"lengths", "ragged"}}},
      {EmptyNameBefore7, first_versions, {{"input.B", "empty"}}},
  };
  return list;
}

}  // namespace

/// Each case is built to decide one clause for one operator from outside: the readings of that clause, and of others
/// that it cannot help touching, lead to results that the default contract of the type keeps apart. Tests ask
/// engines that give each answer (campaign/fingerprint_test.cpp).
std::vector<SuiteCase> readings() {
  std::vector<SuiteCase> result;
  const auto add = [&](Clause clause, const std::string& how, Case c) {
    result.push_back({fmt::format("{}/{}/{}", to_string(c.version), info(clause).id, how), std::move(c), "", clause});
  };
  for (const Question& question : questions()) {
    for (const OperatorVersion version : question.versions) {
      const std::string how = question.choices.empty() ? "plain" : to_string(question.choices);
      add(question.clause, how, chosen(basis(version), question.choices));
    }
  }
  for (const OperatorVersion version : every_operator) {
    for (NumberedQuestion& question : questions_with_numbers(version))
      add(question.clause, question.how, std::move(question.c));
  }
  std::ranges::stable_sort(result, {}, &SuiteCase::clause);
  return result;
}

}  // namespace cellproof::corpus::catalogue
