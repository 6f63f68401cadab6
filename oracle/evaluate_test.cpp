// Structure, special values, exact elements, and cases without Y.
#include "oracle/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/testing/judging.hpp"
#include "oracle/testing/numbers.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::infinity;
using testing::judge;
using testing::some_problem;
Judgement judge_default(const Problem& problem, const Outputs& outputs) {
  return judge(problem, outputs, {Readings{}, default_contract(problem.input(input::X)->type())});
}

TEST(Structure, NamesMissingMisshapenAndMistypedOutputs) {
  const Problem problem = some_problem(Operator::LSTM);
  const Outputs right = testing::compute(problem);
  Outputs outputs = right;
  outputs.resize(2);
  EXPECT_EQ(judge_default(problem, outputs).kind, ViolationKind::Count);
  outputs = right;
  outputs.push_back(right[1]);
  EXPECT_EQ(judge_default(problem, outputs).kind, ViolationKind::Count);
  outputs = right;
  outputs[output::Y] = Tensor(ElementType::Float, {5, 3, 1, 6});  // batch and direction exchanged
  EXPECT_EQ(judge_default(problem, outputs).kind, ViolationKind::Shape);
  outputs[output::Y] = Tensor(ElementType::Double, {5, 1, 3, 6});
  const Judgement typed = judge_default(problem, outputs);
  EXPECT_EQ(typed.kind, ViolationKind::Type);
  EXPECT_EQ(typed.verdict, Verdict::Diverges);
  EXPECT_EQ(sentence_of(typed), "Y is double, expected float");
}

TEST(Structure, ExchangedOutputsDiverge) {
  const Problem problem = some_problem(Operator::LSTM);
  Outputs outputs = testing::compute(problem);
  std::swap(outputs[output::Y_h], outputs[output::Y_c]);
  const Judgement judgement = judge_default(problem, outputs);
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_EQ(judgement.kind, ViolationKind::State);
  EXPECT_EQ(judgement.first->output, output::Y_h);
}

TEST(Structure, PaddingMustBeZeroAndStatesTheLastValidOnes) {
  const Problem problem = some_problem(Operator::GRU, ElementType::Float, [](Case& c) {
    testing::give_lengths(c, {5, 2, 0});
  });
  const Outputs right = testing::compute(problem);
  EXPECT_EQ(judge_default(problem, right).verdict, Verdict::Conforms);
  Outputs outputs = right;
  outputs[output::Y]->set_value({3, 0, 1, 4}, 1e-30);
  const Judgement padded = judge_default(problem, outputs);
  EXPECT_EQ(padded.kind, ViolationKind::Padding);
  EXPECT_EQ(padded.first->index, (std::vector<std::int64_t>{3, 0, 1, 4}));
  outputs = right;
  outputs[output::Y_h]->set_value({0, 2, 0}, 0.125);  // a row of no steps must show its initial state
  EXPECT_EQ(judge_default(problem, outputs).kind, ViolationKind::State);
  EXPECT_EQ(judge_default(problem, outputs).first->step, std::nullopt);
}

TEST(Structure, SaysNothingOfNegativeZero) {
  const Problem problem = some_problem(Operator::GRU, ElementType::Float, [](Case& c) {
    testing::give_lengths(c, {5, 2, 1});
  });
  Outputs outputs = testing::compute(problem);
  outputs[output::Y]->set_value({3, 0, 1, 4}, -0.0);
  EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Conforms);
}

TEST(Structure, SufficesWhereThereAreNoValues) {
  for (const bool no_steps : {true, false}) {
    const Problem problem =
        some_problem(Operator::LSTM, ElementType::Float, [&](Case& c) { (no_steps ? c.T : c.N) = 0; });
    const Outputs outputs = testing::compute(problem);
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Conforms);
  }
}

TEST(YC, MustFollowFromTheStates) {
  const Problem problem = some_problem(Operator::LSTM);
  Outputs outputs = testing::compute(problem);
  const double honest = outputs[output::Y_c]->value({0, 1, 2});
  outputs[output::Y_c]->set_value({0, 1, 2}, honest * (1 + 1e-4));
  const Judgement judgement = judge_default(problem, outputs);
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_EQ(judgement.first->output, output::Y_c);
  EXPECT_EQ(judgement.first->index, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(SpecialValues, FollowIeeeArithmetic) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    Problem problem = some_problem(op, ElementType::Float);
    problem.inputs[input::X].tensor->set_value({2, 1, 0}, std::nan(""));
    problem.inputs[input::X].tensor->set_value({3, 0, 1}, infinity);
    Outputs outputs = testing::compute(problem);
    const Judgement honest = judge_default(problem, outputs);
    EXPECT_EQ(honest.verdict, Verdict::Conforms) << sentence_of(honest);
    ASSERT_TRUE(std::isnan(outputs[output::Y]->value({2, 0, 1, 0})));
    outputs[output::Y]->set_value({2, 0, 1, 0}, 0.25);  // a NaN that disappears
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
    outputs = testing::compute(problem);
    outputs[output::Y]->set_value({1, 0, 0, 0}, std::nan(""));  // a NaN from nowhere
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
    outputs[output::Y]->set_value({1, 0, 0, 0}, -infinity);
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
  }
}

