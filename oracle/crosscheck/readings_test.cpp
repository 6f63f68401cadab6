// An engine that follows another admissible reading is told which one, by name.
#include <gtest/gtest.h>

#include <limits>

#include "oracle/decide.hpp"
#include "oracle/search.hpp"
#include "oracle/testing/problems.hpp"
#include "reference/reference.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

struct ReadAs {
  const char* label;
  Clause clause;
  const char* reading;
  Operator op;
  void (*change)(Case&);
  ElementType type = ElementType::Float;
};

void activations(Case& c, std::vector<std::string> names, std::vector<float> alpha, std::vector<float> beta) {
  c.attributes.activations = std::move(names);
  if (!alpha.empty()) c.attributes.activation_alpha = std::move(alpha);
  if (!beta.empty()) c.attributes.activation_beta = std::move(beta);
}

void short_rows(Case& c) {
  testing::give_lengths(c, {5, 2, 3});
}

void small_clip(Case& c) {
  c.attributes.clip = 0.25F;
}

void coupled(Case& c) {
  c.attributes.input_forget = 1;
}

void zero_bidirectional(Case& c) {
  c.attributes.direction = "bidirectional";
  activations(c, {"Affine", "Relu", "Affine", "LeakyRelu", "Affine", "Tanh"}, {0.5F, 0.25F, 0.125F, 0.75F},
              {0.1F, 0.2F, 0.3F});
}

/// One step from no cell; one unit's forget gate is infinite.
void infinite_forget_gate(Case& c) {
  c.T = 1;
  c.inputs[input::initial_c].presence = Presence::Empty;
  activations(c, {"Relu", "Tanh", "Tanh"}, {}, {});
  Tensor B = *make_problem(c).input(input::B);
  B.set_value(static_cast<std::size_t>(2 * c.H), std::numeric_limits<double>::infinity());
  c.inputs[input::B].values = B;
}

/// Without initial states, whose shapes are those of one layout only.
void other_layout(Case& c) {
  c.attributes.layout = 2;
  c.inputs[input::initial_h].presence = Presence::Empty;
  if (has_cell_state(c.version.op)) c.inputs[input::initial_c].presence = Presence::Empty;
}

const ReadAs read_as[] = {
    {"ClipGates", Clause::ClipScope, "gates", Operator::LSTM, small_clip},
    {"ClipCell", Clause::ClipScope, "gates+cell", Operator::LSTM, small_clip},
    {"ClipZeroOff", Clause::ClipZero, "off", Operator::GRU, [](Case& c) { c.attributes.clip = 0.0F; }},
    {"InputIsOneMinusForget", Clause::InputForget, "i=1-f", Operator::LSTM, coupled},
    {"AlphaPositional", Clause::AlphaConsumption, "positional", Operator::LSTM,
     [](Case& c) {
       activations(c, {"Sigmoid", "Affine", "Elu"}, {0.5F, 0.25F, 0.75F}, {0.1F, 0.2F});
     }},
    {"AlphaRestart", Clause::AlphaAcrossDirections, "restart", Operator::LSTM, zero_bidirectional},
    {"DefaultsZero", Clause::DefaultsAffineScaledTanh, "zero", Operator::RNN,
     [](Case& c) { activations(c, {"ScaledTanh"}, {}, {}); }},
    {"ThresholdGreater", Clause::ThresholdedReluEquality, "gt", Operator::RNN,
     [](Case& c) {
       c.attributes.clip = 0.25F;  // many pre-activations are exactly the threshold
       activations(c, {"ThresholdedRelu"}, {0.25F}, {});
     }},
    {"PaddingCarried", Clause::PaddingOfY, "carry", Operator::GRU, short_rows},
    {"ZeroLengthZero", Clause::ZeroLengthState, "zero", Operator::LSTM,
     [](Case& c) {
       testing::give_lengths(c, {5, 0, 3});
     }},
    {"EmptySequenceZero", Clause::EmptySequenceState, "zero", Operator::RNN, [](Case& c) { c.T = 0; }},
    {"LinearOnlyOne", Clause::LinearBeforeResetOther, "only-one", Operator::GRU,
     [](Case& c) { c.attributes.linear_before_reset = 2; }},
    {"AbsentCellSkipped", Clause::AbsentInitialC, "skipped", Operator::LSTM, infinite_forget_gate},
    {"AbsentCellSkippedByQuantised", Clause::AbsentInitialC, "skipped", Operator::DynamicQuantizeLSTM,
     infinite_forget_gate},
    {"OtherLayoutIs0", Clause::LayoutOther, "only-one", Operator::GRU, other_layout},
    {"OtherLayoutIs0OfEqualShapes", Clause::LayoutOther, "only-one", Operator::LSTM,
     [](Case& c) {
       other_layout(c);
       c.N = c.T;
       c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
     }},
    {"DoubleDefaults", Clause::DefaultParametersInDouble, "double", Operator::RNN,
     [](Case& c) { activations(c, {"HardSigmoid"}, {}, {}); }, ElementType::Double},
};

class Reading : public ::testing::TestWithParam<ReadAs> {};

