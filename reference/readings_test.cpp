// Effects of the readings, which change nothing else, and of the number types and special values on a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/bin_float_real.hpp"
#include "reference/reference.hpp"
#include "reference/testing/cases.hpp"
#include "reference/testing/problems.hpp"
#include "spec/case_text.hpp"

namespace cellproof::reference {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::floats;
using testing::integers;
using testing::problem_of;

/// H(t) = X(t) + H(t-1), T = 3, one sequence of length 2 and one of length 0, states 10 and 20.
Problem sums(Attributes attributes = {}) {
  attributes.activations = {"Affine"};
  return problem_of({Operator::RNN, 22}, attributes,
                    {{input::X, floats({3, 2, 1}, {1, 2, 3, 4, 5, 6})},
                     {input::W, floats({1, 1, 1}, {1})},
                     {input::R, floats({1, 1, 1}, {1})},
                     {input::sequence_lens, integers(ElementType::Int32, {2}, {2, 0})},
                     {input::initial_h, floats({1, 2, 1}, {10, 20})}});
}

TEST(Readings, PaddingOfYAndZeroLengthState) {
  const auto values = [](const Readings& readings) { return evaluate<double>(sums(), readings); };
  EXPECT_THAT(values({}).Y, ElementsAre(11, 0, 14, 0, 0, 0));
  EXPECT_THAT(values({}).Y_h, ElementsAre(14, 20));
  const Readings carry = Readings{}.with(Clause::PaddingOfY, "carry");
  EXPECT_THAT(values(carry).Y, ElementsAre(11, 20, 14, 20, 14, 20));
  const Readings zero = Readings{}.with(Clause::ZeroLengthState, "zero");
  EXPECT_THAT(values(zero).Y, ElementsAre(11, 0, 14, 0, 0, 0));
  EXPECT_THAT(values(zero).Y_h, ElementsAre(14, 0));
}

TEST(Readings, ClipZero) {
  Attributes attributes;
  attributes.clip = 0;
  EXPECT_THAT(evaluate<double>(sums(attributes)).Y_h, ElementsAre(0, 20));
  EXPECT_THAT(evaluate<double>(sums(attributes), Readings{}.with(Clause::ClipZero, "off")).Y_h, ElementsAre(14, 20));
  EXPECT_THROW(evaluate<double>(sums(attributes), Readings{}.with(Clause::ClipZero, "refuse")), std::invalid_argument);
}

TEST(Readings, EmptySequence) {
  Problem problem = sums();
  problem.inputs[input::X].tensor = floats({0, 2, 1}, {});
  problem.inputs[input::sequence_lens].tensor = integers(ElementType::Int32, {2}, {0, 0});
  const auto initial = evaluate<double>(problem, Readings{}.with(Clause::ZeroLengthState, "zero"));
  EXPECT_TRUE(initial.Y.empty());
  EXPECT_EQ(initial.Y_shape, (Shape{0, 1, 2, 1}));
  EXPECT_THAT(initial.Y_h, ElementsAre(10, 20));
  EXPECT_THAT(evaluate<double>(problem, Readings{}.with(Clause::EmptySequenceState, "zero")).Y_h, ElementsAre(0, 0));
}

TEST(Readings, EmptyBatch) {
  const Case c = plain_case({Operator::LSTM, 22}, ElementType::Float, 2, 0, 3, 4);
  const auto result = evaluate<double>(make_problem(c));
  EXPECT_EQ(result.Y_shape, (Shape{2, 1, 0, 4}));
  EXPECT_EQ(result.state_shape, (Shape{1, 0, 4}));
  EXPECT_TRUE(result.Y.empty() && result.Y_h.empty() && result.Y_c.empty());
}

TEST(Readings, LinearBeforeResetOther) {
  Case c = plain_case({Operator::GRU, 22}, ElementType::Float, 2, 2, 3, 4);
  c.inputs[input::B].presence = Presence::Given;
  const auto value = [&](std::int64_t lbr, const Readings& readings = {}) {
    c.attributes.linear_before_reset = lbr;
    return evaluate<double>(make_problem(c), readings).Y;
  };
  EXPECT_NE(value(0), value(1));
  EXPECT_EQ(value(2), value(1));
  EXPECT_EQ(value(2, Readings{}.with(Clause::LinearBeforeResetOther, "only-one")), value(0));
}

TEST(Readings, ThresholdedReluAtEquality) {
  Attributes attributes;
  attributes.activations = {"ThresholdedRelu"};  // alpha is 1
  const Problem problem = problem_of(
      {Operator::RNN, 22}, attributes,
      {{input::X, floats({1, 1, 1}, {1})}, {input::W, floats({1, 1, 1}, {1})}, {input::R, floats({1, 1, 1}, {1})}});
  EXPECT_THAT(evaluate<double>(problem).Y, ElementsAre(1));
  EXPECT_THAT(evaluate<double>(problem, Readings{}.with(Clause::ThresholdedReluEquality, "gt")).Y, ElementsAre(0));
}

TEST(Invalid, ProblemsAreRefusedByName) {
  Problem problem = sums();
  problem.attributes.direction = "sideways";
  EXPECT_THROW(evaluate<double>(problem), std::invalid_argument);
  problem = sums();
  problem.inputs[input::sequence_lens].tensor = integers(ElementType::Int32, {2}, {4, 0});
  EXPECT_THROW(run(problem), std::invalid_argument);
  problem = sums();
  problem.inputs[input::W].presence = Presence::Empty;
  problem.inputs[input::W].tensor.reset();
  EXPECT_THROW(evaluate<BinFloat50>(problem), std::invalid_argument);
}

TEST(SpecialValues, GoThroughASumAsInIeeeAndStayInTheirRow) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Problem problem = sums();
  problem.inputs[input::sequence_lens] = {Presence::Empty, Source::GraphInput, {}};
  problem.inputs[input::X].tensor = floats({3, 2, 1}, {infinity, 1, -1, nan, -infinity, 1});
  const auto outputs = run(problem);
  const Tensor& Y = *outputs[output::Y];
  EXPECT_EQ(Y.value(0), infinity);
  EXPECT_EQ(Y.value(2), infinity);
  EXPECT_TRUE(std::isnan(Y.value(4)));  // infinity - infinity
  EXPECT_EQ(Y.value(1), 21);
  EXPECT_TRUE(std::isnan(Y.value(3)));
  EXPECT_TRUE(std::isnan(Y.value(5)));
  // A clip bounds infinities and leaves NaN.
  problem.attributes.clip = 2;
  const auto clipped = run(problem);
  EXPECT_EQ(clipped[output::Y]->value(0), 2);
  EXPECT_TRUE(std::isnan(clipped[output::Y]->value(3)));
}

