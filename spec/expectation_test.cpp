#include "spec/expectation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "spec/rules/rules.hpp"

namespace cellproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = Expectation::Kind;

constexpr OperatorVersion lstm_22 = {Operator::LSTM, 22};
constexpr OperatorVersion dynamic_quantize = {Operator::DynamicQuantizeLSTM, 1};

/// Sizes that differ from each other and from every number of directions and gates.
Case plain_of(OperatorVersion version, ElementType type = ElementType::Float) {
  Case c = plain_case(version, type, 7, 6, 9, 5);
  // Before opset 7 asking for Y is undisputed only with output_sequence set.
  if (version.since_version < 7 && version.op != Operator::DynamicQuantizeLSTM) c.attributes.output_sequence = 1;
  return c;
}

Expectation of(const Case& c) {
  return expectation_of(make_problem(c));
}

/// Every optional input given, and what a bidirectional node with layout 1 needs.
Case rich(OperatorVersion version, ElementType type, std::string direction, bool layout1) {
  Case c = plain_of(version, type);
  for (CaseInput& in : c.inputs) in.presence = Presence::Given;
  c.attributes.direction = std::move(direction);
  if (layout1) c.attributes.layout = 1;
  return c;
}

TEST(Expectation, AcceptsEveryPlainAndEveryRichCase) {
  for (const OperatorVersion& version : all_operator_versions()) {
    const OperatorRules& rules = rules_of(version);
    for (const ElementType type : rules.type("T")->allowed) {
      EXPECT_EQ(of(plain_of(version, type)).kind, Kind::Accept) << to_string(version);
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (const bool layout1 : {false, true}) {
          if (layout1 && rules.attribute("layout") == nullptr) continue;
          const Expectation expectation = of(rich(version, type, direction, layout1));
          EXPECT_EQ(expectation.kind, Kind::Accept)
              << to_string(version) << " " << direction
              << (expectation.violations.empty() ? "" : expectation.violations[0].message);
        }
      }
    }
  }
}

TEST(Expectation, HasNames) {
  EXPECT_EQ(name(Kind::Accept), "ACCEPT");
  EXPECT_EQ(name(Kind::Refuse), "REFUSE");
  EXPECT_EQ(name(Kind::Either), "EITHER");
}

TEST(Expectation, SaysWhatWhereAndWhatWasExpected) {
  Case c = plain_of({Operator::LSTM, 7});
  c.attributes.layout = 0;
  c.inputs[input::B].presence = Presence::Given;
  c.inputs[input::B].shape = Shape{1, 4};
  const Expectation expectation = of(c);
  ASSERT_EQ(expectation.violations.size(), 2U);
  EXPECT_EQ(expectation.violations[0].clause, "LSTM-7, attributes");
  EXPECT_THAT(expectation.violations[0].message, HasSubstr("attribute layout is unknown to LSTM-7"));
  EXPECT_EQ(expectation.violations[1].clause, "LSTM-7, input B");
  EXPECT_EQ(expectation.violations[1].message, "input B has shape [1,4], expected [D,8H] = [1,40]");
  EXPECT_THAT(expectation.clauses, IsEmpty());
}

TEST(Expectation, BlamesOneInputForOneWrongType) {
  Case c = rich({Operator::LSTM, 14}, ElementType::BFloat16, "forward", false);
  EXPECT_THAT(of(c).violations, ElementsAre(::testing::Field(&Violation::rule, "type-of-X")));
}

TEST(Expectation, BlamesHiddenSizeOnlyWhereBothWeightsSpeakAgainstIt) {
  Case c = plain_of(lstm_22);
  c.inputs[input::R].shape = Shape{1, 24, 6};
  EXPECT_THAT(of(c).violations, ElementsAre(::testing::Field(&Violation::rule, "shape-of-R")));
  c = plain_of(lstm_22);
  c.inputs[input::W].shape = Shape{1, 24, 9};
  EXPECT_THAT(of(c).violations, ElementsAre(::testing::Field(&Violation::rule, "shape-of-W")));
  c = plain_of(lstm_22);
  c.attributes.hidden_size = 6;
  EXPECT_THAT(of(c).violations, ElementsAre(::testing::Field(&Violation::rule, "hidden-size-mismatch")));
}

