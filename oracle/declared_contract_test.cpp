// Arithmetic that an engine declares is judged first and alone; what it leaves undeclared is no divergence if a wider
// contract explains it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/decide.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::Style;

Outcome answer_of(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

Judgement decided(const Problem& problem, Outputs outputs, std::optional<ContractId> declared = std::nullopt) {
  return decide(problem, {}, {answer_of(std::move(outputs))}, {declared});
}

/// Sigmoid of x in `units` units, each of which sums up x alone.
Problem sigmoid_of(double x, std::int64_t units) {
  Case c = plain_case({Operator::RNN, 22}, ElementType::Float, 1, 1, 1, units);
  c.attributes.activations = {"Sigmoid"};
  Problem problem = make_problem(c);
  problem.outputs = {Presence::Given};
  problem.inputs[input::X].tensor->set_value(0, x);
  for (std::size_t k = 0; k < problem.inputs[input::W].tensor->size(); ++k)
    problem.inputs[input::W].tensor->set_value(k, 1);
  return problem;
}

Outputs all_off_by(const Problem& problem, double x, double by) {
  const std::int64_t units = problem.inputs[input::W].tensor->shape()[1];
  Tensor Y(ElementType::Float, {1, 1, 1, units});
  for (std::size_t k = 0; k < Y.size(); ++k) Y.set_value(k, 1 / (1 + std::exp(-x)) + by);
  return {Y};
}

TEST(WiderContract, ExplainsTheOnlyElementThereIs) {
  // Half of 1 + tanh(x/2) is right to five roundoffs of 1: a part in a hundred beyond what is usual.
  const Problem problem = sigmoid_of(-20, 1);
  const Outputs outputs = all_off_by(problem, -20, 5 * 0x1p-24);
  const Judgement judgement = decided(problem, outputs);
  EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
  EXPECT_EQ(judgement.contract, ContractId::F32FastActivations);
  const Judgement declared = decided(problem, outputs, ContractId::F32FastActivations);
  EXPECT_TRUE(passes_gate(answer_of(outputs), declared, ContractId::F32FastActivations)) << sentence_of(declared);
  EXPECT_EQ(decided(problem, all_off_by(problem, -20, 0.125)).verdict, Verdict::Diverges);
}

TEST(WiderContract, DoesNotExplainOneOfMany) {
  const Problem problem = sigmoid_of(-1, 12);
  Outputs outputs = all_off_by(problem, -1, 0);
  Tensor& Y = *outputs[output::Y];
  for (std::size_t k = 0; k < Y.size(); ++k) Y.set_value(k, Y.value(k) * (1 + 0x1p-23));  // none of them exact
  Y.set_value(5, Y.value(5) * (1 + 20 * 0x1p-23));
  EXPECT_NE(decided(problem, outputs).verdict, Verdict::Precision);
  EXPECT_EQ(decided(problem, all_off_by(problem, -1, 20 * 0x1p-25)).verdict, Verdict::Precision);
}

TEST(DeclaredContract, OfOutputsThatKeepToTheDefaultConforms) {
  const Problem problem = testing::some_problem(Operator::GRU);
  const Outputs outputs = testing::compute(problem);
  const Judgement judgement = decided(problem, outputs, ContractId::Tf32);
  EXPECT_EQ(judgement.verdict, Verdict::Conforms) << sentence_of(judgement);
  EXPECT_EQ(judgement.contract, ContractId::F32);
}

TEST(DeclaredContract, LetsTf32MakeTheLargestFactorInfinite) {
  // The nearest number of 11 bits to the largest float is 2^128; with it, -4 becomes -infinity, whose Sigmoid is 0.
  const auto problem_of = [](double x, double weight) {
    Problem problem = sigmoid_of(x, 12);
    for (std::size_t k = 0; k < 12; ++k) problem.inputs[input::W].tensor->set_value(k, weight);
    return problem;
  };
  const Problem largest = problem_of(-0x1.fffffep127, 0x1p-126), smaller = problem_of(-0x1p126, 0x1p-124);
  Outputs zeros{Tensor(ElementType::Float, {1, 1, 1, 12})};
  EXPECT_NE(decided(largest, zeros, ContractId::Tf32).verdict, Verdict::Diverges);
  EXPECT_NE(decided(largest, zeros).verdict, Verdict::Diverges);
  EXPECT_EQ(decided(smaller, zeros, ContractId::Tf32).verdict, Verdict::Diverges);
}

TEST(DeclaredContract, IsJudgedAlone) {
  Style tf32;
  tf32.operand_bits = 11;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = testing::some_problem(op);
    const Judgement judgement = decided(problem, testing::compute(problem, tf32), ContractId::Tf32);
    EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
    EXPECT_EQ(judgement.contract, ContractId::Tf32);
    const Judgement wrong =
        decided(problem, testing::compute(problem, tf32, testing::Fault::RecurrentBiasDropped), ContractId::Tf32);
    EXPECT_EQ(wrong.verdict, Verdict::Diverges) << sentence_of(wrong);
    EXPECT_EQ(wrong.contract, ContractId::Tf32) << "it is proved under what was declared";
  }
}

TEST(DeclaredContract, NeverTurnsTooLittleVerifiedIntoADivergence) {
  struct Row {
    ElementType type;
    ContractId declared;
    Style style;
  };
  std::vector<Row> rows(3);
  rows[0] = {ElementType::Float, ContractId::F32Ftz, {}};
  rows[0].style.flushed = true;
  rows[1] = {ElementType::Float16, ContractId::Accumulate16, {ElementType::Float16, ElementType::Float16}};
  rows[1].style.stored = true;
  rows[2] = {ElementType::BFloat16, ContractId::Elementwise16, {ElementType::Float, ElementType::BFloat16}};
  rows[2].style.stored = true;
  // Softplus as written overflows in binary16 from 11 on, which no contract calls a function of 16 bits.
  const auto overflows = [](const Case& c) {
    const auto& names = c.attributes.activations;
    return names && std::ranges::find(*names, "Softplus") != names->end();
  };
  int too_little = 0;
  for (const Row& row : rows) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
        Case c = testing::drawn_case(op, row.type, seed);
        if (overflows(c)) continue;
        if (row.style.flushed) c.regime = Regime::Subnormal;
        const Problem problem = make_problem(c);
        const Judgement judgement = decided(problem, testing::compute(problem, row.style), row.declared);
        EXPECT_TRUE(judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Precision ||
                    judgement.verdict == Verdict::Undecided)
            << name(row.declared) << ": " << sentence_of(judgement) << "\n"
            << to_text(c);
        too_little += judgement.verdict == Verdict::Undecided;
      }
    }
  }
  EXPECT_GT(too_little, 5) << "the test shows nothing";
}

}  // namespace
}  // namespace cellproof::oracle
