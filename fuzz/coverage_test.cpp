#include "fuzz/coverage.hpp"

#include <gtest/gtest.h>

#include "fuzz/suites.hpp"
#include "spec/axes.hpp"

namespace cellproof::fuzz {
namespace {

Finding finding_of(const Case& c, OutcomeKind outcome, bool pass) {
  Finding finding;
  finding.engine = "engine";
  finding.version = c.version;
  finding.axes = axis_values(c);
  finding.expectation = expectation_of(make_problem(c));
  finding.outcome = outcome;
  finding.pass = pass;
  return finding;
}

Case plain() {
  return plain_case({Operator::RNN, 22}, ElementType::Float, 3, 2, 4, 5);
}

std::size_t choose(std::size_t n, std::size_t k) {
  return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

TEST(Coverage, AFindingHasTheRowOfItsCase) {
  for (const auto& [name, c, law, clause] : load_suite("pairs").cases) {
    if (c.version.op != Operator::GRU) continue;
    static const CaseSpace space = case_space(Operator::GRU);
    EXPECT_EQ(FindingRows(space).of(finding_of(c, OutcomeKind::Ran, true)), row_of(space, c)) << name;
  }
}

/// RNN-22 has every axis of the operator but output_sequence, which ended with version 7.
TEST(Coverage, OfOneCaseIsAllItsPairsAndTriples) {
  const auto coverage = coverage_of(std::vector{finding_of(plain(), OutcomeKind::Ran, true)});
  ASSERT_EQ(coverage.size(), 1U);
  const std::size_t axes = coverage[0].axes.size() - 1;
  EXPECT_EQ(coverage[0].pairs.passed, choose(axes, 2));
  EXPECT_EQ(coverage[0].triples.passed, choose(axes, 3));
  EXPECT_EQ(coverage[0].pairs.covered(), coverage[0].pairs.passed);
  EXPECT_GT(coverage[0].pairs.possible, 5000U);
  TupleCounts sum;
  for (const TupleCounts& cell : coverage[0].cells) {
    sum.possible += cell.possible;
    sum.passed += cell.passed;
  }
  EXPECT_EQ(sum.possible, coverage[0].pairs.possible);
  EXPECT_EQ(sum.passed, coverage[0].pairs.passed);
}

TEST(Coverage, APassOutweighsAFailureAndThatARefusal) {
  const Case reverse = axis("direction").apply(plain(), "reverse");
  const Case clipped = axis("clip").apply(plain(), "biting");
  const auto coverage = coverage_of(std::vector{finding_of(plain(), OutcomeKind::Ran, true),
                                                finding_of(reverse, OutcomeKind::Crashed, false),
                                                finding_of(clipped, OutcomeKind::NotSupported, true)});
  ASSERT_EQ(coverage.size(), 1U);
  const std::size_t others = coverage[0].axes.size() - 2;
  EXPECT_EQ(coverage[0].pairs.failing, others);
  EXPECT_EQ(coverage[0].pairs.refused, others);
  EXPECT_EQ(coverage[0].pairs.passed, choose(others + 1, 2));
}

/// An undecided case is no failure to the gate, but nothing has been shown by it.
TEST(Coverage, AnUndecidedCaseDoesNotPassNorDoesItFail) {
  const Case reverse = axis("direction").apply(plain(), "reverse");
  const Case clipped = axis("clip").apply(plain(), "biting");
  Finding undecided = finding_of(reverse, OutcomeKind::Ran, true);
  undecided.judgement.verdict = Verdict::Undecided;
  const std::vector findings{finding_of(plain(), OutcomeKind::Ran, true), undecided,
                             finding_of(reverse, OutcomeKind::Crashed, false),
                             finding_of(clipped, OutcomeKind::Crashed, false)};
  const auto coverage = coverage_of(findings);
  ASSERT_EQ(coverage.size(), 1U);
  const std::size_t others = coverage[0].axes.size() - 2;
  EXPECT_EQ(coverage[0].pairs.undecided, others);
  EXPECT_EQ(coverage[0].pairs.failing, others);
  EXPECT_EQ(coverage[0].pairs.passed, choose(others + 1, 2));
  EXPECT_EQ(coverage[0].pairs.supported(), choose(others + 1, 2) + 2 * others);
  EXPECT_EQ(coverage[0].pairs.covered(), coverage[0].pairs.supported());
}

TEST(Coverage, InvalidCasesAndAbsentEnginesCoverNothing) {
  Case invalid = plain();
  invalid.attributes.direction = "backward";
  EXPECT_TRUE(coverage_of(std::vector{finding_of(invalid, OutcomeKind::Rejected, true),
                                      finding_of(plain(), OutcomeKind::EngineAbsent, true),
                                      finding_of(plain(), OutcomeKind::HarnessError, false)})
                  .empty());
}

TEST(Coverage, TheSuiteOfPairsCoversAllPairs) {
  std::vector<Finding> findings;
  for (const auto& [name, c, law, clause] : load_suite("pairs").cases)
    findings.push_back(finding_of(c, OutcomeKind::Ran, true));
  const auto all = coverage_of(findings);
  ASSERT_EQ(all.size(), 4U);
  for (const Coverage& coverage : all) {
    EXPECT_EQ(coverage.pairs.passed, coverage.pairs.possible) << name(coverage.op);
    EXPECT_LT(coverage.triples.passed, coverage.triples.possible) << name(coverage.op);
  }
}

}  // namespace
}  // namespace cellproof::fuzz