Outcome ran(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

TEST_P(Reading, IsRecognisedByName) {
  const ReadAs& p = GetParam();
  const Problem problem = testing::some_problem(p.op, p.type, p.change);
  const Readings readings = Readings{}.with(p.clause, p.reading);
  ASSERT_NE(reference::run(problem), reference::run(problem, readings)) << "the case does not show the difference";
  EXPECT_EQ(decide(problem, {}, {ran(reference::run(problem))}).verdict, Verdict::Conforms);
  const Judgement judgement = decide(problem, {}, {ran(reference::run(problem, readings))});
  EXPECT_EQ(judgement.verdict, Verdict::Reading) << sentence_of(judgement);
  EXPECT_EQ(judgement.readings, readings);
}

INSTANTIATE_TEST_SUITE_P(Other, Reading, ::testing::ValuesIn(read_as),
                         [](const auto& parameter) { return std::string(parameter.param.label); });

TEST(Readings, AreFoundTogether) {
  const Problem problem = testing::some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    small_clip(c);
    coupled(c);
    testing::give_lengths(c, {5, 0, 2});
  });
  const cellproof::Readings readings = cellproof::Readings{}
                                           .with(Clause::ClipScope, "gates")
                                           .with(Clause::PaddingOfY, "carry")
                                           .with(Clause::ZeroLengthState, "zero");
  const Judgement judgement = decide(problem, {}, {ran(reference::run(problem, readings))});
  EXPECT_EQ(judgement.verdict, Verdict::Reading) << sentence_of(judgement);
  EXPECT_EQ(judgement.readings, readings);
}

/// Clauses enough that their combinations are too many to try each, and three unusual readings among them.
TEST(Readings, AreFoundAmongMoreCombinationsThanAreTried) {
  const Problem problem = testing::some_problem(Operator::LSTM, ElementType::Double, [](Case& c) {
    small_clip(c);
    coupled(c);
    c.attributes.direction = "bidirectional";
    activations(c, {"Affine", "ThresholdedRelu", "HardSigmoid", "LeakyRelu", "ScaledTanh", "Tanh"}, {0.5F, 0.25F}, {});
    testing::give_lengths(c, {5, 0, 2});
  });
  const cellproof::Readings unusual = cellproof::Readings{}
                                          .with(Clause::ClipScope, "gates+cell")
                                          .with(Clause::PaddingOfY, "carry")
                                          .with(Clause::InputForget, "i=1-f");
  const Outcome outcome = ran(reference::run(problem, unusual));
  Knowledge engine;
  const Judgement unknown = decide(problem, {}, {outcome}, engine);
  EXPECT_EQ(unknown.verdict, Verdict::Reading) << sentence_of(unknown);
  EXPECT_EQ(unknown.readings, unusual);
  engine.proved = unusual;
  const Judgement known = decide(problem, {}, {outcome}, engine);
  EXPECT_EQ(known.verdict, Verdict::Reading) << sentence_of(known);
  EXPECT_EQ(known.readings, unusual);
  // Two of them are enough to find the third.
  engine.proved = unusual.with(Clause::InputForget, "f=1-i");
  EXPECT_EQ(decide(problem, {}, {outcome}, engine).verdict, Verdict::Reading);
  EXPECT_EQ(search(Observed(problem, outcome.outputs), engine, {}, Depth::Verdict).verdict, Verdict::Reading);
}

TEST(Readings, ThatAreProvedAreNamedBeforeOthersThatExplainAsMuch) {
  const Problem problem = testing::some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    small_clip(c);
    c.attributes.activations = {"Sigmoid", "Tanh", "Relu"};
  });
  const ReadingChoices choices = reading_choices(problem, cellproof::Readings{}.with(Clause::ClipScope, "gates+cell"));
  ASSERT_FALSE(choices.candidates.empty());
  EXPECT_EQ(choices.candidates.front().differences(), (std::vector<std::string>{"clip-scope=gates+cell"}));
  EXPECT_EQ(reading_choices(problem, {}).candidates.front().differences(),
            (std::vector<std::string>{"clip-scope=gates"}));
}

TEST(OtherLayout, GoesWithOtherReadings) {
  const Problem problem = testing::some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    other_layout(c);
    coupled(c);
  });
  const auto readings = cellproof::Readings{}.with(Clause::LayoutOther, "only-one").with(Clause::InputForget, "i=1-f");
  const Judgement judgement = decide(problem, {}, {ran(reference::run(problem, readings))});
  EXPECT_EQ(judgement.verdict, Verdict::Reading) << sentence_of(judgement);
  EXPECT_EQ(judgement.readings, readings);
}

TEST(OtherLayout, ExcusesNoWrongValueOrShape) {
  const Problem problem = testing::some_problem(Operator::GRU, ElementType::Float, other_layout);
  Outputs outputs = reference::run(problem, cellproof::Readings{}.with(Clause::LayoutOther, "only-one"));
  outputs[output::Y]->set_value(3, 0.75);
  EXPECT_EQ(decide(problem, {}, {ran(outputs)}).verdict, Verdict::Diverges);
  outputs[output::Y] = Tensor(ElementType::Float, {5, 1, 4, 6});
  EXPECT_EQ(decide(problem, {}, {ran(outputs)}).verdict, Verdict::Diverges);
}

TEST(OtherLayout, IsNotReadAs0WhereInitialStatesDoNotFit) {
  const Problem problem =
      testing::some_problem(Operator::GRU, ElementType::Float, [](Case& c) { c.attributes.layout = 2; });
  const auto readings = cellproof::Readings{}.with(Clause::LayoutOther, "only-one");
  EXPECT_THROW(reference::run(problem, readings), std::invalid_argument);
  const Outputs outputs = reference::run(problem);
  EXPECT_TRUE(evaluate(Observed(problem, outputs), {readings, ContractId::F32}, Depth::SurelyExcluded).excluded());
}

TEST(ForgetWeights, UsedIsTheSameNumbersAsTheForgetGateLeading) {
  const Problem problem = testing::some_problem(Operator::LSTM, ElementType::Float, coupled);
  const auto outputs = reference::run(problem, cellproof::Readings{}.with(Clause::InputForgetWeights, "used"));
  const Judgement judgement = decide(problem, {}, {ran(outputs)});
  EXPECT_EQ(judgement.verdict, Verdict::Reading) << sentence_of(judgement);
}

}  // namespace
}  // namespace cellproof::oracle