/// The clauses that leave refusing open.
void expect_either(const Case& c, std::vector<Clause> clauses) {
  const Expectation expectation = of(c);
  EXPECT_EQ(expectation.kind, clauses.empty() ? Kind::Accept : Kind::Either);
  EXPECT_THAT(expectation.violations, IsEmpty());
  EXPECT_EQ(expectation.clauses, clauses);
}

TEST(Either, HiddenSizeAbsent) {
  Case c = plain_of(lstm_22);
  c.attributes.hidden_size.reset();
  expect_either(c, {Clause::HiddenSizeAbsent});
}

TEST(Either, LayoutOther) {
  Case c = plain_of(lstm_22);
  c.attributes.layout = 2;
  expect_either(c, {Clause::LayoutOther});
  c.attributes.layout = 1;
  expect_either(c, {});
}

TEST(Either, LinearBeforeResetOther) {
  Case c = plain_of({Operator::GRU, 22});
  c.attributes.linear_before_reset = 1;
  expect_either(c, {});
  c.attributes.linear_before_reset = -1;
  expect_either(c, {Clause::LinearBeforeResetOther});
}

TEST(Either, ActivationNameCase) {
  Case c = plain_of({Operator::GRU, 22});
  c.attributes.activations = {"sigmoid", "Tanh"};
  expect_either(c, {Clause::ActivationNameCase});
}

TEST(Either, ActivationCountForTheDefaultListOfTheRnn) {
  Case c = plain_of({Operator::RNN, 22});
  c.attributes.activations = {"Tanh", "Tanh"};
  expect_either(c, {Clause::ActivationCount});
  c.attributes.direction = "bidirectional";
  expect_either(c, {});
  c.attributes.direction = "reverse";
  c.attributes.activations = {"Relu", "Relu"};
  EXPECT_THAT(of(c).violations, ElementsAre(::testing::Field(&Violation::rule, "activation-count")));
}

TEST(Either, ClipZero) {
  Case c = plain_of(lstm_22);
  for (const float zero : {0.0F, -0.0F}) {
    c.attributes.clip = zero;
    expect_either(c, {Clause::ClipZero});
  }
  c.attributes.clip = std::numeric_limits<float>::infinity();
  expect_either(c, {});
}

TEST(Either, AlphaListLength) {
  Case c = plain_of(lstm_22);
  c.attributes.activations = {"LeakyRelu", "Elu", "Tanh"};
  c.attributes.activation_alpha = {0.1F, 0.2F};
  expect_either(c, {});
  c.attributes.activation_alpha = {0.1F};
  expect_either(c, {Clause::AlphaListLength});
  c.attributes.activation_alpha = {0.1F, 0.2F, 0.3F};
  expect_either(c, {Clause::AlphaListLength});
  c.attributes.activation_alpha.reset();
  expect_either(c, {});
  c.attributes.activation_beta = std::vector<float>{};
  expect_either(c, {});
  c.attributes.activation_beta = {0.5F};
  expect_either(c, {Clause::AlphaListLength});
}

TEST(Either, DefaultsOfAffineAndScaledTanh) {
  Case c = plain_of({Operator::RNN, 22});
  c.attributes.activations = {"Affine"};
  expect_either(c, {Clause::DefaultsAffineScaledTanh});
  c.attributes.activation_alpha = {0.5F};
  expect_either(c, {Clause::DefaultsAffineScaledTanh});
  c.attributes.activation_beta = {0.5F};
  expect_either(c, {});
}

TEST(Either, EmptySequenceAndBatch) {
  Case c = plain_of(lstm_22);
  c.T = 0;
  expect_either(c, {Clause::EmptySequenceState});
  c.T = 7;
  c.N = 0;
  expect_either(c, {Clause::EmptySequenceState});
}

