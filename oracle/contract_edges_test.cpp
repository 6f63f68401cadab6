// Results that a contract admits at the edges of a format, on networks of one unit whose only step can be worked out by
// hand. A result is exact or it is not, underflows, is flushed, overflows. Each test fails when one rule is switched
// off (lab/trusted_core/rules.py).
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

#include "oracle/evaluate.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/numbers.hpp"
#include "spec/case.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;

constexpr double smallest_normal = 0x1p-126;  // of float
constexpr double largest = std::numeric_limits<float>::max();

/// Y = activation(x W) of a single step.
struct OneUnit {
  ElementType type = ElementType::Float;
  double x = 1, W = 1;
  const char* activation = "Relu";
  float alpha = 1, beta = 0;
};

Problem problem_of(const OneUnit& unit) {
  Case c = plain_case({Operator::RNN, 22}, unit.type, 1, 1, 1, 1);
  c.attributes.activations = {unit.activation};
  c.attributes.activation_alpha = {unit.alpha};
  c.attributes.activation_beta = {unit.beta};
  Problem problem = make_problem(c);
  problem.outputs = {Presence::Given};
  problem.inputs[input::X].tensor->set_value(0, unit.x);
  problem.inputs[input::W].tensor->set_value(0, unit.W);
  return problem;
}

Judgement judged(const Problem& problem, double y, ContractId contract) {
  Tensor Y(problem.inputs[input::X].tensor->type(), {1, 1, 1, 1});
  Y.set_value(0, y);
  return judge(problem, {Y}, {Readings{}, contract});
}

bool admits(const OneUnit& unit, double y, ContractId contract = ContractId::F32) {
  const Judgement judgement = judged(problem_of(unit), y, contract);
  return judgement.verdict != Verdict::Diverges && judgement.verdict != Verdict::Suspect;
}

TEST(ContractEdges, ShortDyadicSumsAreExact) {
  EXPECT_TRUE(admits({.x = 0.5, .W = 2}, 1));
  EXPECT_FALSE(admits({.x = 0.5, .W = 2}, 1 - 0x1p-24));
  EXPECT_FALSE(admits({.x = 0.5, .W = 2}, 1 + 0x1p-23));
}

TEST(ContractEdges, ALineOfShortDyadicsIsExact) {
  const OneUnit line{.x = 0.5, .activation = "Affine", .alpha = 4, .beta = -1};
  EXPECT_TRUE(admits(line, 1));
  EXPECT_FALSE(admits(line, 1 - 0x1p-24));
}

TEST(ContractEdges, TheIdentityBranchOfAFunctionIsExact) {
  for (const char* function : {"LeakyRelu", "Elu"}) {
    const OneUnit unit{.activation = function, .alpha = 0.3F};
    EXPECT_TRUE(admits(unit, 1)) << function;
    EXPECT_FALSE(admits(unit, 1 - 0x1p-24)) << function;
  }
}

TEST(ContractEdges, WhatHardSigmoidHasBoundedIsExact) {
  const OneUnit unit{.x = 100.3, .activation = "HardSigmoid", .alpha = 0.3F, .beta = 0.1F};
  EXPECT_TRUE(admits(unit, 1));
  EXPECT_FALSE(admits(unit, 1 - 0x1p-24));
}

/// One unit whose gates are the constant `gate`, and whose other functions are the identity: x W for the candidate, and
/// 1 for every state and every weight of R.
Problem gated(Operator op, float gate, double x, ElementType type = ElementType::Float) {
  Case c = plain_case({op, 22}, type, 1, 1, 1, 1);
  const bool lstm = op == Operator::LSTM;
  c.attributes.activations =
      lstm ? std::vector<std::string>{"Affine", "Affine", "Affine"} : std::vector<std::string>{"Affine", "Affine"};
  c.attributes.activation_alpha = {0, 1, 1};
  c.attributes.activation_beta = {gate, 0, 0};
  if (!lstm) {
    c.attributes.activation_alpha->pop_back();
    c.attributes.activation_beta->pop_back();
  }
  c.inputs[input::initial_h].presence = Presence::Given;
  if (lstm) c.inputs[input::initial_c].presence = Presence::Given;
  Problem problem = make_problem(c);
  problem.outputs = {Presence::Given};
  const auto fill = [&](std::size_t position, double value) {
    Tensor& tensor = *problem.inputs[position].tensor;
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, value);
  };
  for (const std::size_t position : {input::W, input::R, input::initial_h}) fill(position, 1);
  if (lstm) fill(input::initial_c, 1);
  fill(input::X, x);
  return problem;
}