TEST(SpecialValues, InPaddingDoNotMatter) {
  Problem problem = sums();
  const auto before = run(problem);
  problem.inputs[input::X].tensor->set_value({2, 0, 0}, std::numeric_limits<double>::quiet_NaN());
  problem.inputs[input::X].tensor->set_value({0, 1, 0}, std::numeric_limits<double>::infinity());
  EXPECT_EQ(run(problem), before);
}

TEST(Run, RoundsToTheTypeOfXAndGivesOnlyWhatIsAskedFor) {
  for (ElementType type : {ElementType::Float16, ElementType::BFloat16, ElementType::Float, ElementType::Double}) {
    Case c = plain_case({Operator::LSTM, 22}, type, 2, 2, 3, 4);
    c.outputs = {Presence::Empty, Presence::Given};
    const auto outputs = run(make_problem(c));
    ASSERT_EQ(outputs.size(), 2U);
    EXPECT_FALSE(outputs[output::Y].has_value());
    EXPECT_EQ(outputs[output::Y_h]->type(), type);
    EXPECT_EQ(outputs[output::Y_h]->shape(), (Shape{1, 2, 4}));
  }
}

class EachNumberType : public ::testing::TestWithParam<OperatorVersion> {};

TEST_P(EachNumberType, DoubleIsCloseToBinFloat50) {
  for (std::uint64_t seed = 9000; seed < 9100; ++seed) {
    const Case c = testing::random_case(GetParam(), seed);
    if (c.regime == Regime::Chaotic) continue;
    const Problem problem = make_problem(c);
    const auto exact = evaluate<BinFloat50>(problem);
    const auto approximate = evaluate<double>(problem);
    ASSERT_EQ(exact.Y.size(), approximate.Y.size());
    for (std::size_t i = 0; i < exact.Y.size(); ++i) {
      const double y = static_cast<double>(exact.Y[i]);
      ASSERT_NEAR(approximate.Y[i], y, 1e-11 * std::max(1.0, std::abs(y))) << to_text(c);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, EachNumberType,
                         ::testing::ValuesIn(all_operator_versions().begin(), all_operator_versions().end()),
                         [](const auto& parameter) {
                           return std::string(name(parameter.param.op)) + "_" +
                                  std::to_string(parameter.param.since_version);
                         });

}  // namespace
}  // namespace cellproof::reference
