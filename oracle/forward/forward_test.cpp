// The bound without Y that follows the Jacobians: it holds what honest engines give, and closes where |R| to the power
// of T does not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/forward/forward_row.hpp"
#include "oracle/forward/slopes.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/numbers.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/value_type.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::Style;
using testing::trained_like;

constexpr ActivationKind every_kind[] = {
    ActivationKind::Relu,       ActivationKind::Tanh,        ActivationKind::Sigmoid,
    ActivationKind::Affine,     ActivationKind::LeakyRelu,   ActivationKind::ThresholdedRelu,
    ActivationKind::ScaledTanh, ActivationKind::HardSigmoid, ActivationKind::Elu,
    ActivationKind::Softsign,   ActivationKind::Softplus};

TEST(Slopes, DoNotTrustAKneeToBeJustBeyondReach) {
  // alpha x + beta is 2^-20: what rounds may take the end of the reach to the other side.
  const Activation a{ActivationKind::HardSigmoid, 1, 1};
  EXPECT_TRUE(std::isinf(bend_of(a, -1 + 0x1p-20, 0x1p-20 - 0x1p-42)));
  EXPECT_TRUE(std::isfinite(bend_of(a, -1 + 0x1p-20, 0x1p-21)));
}

TEST(Slopes, BoundTheWholeReach) {
  std::mt19937_64 dice(20261125);
  const auto between = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(dice); };
  int bounded = 0;
  for (int k = 0; k < 200'000; ++k) {
    const Activation a{every_kind[dice() % std::size(every_kind)], between(-2, 2), between(-2, 2)};
    const double x = between(-6, 6), reach = std::exp2(between(-30, 2));
    const double bend = bend_of(a, x, reach);
    if (!std::isfinite(bend)) continue;
    ++bounded;
    const double y = x + between(-reach, reach);
    // Differences of values are rounded themselves.
    const double own = 0x1p-50 * (std::abs(value_of(a, x)) + std::abs(value_of(a, y)) + 1 + std::abs(x) + std::abs(y));
    EXPECT_LE(std::abs(value_of(a, y) - value_of(a, x) - slope_of(a, x) * (y - x)), bend + own)
        << static_cast<int>(a.kind) << " " << a.alpha << " " << a.beta << " at " << x << " reach " << reach;
  }
  EXPECT_GT(bounded, 150'000);
}

/// Every state of an honest engine, without Y, in every way of computing that the contract leaves open.
std::vector<Style> styles_of(ContractId contract, ElementType type, std::mt19937_64& dice) {
  std::vector<Style> styles;
  for (const auto order : {Style::Order::Forward, Style::Order::Backward, Style::Order::Lanes}) {
    Style s;
    s.sums = s.elements = type == ElementType::Double ? type : ElementType::Float;
    s.order = order;
    s.fused = dice() % 2 == 0;
    s.bias = static_cast<Style::Bias>(dice() % 3);
    s.kernel = static_cast<Style::Kernel>(dice() % 3);
    s.unrounded_state = dice() % 2 == 0;
    if (contract == ContractId::Tf32) s.operand_bits = 11;
    if (contract == ContractId::F32Ftz) s.flushed = true;
    if (contract == ContractId::F32InsideStored) s.stored = true;
    if (contract == ContractId::Elementwise16) s.elements = type;
    if (contract == ContractId::Accumulate16) s.elements = s.sums = type;
    if (contract == ContractId::F64ViaF32) s.elements = s.sums = ElementType::Float;
    if (contract == ContractId::Elementwise16 || contract == ContractId::Accumulate16) {
      s.kernel = Style::Kernel::Library;
      s.stored = dice() % 2 == 0;
    }
    styles.push_back(s);
  }
  return styles;
}

/// log(1 + e^x) as the plain engine writes it is infinite from x = 12 on where elements are binary16.
bool overflows_literally(const Case& c, ContractId contract) {
  const bool narrow = contract == ContractId::Elementwise16 || contract == ContractId::Accumulate16;
  const auto& functions = c.attributes.activations;
  return narrow && functions && std::ranges::find(*functions, "Softplus") != functions->end();
}