TEST(ContractEdges, StepsOfShortDyadicsAreExact) {
  // C = 0.5 * 1 + 0.5 * (2 + 1), H = 0.5 C; H~ = 0.5 + 0.5 * 1, H = 0.5 * H~ + 0.5 * 1.
  for (const Problem& problem : {gated(Operator::LSTM, 0.5F, 2), gated(Operator::GRU, 0.5F, 0.5)}) {
    EXPECT_EQ(judged(problem, 1, ContractId::F32).verdict, Verdict::Conforms) << name(problem.version.op);
    const Judgement below = judged(problem, 1 - 0x1p-24, ContractId::F32);
    EXPECT_TRUE(below.verdict == Verdict::Diverges || below.verdict == Verdict::Suspect) << name(problem.version.op);
  }
}

TEST(ContractEdges, ABlendOfLongDyadicsIsRounded) {
  // H~ = 2^23 - 1 + 0.25 * 8, H = 0.75 H~ + 0.25 * 8 = 6291458.75: float has every half of that size.
  Problem problem = gated(Operator::GRU, 0.25F, 0x1p23 - 1);
  problem.inputs[input::initial_h].tensor->set_value(0, 8);
  for (const double rounded : {6291458.5, 6291459.0})
    EXPECT_EQ(judged(problem, rounded, ContractId::F32).verdict, Verdict::Conforms) << rounded;
  EXPECT_NE(judged(problem, 6291462, ContractId::F32).verdict, Verdict::Conforms);
  // 0.75 (2^23 + 1) + 0.25 * 11 = 6291459.5: what float has of it, but none of its two parts.
  problem = gated(Operator::GRU, 0.25F, 0x1p23 + 1);
  for (std::size_t k = 0; k < 3; ++k) problem.inputs[input::R].tensor->set_value(k, 0);
  problem.inputs[input::initial_h].tensor->set_value(0, 11);
  for (const double rounded : {6291459.0, 6291459.5, 6291460.0})
    EXPECT_EQ(judged(problem, rounded, ContractId::F32).verdict, Verdict::Conforms) << rounded;
}

TEST(ContractEdges, AStoredCellThatIsNotShortIsRounded) {
  // C = 2048 + 1, which binary16 does not have; H = C - 2048.
  Problem problem = gated(Operator::LSTM, 1, 1, ElementType::Float16);
  problem.inputs[input::initial_h].tensor->set_value(0, 0);
  problem.inputs[input::initial_c].tensor->set_value(0, 2048);
  problem.attributes.activation_beta = {1, 0, -2048};
  Tensor Y(ElementType::Float16, {1, 1, 1, 1});
  Y.set_value(0, 0);
  EXPECT_EQ(judge(problem, {Y}, {Readings{}, ContractId::F32Inside}).verdict, Verdict::Diverges);
  EXPECT_NE(judge(problem, {Y}, {Readings{}, ContractId::F32InsideStored}).verdict, Verdict::Diverges);
}

TEST(ContractEdges, NothingIsExactWhereOperandsAreRounded) {
  const OneUnit unit{.x = 1 + 0x1p-12};
  EXPECT_TRUE(admits(unit, 1, ContractId::Tf32));
  EXPECT_FALSE(admits(unit, 1, ContractId::F32));
}

TEST(ContractEdges, NothingIsExactWhereSumsAreStored) {
  const OneUnit unit{ElementType::Float16, 2049.0 / 3, 3, "Affine", 1, -2048};  // 2049 is no binary16
  const OneUnit exact{ElementType::Float16, 683, 3, "Affine", 1, -2048};
  ASSERT_EQ(problem_of(exact).input(input::X)->value(0), unit.x);
  EXPECT_TRUE(admits(exact, 1, ContractId::F32Inside));
  EXPECT_FALSE(admits(exact, 0, ContractId::F32Inside));
  EXPECT_TRUE(admits(exact, 0, ContractId::F32InsideStored));
  EXPECT_TRUE(admits(exact, 2, ContractId::F32InsideStored));
}

