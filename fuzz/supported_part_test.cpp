#include "fuzz/supported_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/coverage.hpp"
#include "fuzz/suites.hpp"
#include "spec/axes.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

/// An engine that knows RNN and GRU from version 7 on, in float, with the default functions, without clip
/// and lengths.
struct TwoOperators {
  mutable std::int64_t asked = 0;

  Outcome operator()(const Problem& problem) const {
    ++asked;
    Outcome outcome;
    outcome.kind = runs(problem) ? OutcomeKind::Ran : OutcomeKind::NotSupported;
    return outcome;
  }

  static bool runs(const Problem& problem) {
    const bool is_known = problem.version.op == Operator::RNN || problem.version.op == Operator::GRU;
    const bool has_lengths =
        problem.inputs.size() > input::sequence_lens && problem.inputs[input::sequence_lens].tensor;
    const ElementType type = problem.inputs.at(input::X).tensor->type();
    const Attributes& attributes = problem.attributes;
    if (attributes.activations || attributes.clip) return false;
    return is_known && problem.version.since_version >= 7 && type == ElementType::Float && !has_lengths;
  }
};

std::vector<Finding> findings_of(const std::vector<corpus::SuiteCase>& cases) {
  std::vector<Finding> findings;
  for (const corpus::SuiteCase& each : cases) {
    const Problem problem = make_problem(each.c);
    Finding finding;
    finding.engine = "two-operators";
    finding.version = each.c.version;
    finding.axes = axis_values(each.c);
    finding.expectation = expectation_of(problem);
    finding.pass = TwoOperators::runs(problem);
    finding.outcome = finding.pass ? OutcomeKind::Ran : OutcomeKind::NotSupported;
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Coverage> coverage_with(const std::vector<corpus::SuiteCase>& cases) {
  std::vector<Coverage> coverage = coverage_of(findings_of(cases));
  std::erase_if(coverage, [](const Coverage& each) { return each.op != Operator::RNN && each.op != Operator::GRU; });
  return coverage;
}

TEST(SupportedPart, OfAPartialEngineHasItsPairsRun) {
  const corpus::Suite pairs = load_suite("pairs");
  const TwoOperators engine;
  const std::vector<corpus::SuiteCase> further = pairs.further(engine);
  EXPECT_LT(engine.asked, 800);
  std::vector<corpus::SuiteCase> all = pairs.cases;
  all.insert(all.end(), further.begin(), further.end());
  const std::vector<Coverage> before = coverage_with(pairs.cases), after = coverage_with(all);
  ASSERT_EQ(after.size(), 2U);
  for (std::size_t k = 0; k < after.size(); ++k) {
    EXPECT_LT(2 * before[k].pairs.supported(), after[k].pairs.supported());
    EXPECT_GE(10 * after[k].pairs.supported(), after[k].pairs_of_supported * 9);
    EXPECT_LT(after[k].pairs_of_supported, after[k].pairs.possible);
  }
  for (const corpus::SuiteCase& each : further) EXPECT_TRUE(TwoOperators::runs(make_problem(each.c))) << each.name;
  EXPECT_TRUE(std::ranges::any_of(
      further, [](const auto& each) { return each.name.find("/presentation/") != std::string::npos; }));
}

TEST(SupportedPart, OfAnEngineThatRunsAllOrNothingAsksNoMore) {
  const corpus::Suite pairs = load_suite("pairs");
  const auto always = [](OutcomeKind kind) {
    return [kind](const Problem&) {
      Outcome outcome;
      outcome.kind = kind;
      return outcome;
    };
  };
  EXPECT_TRUE(pairs.further(always(OutcomeKind::Ran)).empty());
  EXPECT_TRUE(pairs.further(always(OutcomeKind::Crashed)).empty());
}

TEST(SupportedPart, HasTheValuesThatRunAndTheRowsThatHaveNoOthers) {
  const CaseSpace space = case_space(Operator::RNN);
  const Row plain = row_of(space, plain_case({Operator::RNN, 22}, ElementType::Float, 3, 2, 4, 5));
  EXPECT_FALSE(supported_part(space, {plain}, TwoOperators()).has_value()) << "the plain row has no other values";
  Row with_lengths = plain;
  const auto number_of = [&](std::string_view axis) {
    return static_cast<std::size_t>(std::ranges::find(space.factors, axis, &CaseFactor::axis) - space.factors.begin());
  };
  with_lengths[number_of("lengths")] = 1;
  const auto without = supported_part(space, {with_lengths}, TwoOperators());
  ASSERT_TRUE(without.has_value());
  EXPECT_TRUE(without->there.empty());
  EXPECT_EQ(without->values[number_of("lengths")], 1U) << "absent alone";
  EXPECT_EQ(without->values[number_of("direction")], 7U) << "all three";
}

}  // namespace
}  // namespace cellproof::fuzz
