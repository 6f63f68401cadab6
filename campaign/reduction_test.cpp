#include "campaign/reduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "campaign/check_directory.hpp"
#include "campaign/mutant_engine.hpp"
#include "campaign/reduced_case.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Values = std::vector<std::pair<std::string, std::string>>;

const EngineUnderTest under_test{"mutant", "1", {}};

bool never() {
  return false;
}

/// A mutant as an engine, which counts how often it is asked.
struct Asked {
  const engines::mutants::Mutant& mutant;
  std::atomic<int> times = 0;

  explicit Asked(const char* id) : mutant(*engines::mutants::mutant_named(id)) {}
  oracle::Probe probe() {
    return [this](const Problem& problem) {
      ++times;
      return outcome_of(problem, mutant);
    };
  }
};

Case case_with(const Values& values) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 3, 2, 4, 5);
  for (const auto& [name, value] : values) c = axis(name).apply(c, value);
  return c;
}

/// What a run would hold of the case.
Finding finding_of(const Case& c, const oracle::Probe& probe) {
  const Problem problem = make_problem(c);
  Finding finding;
  finding.engine = under_test.name;
  finding.engine_version = under_test.version;
  finding.suite = "smoke";
  finding.version = c.version;
  finding.type = "float";
  finding.case_line = to_text(c);
  finding.case_hash = case_hash(c);
  finding.axes = axis_values(c);
  finding.expectation = expectation_of(problem);
  const Outcome outcome = probe(problem);
  finding.outcome = outcome.kind;
  finding.signal = outcome.signal;
  if (outcome.kind == OutcomeKind::Ran)
    finding.judgement = oracle::decide(problem, finding.expectation, outcome, {{}, {}, probe});
  finding.pass = oracle::passes_gate(outcome, finding.judgement, {});
  finding.signature = "v1:" + finding.case_hash;
  return finding;
}

TEST(Reduction, LeavesWhatTheFailureNeedsAndSizesOfOne) {
  Asked engine("clip-ignored");
  const Finding finding = finding_of(
      case_with({{"clip", "biting"}, {"direction", "bidirectional"}, {"layout", "1"}, {"T", "8"}}), engine.probe());
  ASSERT_FALSE(finding.pass);
  const auto reduction = reduce(finding, under_test, engine.probe(), 100, never);
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->guilty, (Values{{"clip", "biting"}}));
  EXPECT_TRUE(reduction->complete);
  EXPECT_THAT(reduction->message, HasSubstr("behaves like clip-ignored"));
  const Case smallest = parse_case(reduction->case_line);
  EXPECT_EQ(smallest.T * smallest.N * smallest.I, 1);
  EXPECT_EQ(axis("direction").of(smallest), "forward");
  EXPECT_FALSE(finding_of(smallest, engine.probe()).pass);
}

TEST(Reduction, StopsWhenTimeIsOut) {
  Asked engine("clip-ignored");
  const Finding finding = finding_of(case_with({{"clip", "biting"}, {"direction", "reverse"}}), engine.probe());
  const auto reduction = reduce(finding, under_test, engine.probe(), 100, [] { return true; });
  ASSERT_TRUE(reduction);
  EXPECT_FALSE(reduction->complete);
  EXPECT_EQ(reduction->case_line, finding.case_line);
  EXPECT_EQ(reduction->runs, 2);
}

TEST(Reduction, StopsWhenTheEngineWasAskedOftenEnough) {
  Asked engine("clip-ignored");
  const Case c = case_with({{"clip", "biting"}, {"direction", "reverse"}, {"layout", "1"}, {"T", "8"}});
  const Finding finding = finding_of(c, engine.probe());
  const auto reduction = reduce(finding, under_test, engine.probe(), 4, never);
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->runs, 4);
  EXPECT_FALSE(reduction->complete);
  EXPECT_FALSE(finding_of(parse_case(reduction->case_line), engine.probe()).pass);
}

TEST(Reduction, WaitsForOneHangAtMost) {
  int asked = 0;
  const auto hangs_without_layout = [&](const Problem& problem) {
    ++asked;
    Outcome outcome;
    outcome.kind = problem.attributes.layout == 1 ? OutcomeKind::Crashed : OutcomeKind::TimedOut;
    return outcome;
  };
  const auto reduction = reduce(finding_of(case_with({{"layout", "1"}, {"clip", "biting"}}), hangs_without_layout),
                                under_test, hangs_without_layout, 100, never);
  ASSERT_TRUE(reduction);
  EXPECT_FALSE(reduction->complete);
  EXPECT_LE(asked, 5);
}