TEST(ContractEdges, AStoredSumThatIsNotShortIsRounded) {
  // 100 + 1/64 would be stored as 100; what is subtracted from it makes the difference as large as the result.
  const OneUnit unit{ElementType::Float16, 100 / 3.0, 3, "Affine", 1, -100};
  const double sum = 3 * problem_of(unit).input(input::X)->value(0) - 100;
  ASSERT_NE(sum, 0);
  EXPECT_FALSE(admits(unit, 0, ContractId::F32Inside));
  EXPECT_TRUE(admits(unit, 0, ContractId::F32InsideStored));
}

TEST(ContractEdges, ASubnormalResultIsAMultipleOfTheSmallestNumber) {
  const OneUnit unit{.x = 0x1p-100, .W = 1.5 * 0x1p-48, .activation = "Affine", .alpha = 1 / 3.0F};
  const double smallest = 0x1p-149;  // the result is about a half of it
  EXPECT_TRUE(admits(unit, 0));
  EXPECT_TRUE(admits(unit, smallest));
  EXPECT_FALSE(admits(unit, 8 * smallest));
}

TEST(ContractEdges, ASubnormalResultMayBeFlushedUnderThatContractAlone) {
  const OneUnit unit{.x = smallest_normal / 8};
  EXPECT_TRUE(admits(unit, smallest_normal / 8));
  EXPECT_FALSE(admits(unit, 0));
  EXPECT_TRUE(admits(unit, 0, ContractId::F32Ftz));
  const OneUnit inexact{.x = smallest_normal / 7, .activation = "Affine", .alpha = 1 / 3.0F};
  EXPECT_FALSE(admits(inexact, 0));
  EXPECT_TRUE(admits(inexact, 0, ContractId::F32Ftz));
}

TEST(ContractEdges, ASubnormalOperandMayBeFlushedHoweverLargeItsProduct) {
  const OneUnit unit{.x = smallest_normal / 8, .W = 0x1p100};
  EXPECT_FALSE(admits(unit, 0));
  EXPECT_TRUE(admits(unit, 0, ContractId::F32Ftz));
}

TEST(ContractEdges, AFlushedFactorBesideAnInfinityMayMakeNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const OneUnit& unit : {OneUnit{.x = smallest_normal / 8, .W = testing::infinity, .activation = "Affine"},
                              OneUnit{.x = testing::infinity, .W = smallest_normal / 8, .activation = "Affine"}}) {
    EXPECT_TRUE(admits(unit, testing::infinity));
    EXPECT_FALSE(admits(unit, nan));
    EXPECT_TRUE(admits(unit, testing::infinity, ContractId::F32Ftz));
    EXPECT_TRUE(admits(unit, nan, ContractId::F32Ftz));
  }
  const OneUnit normal{.x = smallest_normal, .W = testing::infinity, .activation = "Affine"};
  EXPECT_FALSE(admits(normal, nan, ContractId::F32Ftz));
}

TEST(ContractEdges, ASubnormalOfTheTensorsTypeMayBeFlushedThoughSumsAreWider) {
  const OneUnit subnormal{ElementType::Float16, 0x1p-15}, least{ElementType::Float16, 0x1p-13};
  EXPECT_TRUE(admits(subnormal, 0, ContractId::F32InsideFtz));
  EXPECT_TRUE(admits(subnormal, 0x1p-15, ContractId::F32InsideFtz));
  EXPECT_FALSE(admits(subnormal, 0, ContractId::F32Inside));
  EXPECT_FALSE(admits(least, 0, ContractId::F32InsideFtz));
  EXPECT_FALSE(admits(least, 0x1p-14, ContractId::F32InsideFtz));
}