TEST(SpecialValues, NanThroughClipIsUnspecified) {
  Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) { c.attributes.clip = 0.5F; });
  problem.outputs = {Presence::Given};
  problem.inputs[input::X].tensor->set_value({4, 1, 0}, std::nan(""));
  Outputs outputs = testing::compute(problem);
  for (const double value : {std::nan(""), std::tanh(0.5), std::tanh(-0.5)}) {
    for (std::int64_t j = 0; j < 6; ++j) outputs[output::Y]->set_value({4, 0, 1, j}, value);
    const Judgement judgement = judge_default(problem, outputs);
    EXPECT_NE(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
    EXPECT_EQ(judgement.elements[static_cast<std::size_t>(ElementClass::Unspecified)], 6);
  }
  outputs[output::Y]->set_value({4, 0, 1, 0}, 0.9);  // outside of what any comparison can give
  EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
}

TEST(SpecialValues, LiteralTanhThatOverflowsIsNotExcused) {
  const Problem problem =
      some_problem(Operator::RNN, ElementType::Float, [](Case& c) { c.regime = Regime::Saturating; });
  Outputs outputs = testing::compute(problem);
  outputs[output::Y]->set_value({0, 0, 0, 0}, std::nan(""));
  EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
}

TEST(Overflow, InSixteenBitsIsUnverifiableAfterwards) {
  Problem problem = some_problem(Operator::RNN, ElementType::Float16, [](Case& c) {
    c.T = 8;
    c.attributes.activations = {{"Affine"}};
    c.attributes.activation_alpha = {{200.0F}};
    c.attributes.activation_beta = {{1.0F}};
  });
  const Outputs outputs = testing::compute(problem);
  bool overflowed = false;
  for (std::size_t k = 0; k < outputs[0]->size(); ++k) overflowed = overflowed || !std::isfinite(outputs[0]->value(k));
  ASSERT_TRUE(overflowed);
  const Judgement judgement = judge_default(problem, outputs);
  EXPECT_EQ(judgement.verdict, Verdict::Undecided) << sentence_of(judgement);
  EXPECT_GT(judgement.elements[static_cast<std::size_t>(ElementClass::Unverifiable)], 0);
}

TEST(Overflow, OfAHiddenCellSticks) {
  // tanh(inf) = 1 looks finite; what the cell was is not known any more.
  const Problem problem = some_problem(Operator::LSTM, ElementType::Float16, [](Case& c) {
    c.T = 12;
    c.attributes.activations = {{"Affine", "Affine", "Tanh"}};
    c.attributes.activation_alpha = {{20.0F, 20.0F}};
    c.attributes.activation_beta = {{5.0F, 5.0F}};
  });
  testing::Style style;
  style.stored = style.unrounded_state = true;
  const Judgement judgement =
      judge(problem, testing::compute(problem, style), {Readings{}, ContractId::F32InsideStored});
  EXPECT_NE(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
}

TEST(ExactElements, MustBeBitEqual) {
  const Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::ExactDyadic;
    c.T = 2;
    c.attributes.activations = {{"Relu"}};
  });
  Outputs outputs = testing::compute(problem);
  const Judgement honest = judge_default(problem, outputs);
  EXPECT_EQ(honest.verdict, Verdict::Conforms);
  EXPECT_EQ(honest.elements[static_cast<std::size_t>(ElementClass::Rounding)], 0);
  for (std::size_t k = 0; k < outputs[0]->size(); ++k) {
    const double value = outputs[0]->value(k);
    if (value == 0) continue;
    outputs[0]->set_value(k, value * (1 + 0x1p-23));  // one ulp: far inside any bound on rounding
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
    return;
  }
  FAIL() << "all elements are zero";
}

TEST(WithoutY, OneStepIsAsSharpAsWithIt) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    Problem problem = some_problem(op, ElementType::Float, [](Case& c) { c.T = 1; });
    problem.outputs = {Presence::Empty, Presence::Given};
    Outputs outputs = testing::compute(problem);
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Conforms);
    outputs[output::Y_h]->set_value({0, 1, 1}, outputs[output::Y_h]->value({0, 1, 1}) + 1e-5);
    EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Diverges);
  }
}

TEST(WithoutY, NothingIsClaimedOnceErrorsFillTheRange) {
  Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::Chaotic;
    c.T = 60;
    c.H = 24;
  });
  problem.outputs = {Presence::Empty, Presence::Given};
  const Judgement judgement = judge_default(problem, testing::compute(problem));
  EXPECT_EQ(judgement.verdict, Verdict::Undecided);
  EXPECT_GT(judgement.elements[static_cast<std::size_t>(ElementClass::Unresolved)], 0);
}

TEST(WithY, ChaosDoesNotMatter) {
  const Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::Chaotic;
    c.T = 60;
    c.H = 24;
  });
  Outputs outputs = testing::compute(problem);
  EXPECT_EQ(judge_default(problem, outputs).verdict, Verdict::Conforms);
}

TEST(Structure, IsCheckedOfQuantisedOperatorsToo) {
  const Problem problem = some_problem(Operator::DynamicQuantizeLSTM);
  const Outputs outputs{Tensor(ElementType::Float, {5, 1, 3, 6}), Tensor(ElementType::Float, {3, 1, 6}),
                        Tensor(ElementType::Float, {1, 3, 6})};
  EXPECT_EQ(judge_default(problem, outputs).kind, ViolationKind::Shape);
}

}  // namespace
}  // namespace cellproof::oracle