struct Covered {
  Operator op;
  ContractId contract;
  ElementType type;
};

class ForwardBound : public ::testing::TestWithParam<Covered> {};

/// The sets that hold the last states of each row; empty where the bound says nothing.
template <class Real>
struct Ends {
  std::vector<Enclosure<Real>> H, C;
};

template <class Real>
Ends<Real> ends_of(const Task& task, std::int64_t d, std::int64_t b, Tier tier) {
  ForwardRow<Real> row(task, d, tier);
  if (!row.run(b, task.layout.lengths[static_cast<std::size_t>(b)])) return {};
  return {row.H(), row.C()};
}

/// Counts rows that are bounded, and expects that every element of them lies inside.
template <class Real>
int expect_inside(const Task& task, Tier tier, const Case& c) {
  int bounded = 0;
  for (std::int64_t d = 0; d < task.layout.D; ++d) {
    for (std::int64_t b = 0; b < task.layout.N; ++b) {
      const Ends<Real> ends = ends_of<Real>(task, d, b, tier);
      for (std::size_t j = 0; j < ends.H.size(); ++j) {
        const std::size_t offset = task.layout.state_offset(d, b) + j;
        EXPECT_TRUE(match(ends.H[j], (*task.Y_h)[offset], task.arithmetic).inside) << "H " << j << "\n" << to_text(c);
        if (ends.C.empty()) continue;
        EXPECT_TRUE(match(ends.C[j], (*task.Y_c)[offset], task.arithmetic).inside) << "C " << j << "\n" << to_text(c);
      }
      bounded += !ends.H.empty();
    }
  }
  return bounded;
}

TEST_P(ForwardBound, HoldsHonestEngines) {
  const auto [op, contract, type] = GetParam();
  std::mt19937_64 dice(7);
  int bounded = 0, rows = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Case c = testing::drawn_case(op, type, seed);
    if (overflows_literally(c, contract)) continue;
    Problem problem = make_problem(c);
    problem.outputs.assign(has_cell_state(op) ? 3 : 2, Presence::Given);
    problem.outputs[output::Y] = Presence::Empty;
    for (const Style& style : styles_of(contract, type, dice)) {
      const Outputs outputs = testing::compute(problem, style);
      const testing::OwnTask own(problem, outputs, {}, arithmetic_of(contract, type));
      const Task& task = own;
      // The running bound is no theorem; the certified one is.
      if (type != ElementType::Double) bounded += expect_inside<double>(task, Tier::Certified, c);
      if (type == ElementType::Double || seed % 8 == 0) {
        const WorkingPrecision precision(first_bits_of_balls);
        const int n = expect_inside<Ball>(task, Tier::Certified, c);
        if (type == ElementType::Double) bounded += n;
      }
      if (type != ElementType::Double) expect_inside<double>(task, Tier::Running, c);
      rows += static_cast<int>(task.layout.D * task.layout.N);
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(bounded, rows * 8 / 10) << "of " << rows;
}

std::vector<Covered> covered() {
  std::vector<Covered> list;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const ContractId contract : {ContractId::F32, ContractId::F32Ftz, ContractId::Tf32})
      list.push_back({op, contract, ElementType::Float});
    for (const ContractId contract :
         {ContractId::F32Inside, ContractId::F32InsideStored, ContractId::Elementwise16, ContractId::Accumulate16}) {
      list.push_back({op, contract, ElementType::Float16});
      list.push_back({op, contract, ElementType::BFloat16});
    }
    for (const ContractId contract : {ContractId::F64, ContractId::F64ViaF32})
      list.push_back({op, contract, ElementType::Double});
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Every, ForwardBound, ::testing::ValuesIn(covered()), [](const auto& parameter) {
  std::string name = std::string(cellproof::name(parameter.param.op)) + "_" +
                     std::string(onnx_name(parameter.param.type)) + "_" +
                     std::string(cellproof::name(parameter.param.contract));
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(ForwardBoundOfManySteps, ClosesOnBothTiers) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const double gain : {1.0, 2.0}) {
      const Problem problem = trained_like(op, 40, 64, gain);
      const testing::OwnTask own(problem, testing::compute(problem), {}, testing::f32);
      for (const auto& [tier, most] : {std::pair(Tier::Running, 1e-3), std::pair(Tier::Certified, 1e-2)}) {
        const Ends<double> ends = ends_of<double>(own, 0, 0, tier);
        ASSERT_EQ(ends.H.size(), 64U);
        double widest = 0;
        for (const auto& set : ends.H) widest = std::max(widest, set.radius());
        EXPECT_LT(widest, most) << name(op) << " with gain " << gain;
        // docs/measurements/without-y.md
        RecordProperty(fmt::format("{} gain {} {}", name(op), gain, tier == Tier::Running ? "running" : "certified"),
                       fmt::format("{:.1e}", widest));
        for (const auto& set : ends.C) EXPECT_LT(set.radius(), 4 * most) << name(op) << " with gain " << gain;
      }
    }
  }
}