TEST(ContractEdges, FactorsOf16BitsAreRoundedAndHaveTheirRange) {
  EXPECT_TRUE(admits({.x = 1 + 0x1p-11}, 1, ContractId::F32ByF16));
  EXPECT_FALSE(admits({.x = 1 + 0x1p-9}, 1, ContractId::F32ByF16));
  EXPECT_TRUE(admits({.x = 1 + 0x1p-8}, 1, ContractId::F32ByBf16));
  EXPECT_FALSE(admits({.x = 1 + 0x1p-5}, 1, ContractId::F32ByBf16));
  EXPECT_TRUE(admits({.x = 0x1p-26, .W = 0x1p20}, 0, ContractId::F32ByF16)) << "it underflows in binary16";
  EXPECT_FALSE(admits({.x = 0x1p-26, .W = 0x1p20}, 0, ContractId::F32ByBf16));
  EXPECT_TRUE(admits({.x = 70000, .W = 0x1p-10}, testing::infinity, ContractId::F32ByF16)) << "it overflows there";
  EXPECT_FALSE(admits({.x = 70000, .W = 0x1p-10}, testing::infinity, ContractId::F32ByBf16));
}

TEST(ContractEdges, StatesOf16BitsAreRounded) {
  Problem stated = gated(Operator::GRU, 0.5F, 0.5);  // H = 0.5 * (0.5 + 0.5 * 1) + 0.5 * 1
  stated.inputs[input::initial_h].tensor->set_value(0, 1 + 0x1p-8);
  EXPECT_NE(judged(stated, 1, ContractId::F32InBf16).verdict, Verdict::Diverges);
  EXPECT_EQ(judged(stated, 1.25, ContractId::F32InBf16).verdict, Verdict::Diverges);
}

TEST(ContractEdges, AResultBeyondTheLargestNumberIsInfinite) {
  EXPECT_TRUE(admits({.x = 0x1p100, .W = 0x1p100}, testing::infinity));
  EXPECT_TRUE(admits({.x = -0x1p100, .W = 0x1p100, .activation = "Affine"}, -testing::infinity));
  EXPECT_TRUE(admits({ElementType::Float16, 300, 300}, testing::infinity, ContractId::F32Inside));
  EXPECT_TRUE(admits({ElementType::Float16, -300, 300, "Affine"}, -testing::infinity, ContractId::F32Inside));
  EXPECT_FALSE(admits({ElementType::Float16, 300, 300}, 60000, ContractId::F32Inside));
  EXPECT_FALSE(admits({ElementType::Float16, 100, 300}, testing::infinity, ContractId::F32Inside));
}

TEST(ContractEdges, AResultAtTheLargestNumberMayBeInfinite) {
  // Within an error of the largest number: both are honest.
  const OneUnit above{.x = largest / 1.1F, .activation = "Affine", .alpha = 1.1F};
  EXPECT_TRUE(admits(above, testing::infinity));
  EXPECT_TRUE(admits(above, largest));
  const OneUnit below{.x = -largest / 1.1F, .activation = "Affine", .alpha = 1.1F};
  EXPECT_TRUE(admits(below, -testing::infinity));
  EXPECT_TRUE(admits(below, -largest));
  const OneUnit far{.x = largest / 4, .activation = "Affine", .alpha = 3};
  EXPECT_FALSE(admits(far, testing::infinity));
}

TEST(ContractEdges, AShortSumThatLeavesTheRangeIsNotExact) {
  // 2^200 has one bit, but float makes it infinite before it is scaled down again.
  const OneUnit unit{.x = 0x1p100, .W = 0x1p100, .activation = "Affine", .alpha = 0x1p-100F};
  EXPECT_TRUE(admits(unit, testing::infinity));
  EXPECT_TRUE(admits(unit, 0x1p100));
}

TEST(ContractEdges, AfterAnOverflowNothingIsAccusedAndNothingProved) {
  // 2^100 times 2^100 leaves float. What the engine then has is its own affair.
  const Problem problem = problem_of({.x = 0x1p100, .W = 0x1p100, .activation = "Tanh"});
  const auto unverifiable = static_cast<std::size_t>(ElementClass::Unverifiable);
  const auto exact = static_cast<std::size_t>(ElementClass::Exact);
  for (const double y : {1.0, 0.5}) {
    const Judgement judgement = judged(problem, y, ContractId::F32);
    EXPECT_NE(judgement.verdict, Verdict::Diverges) << y;
    EXPECT_EQ(judgement.elements[exact], 0) << y;
    EXPECT_LE(judgement.elements[unverifiable], 1) << y;
  }
}

}  // namespace
}  // namespace cellproof::oracle
