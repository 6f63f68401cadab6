// Every seeded fault is found, and where one element alone is wrong, that element is named.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/decide.hpp"
#include "oracle/search.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::Fault;
using testing::judge;
using testing::Style;

struct Seeded {
  const char* name;
  Operator op;
  Fault fault;
  void (*change)(Case&);
  bool resembles_low_precision = false;  ///< so small that a wider contract may explain it, too
};

const Seeded seeded[] = {
    {"GatesSwapped", Operator::LSTM, Fault::GatesSwapped, nullptr},
    {"PeepholeUsesOldCell", Operator::LSTM, Fault::PeepholeUsesOldCell, nullptr},
    {"LstmRecurrentBiasDropped", Operator::LSTM, Fault::RecurrentBiasDropped, nullptr},
    {"LstmTanhOff", Operator::LSTM, Fault::TanhOff, nullptr, true},
    {"InitialCellIgnored", Operator::LSTM, Fault::InitialCellIgnored, nullptr},
    {"CellStoredIn16Bits", Operator::LSTM, Fault::CellStoredIn16Bits, nullptr, true},
    {"LstmLastColumnDropped", Operator::LSTM, Fault::LastColumnDropped, nullptr},
    {"LstmBiasTwice", Operator::LSTM, Fault::BiasTwice, nullptr},
    {"LstmClipIgnored", Operator::LSTM, Fault::ClipIgnored, [](Case& c) { c.attributes.clip = 0.25F; }},
    {"ResetFlipped", Operator::GRU, Fault::ResetFlipped, nullptr},
    {"UpdateGateInverted", Operator::GRU, Fault::UpdateGateInverted, nullptr},
    {"GruRecurrentBiasDropped", Operator::GRU, Fault::RecurrentBiasDropped, nullptr},
    {"GruTanhOff", Operator::GRU, Fault::TanhOff, nullptr, true},
    {"GruLastColumnDropped", Operator::GRU, Fault::LastColumnDropped, nullptr},
    {"GruClipIgnored", Operator::GRU, Fault::ClipIgnored, [](Case& c) { c.attributes.clip = 0.25F; }},
    {"RnnTanhOff", Operator::RNN, Fault::TanhOff, nullptr, true},
    {"RnnRecurrentBiasDropped", Operator::RNN, Fault::RecurrentBiasDropped, nullptr},
    {"RnnLengthOneShort", Operator::RNN, Fault::LengthOneShort,
     [](Case& c) {
       testing::give_lengths(c, {5, 3, 4});
     }},
    {"LstmReverseLengthOneShort", Operator::LSTM, Fault::LengthOneShort,
     [](Case& c) {
       testing::give_lengths(c, {5, 3, 4});
       c.attributes.direction = "reverse";
     }},
};

class SeededFault : public ::testing::TestWithParam<Seeded> {};

TEST_P(SeededFault, IsProved) {
  const Problem problem = testing::some_problem(GetParam().op, ElementType::Float, [](Case& c) {
    if (GetParam().change) GetParam().change(c);
  });
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = testing::compute(problem, {}, GetParam().fault);
  EXPECT_EQ(judge(problem, outcome.outputs, {}).verdict, Verdict::Diverges);
  const Judgement judgement = decide(problem, {}, {outcome});
  if (!GetParam().resembles_low_precision) {
    EXPECT_EQ(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
  }
  EXPECT_FALSE(passes_gate(outcome, judgement, std::nullopt));
  ASSERT_TRUE(judgement.first);
  EXPECT_FALSE(sentence_of(judgement).empty());
  EXPECT_FALSE(judgement.series.empty());
  outcome.outputs = testing::compute(problem);
  EXPECT_EQ(decide(problem, {}, {outcome}).verdict, Verdict::Conforms);
}

INSTANTIATE_TEST_SUITE_P(Every, SeededFault, ::testing::ValuesIn(seeded),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

class OneElement : public ::testing::TestWithParam<Operator> {};

TEST_P(OneElement, AlteredByOneTenThousandthIsNamed) {
  const Problem problem = testing::some_problem(GetParam(), ElementType::Float, [](Case& c) {
    c.attributes.direction = "bidirectional";
    testing::give_lengths(c, {5, 4, 5});
  });
  auto outputs = testing::compute(problem);
  Tensor& Y = *outputs[output::Y];
  const std::size_t offset = Y.offset({2, 1, 1, 3});  // the reverse direction's second step of row 1
  Y.set_value(offset, Y.value(offset) * (1 + 1e-4));
  const Judgement judgement = judge(problem, outputs, {});
  ASSERT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_EQ(judgement.kind, ViolationKind::Value);
  EXPECT_EQ(judgement.first->output, output::Y);
  EXPECT_EQ(judgement.first->index, (std::vector<std::int64_t>{2, 1, 1, 3}));
  EXPECT_EQ(judgement.first->step, 2);
  EXPECT_EQ(judgement.first->direction, Direction::Reverse);
  EXPECT_FALSE(judgement.first->gates.empty());
  EXPECT_GT(*judgement.first->error, *judgement.first->bound);
}

INSTANTIATE_TEST_SUITE_P(EveryOperator, OneElement, ::testing::Values(Operator::LSTM, Operator::GRU, Operator::RNN),
                         [](const auto& parameter) { return std::string(name(parameter.param)); });

/// The bound of an element, found by making it grossly wrong; moving it to either side of that bound must decide.
TEST(Bound, SeparatesJustInsideFromJustOutside) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const ElementType type :
         {ElementType::Float, ElementType::Float16, ElementType::BFloat16, ElementType::Double}) {
      const Problem problem = testing::some_problem(op, type, [](Case& c) { c.T = 1; });
      Style style;
      if (type == ElementType::Double) style.sums = style.elements = type;
      auto outputs = testing::compute(problem, style);
      outputs[output::Y_h].reset();
      Problem only_y = problem;
      only_y.outputs = {Presence::Given};
      outputs.resize(1);
      const Hypothesis hypothesis{Readings{}, default_contract(type)};
      Tensor& Y = *outputs[output::Y];
      const double honest = Y.value(4);
      Y.set_value(4, honest + 0.25);
      const Judgement far = judge(only_y, outputs, hypothesis);
      ASSERT_EQ(far.verdict, Verdict::Diverges);
      const double bound = *far.first->bound;
      const double ulp = 4 * float_format(type).unit_roundoff * std::max(std::abs(honest), bound);
      Y.set_value(4, honest + bound + 2 * ulp);
      EXPECT_NE(judge(only_y, outputs, hypothesis).verdict, Verdict::Conforms) << name(op) << " " << onnx_name(type);
      Y.set_value(4, honest + std::max(0.0, bound - 2 * ulp));
      EXPECT_EQ(judge(only_y, outputs, hypothesis).verdict, Verdict::Conforms) << name(op) << " " << onnx_name(type);
    }
  }
}