TEST(ForwardBoundOfManySteps, IsTriedAgainWithMoreSymbolsWhereItRunsAway) {
  constexpr int units = 48, steps = 60;
  const Problem problem = trained_like(Operator::LSTM, steps, units, 2);
  const testing::OwnTask own(problem, testing::compute(problem), {}, testing::f32);
  const auto widest = [&](KeptSymbols kept) {
    ForwardRow<double> row(own, 0, Tier::Certified);
    if (!row.run(0, steps, kept)) return std::numeric_limits<double>::infinity();
    double radius = 0;
    for (const auto& set : row.H()) radius = std::max(radius, set.radius());
    return radius;
  };
  EXPECT_GT(widest({0, 0}), 1);
  const double with_many = widest({10 * units, 10 * units});
  EXPECT_LT(with_many, 0.1);
  EXPECT_EQ(widest({0, 10 * units}), with_many);
  // Few are enough where they do not run away: then these are the numbers.
  EXPECT_GT(widest({5 * units, 10 * units}), with_many);
}

TEST(ForwardBoundOfManySteps, HasNoErrorWhereNothingIsAdded) {
  Problem problem = trained_like(Operator::RNN, 5, 4, 1);
  for (const std::size_t which : {input::W, input::R, input::B}) {
    auto& tensor = problem.inputs.at(which).tensor;
    if (tensor) tensor = Tensor(tensor->type(), tensor->shape());
  }
  const testing::OwnTask own(problem, testing::compute(problem), {}, testing::f32);
  const Ends<double> ends = ends_of<double>(own, 0, 0, Tier::Certified);
  ASSERT_EQ(ends.H.size(), 4U);
  // what tanh may be off by
  for (const auto& set : ends.H) EXPECT_LT(set.radius(), 1e-6);
}

TEST(ForwardBoundOfManySteps, IsTheSameInBalls) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = trained_like(op, 20, 16, 1);
    const testing::OwnTask own(problem, testing::compute(problem), {}, testing::f32);
    const Ends<double> rough = ends_of<double>(own, 0, 0, Tier::Running);
    const WorkingPrecision precision(first_bits_of_balls);
    const Ends<Ball> fine = ends_of<Ball>(own, 0, 0, Tier::Running);
    ASSERT_EQ(rough.H.size(), fine.H.size());
    for (std::size_t j = 0; j < rough.H.size(); ++j) {
      const double radius = fine.H[j].radius();
      EXPECT_NEAR(rough.H[j].radius(), radius, radius * 1e-3);
      EXPECT_NEAR(rough.H[j].centre, static_cast<double>(fine.H[j].centre), radius * 1e-3);
    }
  }
}

TEST(WithoutYForManySteps, HonestEnginesConformAndASmallErrorDiverges) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = trained_like(op, 40, 32, 1);
    const Outputs honest = testing::compute(problem);
    EXPECT_EQ(judge(problem, honest, {Readings{}, ContractId::F32}).verdict, Verdict::Conforms) << name(op);
    for (std::size_t which = output::Y_h; which < honest.size(); ++which) {
      Outputs off = honest;
      off[which]->set_value(7, off[which]->value(7) + 1e-3);
      const Judgement judgement = judge(problem, off, {Readings{}, ContractId::F32});
      EXPECT_EQ(judgement.verdict, Verdict::Diverges) << name(op) << ": " << sentence_of(judgement);
      EXPECT_EQ(judgement.first->index, (std::vector<std::int64_t>{0, 0, 7}));
    }
  }
}

