// Elements that a stricter model verifies, and those that it must leave open.
#include "oracle/stricter_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "oracle/evaluate.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::Style;
using NodeOutputs = Outputs;

Verdict verdict(const Problem& problem, const NodeOutputs& outputs) {
  const Hypothesis hypothesis{Readings{}, ContractId::F32};
  const auto whole = judge(problem, outputs, hypothesis).verdict;
  const Observed seen(problem, outputs);
  EXPECT_EQ(whole, evaluate(seen, hypothesis, Depth::Verdict).judgement.verdict);
  const auto admitted = evaluate(seen, hypothesis, Depth::Admitted).judgement.verdict;
  EXPECT_EQ(admitted, whole == Verdict::Conforms ? Verdict::Undecided : whole) << "how much is verified was not asked";
  return whole.value_or(Verdict::Unreadable);
}

TEST(StricterModel, VerifiesTinyResultsOfFunctionsThatAreAccurateThere) {
  for (const Operator op : {Operator::RNN, Operator::GRU, Operator::LSTM}) {
    const Problem problem = testing::some_problem(op, ElementType::Float, [](Case& c) {
      c.regime = Regime::Subnormal;
      c.inputs[input::B].presence = Presence::Absent;
    });
    EXPECT_EQ(verdict(problem, testing::compute(problem)), Verdict::Conforms) << name(op);
    // The formula as it is written gives 0 here: within what the contract grants, but nothing is shown by it.
    Style literal;
    literal.kernel = Style::Kernel::Literal;
    EXPECT_EQ(verdict(problem, testing::compute(problem, literal)), Verdict::Undecided) << name(op);
  }
}

/// One step of four has a NaN among its inputs, and clip comes between.
Problem nan_before_clip(std::initializer_list<const char*> activations) {
  Problem problem = testing::some_problem(Operator::RNN, ElementType::Float, [&](Case& c) {
    c.T = 4;
    c.attributes.clip = 0.5F;
    c.attributes.activations.emplace(activations.begin(), activations.end());
  });
  Tensor& X = *problem.inputs[input::X].tensor;
  for (std::int64_t b = 0; b < problem.inputs[input::X].tensor->shape()[1]; ++b) X.set_value({1, b, 0}, std::nan(""));
  Tensor& R = *problem.inputs[input::R].tensor;
  for (std::size_t k = 0; k < R.size(); ++k) R.set_value(k, 0);
  return problem;
}

/// Outputs of an engine whose comparisons swallow the NaN: its step gives `result`, the next starts from a number.
NodeOutputs swallowed(const Problem& problem, const std::function<double(std::int64_t unit)>& result) {
  Problem finite = problem;
  for (std::int64_t b = 0; b < finite.inputs[input::X].tensor->shape()[1]; ++b)
    finite.inputs[input::X].tensor->set_value({1, b, 0}, 0);
  NodeOutputs outputs = testing::compute(finite);
  Tensor& Y = *outputs[output::Y];
  for (std::int64_t b = 0; b < Y.shape()[2]; ++b) {
    for (std::int64_t j = 0; j < Y.shape()[3]; ++j) Y.set_value({1, 0, b, j}, result(j));
  }
  return outputs;
}

TEST(StricterModel, TakesOneMannerOfComparingWithNanForAll) {
  const Problem problem = nan_before_clip({"Tanh"});
  const double end = std::tanh(0.5F);
  EXPECT_EQ(verdict(problem, swallowed(problem, [=](std::int64_t) { return -end; })), Verdict::Conforms);
  EXPECT_EQ(verdict(problem, swallowed(problem, [=](std::int64_t) { return end; })), Verdict::Conforms);
  NodeOutputs kept = swallowed(problem, [](std::int64_t) { return std::nan(""); });
  for (const std::int64_t t : {2, 3}) {
    for (std::int64_t b = 0; b < 3; ++b) {
      for (std::int64_t j = 0; j < 6; ++j) kept[output::Y]->set_value({t, 0, b, j}, std::nan(""));
    }
  }
  for (std::size_t k = 0; k < kept[output::Y_h]->size(); ++k) kept[output::Y_h]->set_value(k, std::nan(""));
  EXPECT_EQ(verdict(problem, kept), Verdict::Conforms);
  // Each of these is within what is admitted; no one way of comparing makes them all.
  EXPECT_EQ(verdict(problem, swallowed(problem, [=](std::int64_t j) { return j % 2 == 0 ? end : -end; })),
            Verdict::Undecided);
  EXPECT_EQ(verdict(problem, swallowed(problem, [](std::int64_t) { return 0.25; })), Verdict::Undecided);
  EXPECT_EQ(verdict(problem, swallowed(problem, [](std::int64_t) { return 0.75; })), Verdict::Diverges);
}

TEST(StricterModel, KnowsWhatFunctionsMakeOfNan) {
  const Problem problem = nan_before_clip({"HardSigmoid"});
  // Kept by clip and swallowed by the function, or swallowed before: alpha 0.2, beta 0.5 and clip 0.5.
  EXPECT_EQ(verdict(problem, swallowed(problem, [](std::int64_t) { return 0.4F; })), Verdict::Conforms);
  EXPECT_EQ(verdict(problem, swallowed(problem, [](std::int64_t) { return 0.6F; })), Verdict::Conforms);
  EXPECT_EQ(verdict(problem, swallowed(problem, [](std::int64_t) { return 0.45F; })), Verdict::Undecided);
}

}  // namespace
}  // namespace cellproof::oracle