TEST(Tf32, IsNamedAndFailsUnlessDeclared) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = testing::some_problem(op, ElementType::Float, [](Case& c) { c.I = c.H = 16; });
    Style style;
    style.operand_bits = 11;
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = testing::compute(problem, style);
    const Judgement judgement = decide(problem, {}, {outcome});
    EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
    EXPECT_EQ(judgement.contract, ContractId::Tf32);
    EXPECT_FALSE(passes_gate(outcome, judgement, std::nullopt));
    EXPECT_TRUE(passes_gate(outcome, judgement, ContractId::Tf32));
  }
}

/// TF32 would allow such a step anywhere, but then nearly every element would be off.
TEST(OneDamagedElement, IsNoMatterOfPrecision) {
  struct {
    ElementType type;
    double share;
    ContractId wide;
  } const rows[] = {{ElementType::Float, 1e-4, ContractId::Tf32}, {ElementType::Double, 1e-8, ContractId::F64ViaF32}};
  for (const auto& [type, share, wide] : rows) {
    for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
      const Problem problem = testing::some_problem(op, type);
      Outcome outcome;
      outcome.kind = OutcomeKind::Ran;
      Style style;
      style.sums = style.elements = type;
      outcome.outputs = testing::compute(problem, style);
      Tensor& Y = *outcome.outputs[output::Y];  // [5, 1, 3, 6]
      const std::vector<std::int64_t> index = {2, 0, 1, 4};
      const std::size_t place = Y.offset({2, 0, 1, 4});
      Y.set_value(place, Y.value(place) * (1 + share));
      const Judgement judgement = decide(problem, {}, {outcome});
      EXPECT_EQ(judgement.verdict, Verdict::Diverges)
          << name(op) << " " << onnx_name(type) << " " << sentence_of(judgement);
      ASSERT_TRUE(judgement.first) << name(op);
      EXPECT_EQ(judgement.first->index, index) << name(op);
      EXPECT_EQ(judgement.first->step, 2) << name(op);
      EXPECT_EQ(verdict_on(problem, {outcome}), Verdict::Diverges) << name(op);
      Knowledge declares;
      declares.declared = wide;
      EXPECT_EQ(decide(problem, {}, {outcome}, declares).verdict, Verdict::Precision) << "it says that it computes so";
    }
  }
}

TEST(Contracts, EveryMinimalOneThatHoldsIsReported) {
  // A factor of eleven bits is one of TF32, and of binary16 where none leaves its range.
  const Problem problem = testing::some_problem(Operator::RNN);
  Style style;
  style.operand_bits = 11;
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = testing::compute(problem, style);
  const Judgement judgement = decide(problem, {}, {outcome});
  EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
  EXPECT_NE(sentence_of(judgement).find("looks like tf32 or f32-by-f16"), std::string::npos) << sentence_of(judgement);
}

ContractId contract_that_explains(const Problem& problem, const Style& style) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = testing::compute(problem, style);
  const Judgement judgement = decide(problem, {}, {outcome});
  EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
  return judgement.contract;
}

TEST(SixteenBits, NarrowArithmeticIsNamed) {
  const Problem lstm = testing::some_problem(Operator::LSTM, ElementType::Float16);
  const Problem rnn = testing::some_problem(Operator::RNN, ElementType::Float16, [](Case& c) { c.I = c.H = 200; });
  Style style;
  style.stored = true;
  EXPECT_EQ(contract_that_explains(lstm, style), ContractId::F32InsideStored);
  style.elements = style.sums = ElementType::Float16;
  EXPECT_EQ(contract_that_explains(rnn, style), ContractId::Accumulate16);
}

TEST(DoubleTensors, ComputedInFloatAreNamed) {
  const Problem problem = testing::some_problem(Operator::GRU, ElementType::Double);
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  Style style;
  style.operand_bits = 24;
  outcome.outputs = testing::compute(problem, style);
  const Judgement judgement = decide(problem, {}, {outcome});
  EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
  EXPECT_EQ(judgement.contract, ContractId::F64ViaF32);
}

}  // namespace
}  // namespace cellproof::oracle