TEST(Either, EmptyNameBefore7) {
  for (const int version : {1, 7}) {
    Case c = plain_of({Operator::RNN, version});
    const std::vector<Clause> clauses = version < 7 ? std::vector{Clause::EmptyNameBefore7} : std::vector<Clause>{};
    c.inputs[input::B].presence = Presence::Empty;
    expect_either(c, clauses);
    c.inputs[input::B].presence = Presence::Absent;
    expect_either(c, {});
    c.inputs[input::initial_h].presence = Presence::Given;  // B and sequence_lens have to be "" now
    expect_either(c, clauses);
  }
}

TEST(Either, OutputSequence) {
  Case c = plain_of({Operator::LSTM, 1});
  expect_either(c, {});
  c.attributes.output_sequence.reset();
  expect_either(c, {Clause::OutputSequence});
  c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  expect_either(c, {Clause::EmptyNameBefore7});
  c.attributes.output_sequence = 1;
  expect_either(c, {Clause::OutputSequence, Clause::EmptyNameBefore7});
}

TEST(Either, ZeroPointsThatDifferByColumn) {
  Case c = plain_of(dynamic_quantize);
  c.inputs[input::W_zero_point].shape = Shape{1, 20};
  Tensor same(ElementType::UInt8, {1, 20});
  c.inputs[input::W_zero_point].values = same;
  expect_either(c, {});
  same.set_value(3, 1);
  c.inputs[input::W_zero_point].values = same;
  expect_either(c, {Clause::DqZeroPoint});
}

/// Nothing that a problem can hold makes the rules throw.
TEST(Expectation, SurvivesHostileProblems) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t wide = std::int64_t{1} << 40;  // as large as a tensor's dimension can be
  const std::vector<Shape> shapes = {{},        {0},          {wide, 0},       {0, wide, 1},
                                     {1, 1, 0}, {1, 0, wide}, {0, 0, 0, 0, 0}, {1, 1, 1}};
  for (const OperatorVersion& version : all_operator_versions()) {
    for (const ElementType type : all_element_types()) {
      for (const Shape& shape : shapes) {
        Problem problem{.version = version, .attributes = {}, .inputs = {}, .outputs = {}};
        problem.attributes.hidden_size = huge;
        for (std::size_t i = 0; i < 14; ++i) {
          problem.inputs.push_back(
              {.presence = Presence::Given, .source = Source::GraphInput, .tensor = Tensor(type, shape)});
        }
        problem.inputs[3].tensor.reset();
        problem.outputs.assign(5, Presence::Given);
        EXPECT_EQ(expectation_of(problem).kind, Kind::Refuse);
        EXPECT_NO_THROW(clauses_touched(problem));
        problem.attributes.hidden_size.reset();
        problem.attributes.direction = "";
        problem.attributes.activations = std::vector<std::string>{};
        problem.attributes.layout = huge;
        EXPECT_EQ(expectation_of(problem).kind, Kind::Refuse);
        EXPECT_NO_THROW(clauses_touched(problem));
      }
    }
    const Problem nothing{.version = version, .attributes = {}, .inputs = {}, .outputs = {}};
    EXPECT_EQ(expectation_of(nothing).kind, Kind::Refuse);
    EXPECT_NO_THROW(clauses_touched(nothing));
  }
}

TEST(Expectation, RefusesAnInputThatIsGivenWithoutData) {
  Problem problem = make_problem(plain_of(lstm_22));
  problem.inputs[input::W].tensor.reset();
  EXPECT_THAT(expectation_of(problem).violations, ElementsAre(::testing::Field(&Violation::rule, "data-of-W")));
}

TEST(Expectation, RefusesAnUnknownVersion) {
  Problem problem = make_problem(plain_of(lstm_22));
  problem.version.since_version = 9;
  EXPECT_THAT(expectation_of(problem).violations, ElementsAre(::testing::Field(&Violation::rule, "operator-version")));
  EXPECT_THAT(clauses_touched(problem), IsEmpty());
}

}  // namespace
}  // namespace cellproof