TEST(Reduction, ACrashStaysTheSameCrash) {
  const auto falls = [](const Problem& problem) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Crashed;
    outcome.signal = problem.attributes.layout == 1 ? 11 : 6;
    outcome.message = "it fell";
    return outcome;
  };
  const auto reduction =
      reduce(finding_of(case_with({{"layout", "1"}, {"clip", "biting"}}), falls), under_test, falls, 100, never);
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->guilty, (Values{{"layout", "1"}}));
  EXPECT_EQ(reduction->message, "it fell");
}

TEST(Reduction, WhatFailsOnlyOnceIsLeftAlone) {
  Asked engine("clip-ignored");
  const Finding finding = finding_of(case_with({{"clip", "biting"}}), engine.probe());
  Asked mended("initial-h-ignored");
  EXPECT_FALSE(reduce(finding, under_test, mended.probe(), 100, never));
  Finding hangs = finding;
  hangs.outcome = OutcomeKind::TimedOut;
  EXPECT_FALSE(reduce(hangs, under_test, engine.probe(), 100, never));
  Finding at_rest = finding;
  at_rest.case_line = "dir:/somewhere";
  EXPECT_FALSE(reduce(at_rest, under_test, engine.probe(), 100, never));
}

TEST(Reduction, OneOfEachSignatureWithinTheLimits) {
  Asked engine("clip-ignored");
  std::vector<Finding> findings;
  for (const char* direction : {"forward", "reverse", "bidirectional", "forward"}) {
    findings.push_back(finding_of(case_with({{"clip", "biting"}, {"direction", direction}}), engine.probe()));
    findings.back().number = static_cast<std::int64_t>(findings.size());
  }
  findings.push_back(finding_of(case_with({}), engine.probe()));  // passes
  std::vector<Finding> some = findings;
  std::atomic<int> kept = 0;
  const auto keep = [&](Finding& finding) { kept += finding.reduction.has_value(); };
  EXPECT_EQ(reduce_representatives(some, under_test, engine.probe(), 2, never, keep).size(), 2U);
  EXPECT_EQ(reduce_representatives(some, under_test, engine.probe(), 3, never, keep).size(),
            1U);  // those that it has are kept
  EXPECT_EQ(std::ranges::count_if(some, [](const Finding& f) { return f.reduction.has_value(); }), 3);
  EXPECT_EQ(kept, 3);
  EXPECT_TRUE(reduce_representatives(
                  findings, under_test, engine.probe(), 3, [] { return true; }, keep)
                  .empty());
}

TEST(ReducedCase, IsABackendTestWithAReadme) {
  Asked engine("clip-ignored");
  Finding finding = finding_of(case_with({{"clip", "biting"}, {"direction", "reverse"}}), engine.probe());
  finding.engine = "somebody's";
  finding.reduction = reduce(finding, under_test, engine.probe(), 100, never);
  ASSERT_TRUE(finding.reduction);
  const auto report = std::filesystem::path(::testing::TempDir()) / "reduced-case";
  std::filesystem::remove_all(report);
  const std::string folder = write_reduced_case(finding, "mine=./worker", report);
  EXPECT_EQ(write_reduced_case(finding, "mine=./worker", report), folder);  // again: replaced
  EXPECT_THAT(folder, ::testing::StartsWith("reduced/somebody_s-"));
  const auto checked = check_directory(report / folder, {});
  ASSERT_EQ(checked.size(), 1U);
  EXPECT_EQ(checked.front().finding.judgement.verdict, Verdict::Conforms);
  std::ifstream file(report / folder / "README.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), describe_reduced_case(finding, "mine=./worker"));
  EXPECT_LE(std::ranges::count(text.str(), '\n'), 10);
  for (const std::string& part : {finding.reduction->case_line, finding.case_line, std::string("clip=biting"),
                                  std::string("--engine 'mine=./worker'")})
    EXPECT_THAT(text.str(), HasSubstr(part));
  std::filesystem::remove_all(report);
}

}  // namespace
}  // namespace cellproof::campaign