/// A problem whose second step has one input of 3e38, with these weights of all odd and all even rows.
Problem overflowing(Operator op, float odd, float even) {
  Problem problem = trained_like(op, 3, 8, 1);
  problem.attributes.linear_before_reset.reset();  // otherwise what overflows is a part of a sum
  Tensor& X = *problem.inputs.at(input::X).tensor;
  Tensor& W = *problem.inputs.at(input::W).tensor;
  const auto inputs = static_cast<std::size_t>(X.shape().back());
  X.set_value(inputs, 3e38);
  for (std::size_t row = 0; row < W.size() / inputs; ++row) W.set_value(row * inputs, row % 2 == 0 ? even : odd);
  return problem;
}

TEST(WithoutY, AnArgumentThatOverflowsToOneSideIsKnownByItsFunction) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = overflowing(op, 2, -3);
    const Outputs honest = testing::compute(problem);
    EXPECT_EQ(judge(problem, honest, {Readings{}, ContractId::F32}).verdict, Verdict::Conforms) << name(op);
    Outputs off = honest;
    off[output::Y_h]->set_value(7, off[output::Y_h]->value(7) + 1e-3);
    EXPECT_EQ(judge(problem, off, {Readings{}, ContractId::F32}).verdict, Verdict::Diverges) << name(op);
  }
}

TEST(WithoutY, AnArgumentThatMayOverflowToBothSidesIsOpen) {
  Problem problem = overflowing(Operator::RNN, 2, 3);
  Tensor& X = *problem.inputs.at(input::X).tensor;
  Tensor& W = *problem.inputs.at(input::W).tensor;
  const auto inputs = static_cast<std::size_t>(X.shape().back());
  X.set_value(inputs + 1, 3e38);
  for (std::size_t row = 0; row < W.size() / inputs; ++row) W.set_value(row * inputs + 1, -1.5);
  EXPECT_EQ(judge(problem, testing::compute(problem), {Readings{}, ContractId::F32}).verdict, Verdict::Undecided);
}

TEST(WithoutYForManySteps, FaultsAreFoundAndNamed) {
  const Problem problem = trained_like(Operator::LSTM, 30, 16, 1);
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = testing::compute(problem, {}, testing::Fault::GatesSwapped);
  const Judgement judgement = decide(problem, {}, {outcome}, {}, every_fault());
  EXPECT_EQ(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
  EXPECT_EQ(judgement.faults, std::vector<std::string>{"gate-order-foic"});
}

/// The right states are 0 without any error, which says nothing of the errors of an engine that has others.
TEST(WithoutY, AFaultIsNamedWhereTheRightStatesAreZero) {
  const Problem problem = make_problem(parse_case(
      "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1 activations=ThresholdedRelu,Tanh,Tanh "
      "X=given,hex:0000003e W=given,hex:0000803f0000803f000000000000803f R=given,regime:zero outputs=absent,Y_h,Y_c"));
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = testing::compute(problem);
  for (const auto& [position, value] : {std::pair{output::Y_h, 0x1.fd4f12p-10}, {output::Y_c, 0x1.fd5992p-7}})
    outcome.outputs[position]->set_value(0, value);
  const Judgement judgement = decide(problem, {}, {outcome}, {}, every_fault());
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  ASSERT_FALSE(judgement.faults.empty());
  EXPECT_EQ(judgement.faults.front(), "thresholded-relu-default-zero");
}

TEST(WithoutYForManySteps, WhatIsOpenSaysHowToDecideIt) {
  const Problem problem = trained_like(Operator::RNN, 60, 24, 12);
  const Judgement judgement = judge(problem, testing::compute(problem), {Readings{}, ContractId::F32});
  EXPECT_EQ(judgement.verdict, Verdict::Undecided);
  EXPECT_NE(sentence_of(judgement).find("expose Y"), std::string::npos) << sentence_of(judgement);
}

}  // namespace
}  // namespace cellproof::oracle
