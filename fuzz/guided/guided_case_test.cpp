#include "fuzz/guided/guided_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "fuzz/guided/aim.hpp"
#include "fuzz/guided/boundary_value.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

Outcome honest_outcome(const Problem& problem) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = lab::mutants::run_without_fault(problem);
  return outcome;
}

Words words_of(std::uint64_t seed) {
  return [counter = Counter(seed, "test"), index = std::uint64_t{0}]() mutable { return counter.word(index++, 0); };
}

TEST(GuidedCase, IsValidAndStandsInALineWhateverTheMove) {
  std::map<std::string_view, int> moves;
  for (std::uint64_t number = 0; number < 600; ++number) {
    const auto [c, move] = guided_case(5, number, honest_outcome);
    ASSERT_TRUE(expectation_of(make_problem(c)).violations.empty()) << to_text(c);
    ASSERT_EQ(parse_case(to_text(c)), c);
    ++moves[move];
  }
  for (const char* move : {"drawn", "at-targets", "first-step", "bare", "sweeping", "cancelling", "nudged", "growing",
                           "large-state", "subnormal", "on-ties"}) {
    EXPECT_GE(moves[move], 1) << move;
  }
}

/// So that shards and resumed runs try the same.
TEST(GuidedCase, DependsOnSeedNumberAndOneAnswerAlone) {
  bool differs = false;
  for (const std::uint64_t number : {9U, 8U, 23U, 9U, 16U, 42U}) {
    int asked = 0;
    const engines::Probe ask = [&](const Problem& problem) { return ++asked, honest_outcome(problem); };
    const Case c = guided_case(3, number, ask).c;
    EXPECT_EQ(asked, number % guided_group == 0 ? 0 : 1);
    EXPECT_EQ(c, guided_case(3, number, honest_outcome).c);
    differs = differs || c != guided_case(4, number, honest_outcome).c;
  }
  EXPECT_TRUE(differs);
}

TEST(GuidedCase, IsMadeOfADeathToo) {
  const engines::Probe dies = [](const Problem&) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Crashed;
    return outcome;
  };
  for (std::uint64_t number = 0; number < 64; ++number)
    EXPECT_TRUE(expectation_of(make_problem(guided_case(1, number, dies).c)).violations.empty());
}

/// With rows of W and R that are 0 the argument is the bias: some of them are exactly what is aimed at.
TEST(Aim, BareArgumentsAreTheTargets) {
  const Case c = parse_case("cellproof-case/1 op=RNN-22 type=float T=2 N=1 I=2 H=8 activations=ThresholdedRelu");
  const Words words = words_of(1);
  int exact = 0;
  for (int k = 0; k < 40; ++k) {
    const auto guided = aimed(c, {}, Aim::Bare, words);
    ASSERT_TRUE(guided.has_value());
    const Problem problem = make_problem(*guided);
    for (std::size_t j = 0; j < 8; ++j) {
      const bool is_bare = problem.input(input::W)->value(2 * j) == 0 && problem.input(input::W)->value(2 * j + 1) == 0;
      exact += is_bare && problem.input(input::B)->value(j) == 1;  // the default alpha
    }
  }
  EXPECT_GE(exact, 3);
}

/// In the second step, too, as far as the engine says what the first one led to.
TEST(Aim, LaterStepsAreAimedAtFromTheEnginesOwnStates) {
  const Case c = parse_case("cellproof-case/1 op=RNN-22 type=double T=2 N=1 I=2 H=3 activations=Affine clip=0.5");
  const Words words = words_of(1);
  int later = 0;
  for (int k = 0; k < 60; ++k) {
    const auto guided = aimed(c, honest_outcome(make_problem(c)), Aim::AtTargets, words);
    ASSERT_TRUE(guided.has_value());
    // The clip bites in one of the two steps at least; with a state from before in the second.
    const Outcome outcome = honest_outcome(make_problem(*guided));
    for (std::size_t j = 0; j < 3; ++j) later += std::fabs(outcome.outputs[0]->value(3 + j)) > 0;
  }
  EXPECT_GE(later, 30);
  EXPECT_FALSE(aimed(parse_case("cellproof-case/1 op=RNN-22 type=float T=0 N=1 I=2 H=3"), {}, Aim::Bare, words));
  EXPECT_FALSE(
      aimed(parse_case("cellproof-case/1 op=DynamicQuantizeLSTM-1 type=float T=1 N=1 I=2 H=3"), {}, Aim::Bare, words));
}

TEST(Aim, TiesOfTheQuantiserAreHalvesOfItsStep) {
  const Case c = parse_case("cellproof-case/1 op=DynamicQuantizeLSTM-1 type=float T=2 N=2 I=3 H=3");
  const auto guided = on_ties(c, words_of(2));
  ASSERT_TRUE(guided.has_value());
  const Problem problem = make_problem(*guided);
  const Tensor& X = *problem.input(input::X);
  const double step = X.value(0) / 255;
  int ties = 0;
  for (std::size_t k = 1; k < X.size(); ++k) ties += std::fmod(X.value(k) / step, 1) == 0.5;
  EXPECT_GE(ties, 2);
}

TEST(BoundaryValue, OfAFunctionIsWhereItsPiecesMeet) {
  const auto has = [](const std::vector<Target>& targets, BoundaryValue kind, double argument) {
    for (const Target& target : targets) {
      if (target.kind == kind && std::fabs(target.argument - argument) < 1e-6) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(targets_of({"ThresholdedRelu", 0.75F, 0}, {}), BoundaryValue::Knot, 0.75));
  const auto hard = targets_of({"HardSigmoid", 0.25F, 0.5F}, 3.0F);
  EXPECT_TRUE(has(hard, BoundaryValue::Knot, -2));
  EXPECT_TRUE(has(hard, BoundaryValue::Knot, 2));
  EXPECT_TRUE(has(hard, BoundaryValue::ClipLimit, 3));
  EXPECT_TRUE(has(hard, BoundaryValue::ClipLimit, -3));
  EXPECT_FALSE(has(targets_of({"Affine", 2, 1}, {}), BoundaryValue::Knot, 0));
}

}  // namespace
}  // namespace cellproof::fuzz
