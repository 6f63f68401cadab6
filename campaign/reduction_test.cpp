#include "campaign/reduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "campaign/check_directory.hpp"
#include "campaign/reduced_case.hpp"
#include "campaign/testing/reducing.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/minimise_numbers.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using testing::at_most;
using testing::case_with;
using testing::finding_of;
using ::testing::HasSubstr;
using testing::stopped;
using testing::under_test;

/// A mutant as an engine, which counts how often it is asked.
struct Asked {
  const lab::mutants::Mutant& mutant;
  std::atomic<int> times = 0;

  explicit Asked(const char* id) : mutant(*lab::mutants::mutant_named(id)) {}
  engines::Probe probe() {
    return [this](const Problem& problem) {
      ++times;
      return outcome_of(problem, mutant);
    };
  }
};

TEST(Reduction, LeavesWhatTheFailureNeedsSizesOfOneAndFewNumbers) {
  Asked engine("clip-ignored");
  const Finding finding = finding_of(
      case_with({{"clip", "biting"}, {"direction", "bidirectional"}, {"layout", "1"}, {"T", "8"}}), engine.probe());
  ASSERT_FALSE(finding.pass);
  const auto reduction = reduce(finding, under_test, engine.probe(), at_most(100));
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->guilty, (AxisValues{{"clip", "biting"}}));
  EXPECT_TRUE(reduction->complete);
  EXPECT_THAT(reduction->message, HasSubstr("behaves like clip-ignored"));
  const Case smallest = parse_case(reduction->case_line);
  EXPECT_EQ(smallest.T * smallest.N * smallest.I, 1);
  EXPECT_EQ(axis("direction").of(smallest), "forward");
  EXPECT_FALSE(finding_of(smallest, engine.probe()).pass);
  EXPECT_LE(oracle::count_numbers(smallest).not_zero, 3);
  ASSERT_TRUE(reduction->first);
  EXPECT_EQ(reduction->first->output, output::Y);
  EXPECT_NE(reduction->first->expected, reduction->first->actual);
  ASSERT_TRUE(reduction->passing);
  EXPECT_EQ(reduction->passing->with, (AxisValues{{"clip", "absent"}}));
  EXPECT_TRUE(finding_of(parse_case(reduction->passing->case_line), engine.probe()).pass);
}

TEST(Reduction, NeedsThePlaceWhereAnyOtherFunctionFails) {
  const auto needs_of = [](const char* mutant, const char* function) {
    Asked engine(mutant);
    Finding finding = finding_of(case_with({{"activation.g", function}}), engine.probe());
    finding.judgement.faults.clear();
    EngineUnderTest unknown = under_test;
    unknown.tried.emplace();
    const auto reduction = reduce(finding, unknown, engine.probe(), at_most(200));
    return reduction ? reduction->guilty : AxisValues{};
  };
  EXPECT_EQ(needs_of("activation-g-ignored", "Softplus"), (AxisValues{{"activation.g", "any"}}));
  EXPECT_EQ(needs_of("softplus-as-sigmoid", "Softplus"), (AxisValues{{"activation.g", "Softplus"}}));
}

TEST(Reduction, NamesNoCaseThatFailsAsOneThatPasses) {
  Asked engine("rb-ignored");  // and whatever has no B crashes
  const engines::Probe probe = [&](const Problem& problem) {
    Outcome outcome = engine.probe()(problem);
    if (problem.input(input::B) == nullptr) outcome.kind = OutcomeKind::Crashed;
    return outcome;
  };
  const Finding finding = finding_of(case_with({{"input.B", "initializer"}}), probe);
  const auto reduction = reduce(finding, under_test, probe, at_most(100));
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->guilty, (AxisValues{{"input.B", "initializer"}}));
  EXPECT_FALSE(reduction->passing);
}

TEST(Reduction, KeepsWhatTheSignatureSays) {
  for (const char* id : {"gate-order-ifoc", "rb-ignored", "clip-ignored", "direction-ignored"}) {
    Asked engine(id);
    const Case start =
        case_with({{"clip", "biting"}, {"direction", "reverse"}, {"input.B", "initializer"}, {"T", "8"}});
    const Finding finding = finding_of(start, engine.probe());
    ASSERT_FALSE(finding.pass) << id;
    const auto reduction = reduce(finding, under_test, engine.probe(), {});
    ASSERT_TRUE(reduction) << id;
    const Judgement small = finding_of(parse_case(reduction->case_line), engine.probe()).judgement;
    EXPECT_EQ(small.verdict, finding.judgement.verdict) << id;
    EXPECT_EQ(small.kind, finding.judgement.kind) << id;
    ASSERT_FALSE(finding.judgement.faults.empty()) << id;
    EXPECT_THAT(small.faults, ::testing::Contains(finding.judgement.faults.front())) << reduction->case_line;
    EXPECT_LE(reduction->runs, 200) << id;
  }
}

TEST(Reduction, IsTheSameEveryTimeAndCannotGoFurther) {
  Asked engine("rb-ignored");
  const Finding finding = finding_of(case_with({{"input.B", "graph"}, {"layout", "1"}}), engine.probe());
  const auto once = reduce(finding, under_test, engine.probe(), {});
  const auto twice = reduce(finding, under_test, engine.probe(), {});
  ASSERT_TRUE(once && twice);
  EXPECT_EQ(once->case_line, twice->case_line);
  EXPECT_EQ(once->runs, twice->runs);
  const auto further = reduce(finding_of(parse_case(once->case_line), engine.probe()), under_test, engine.probe(), {});
  ASSERT_TRUE(further);
  EXPECT_EQ(further->case_line, once->case_line);
}

TEST(Reduction, AsksNothingTwiceWhenItIsBegunAgain) {
  const TemporaryFolder folder;
  const auto file = folder / "progress";
  Asked engine("rb-ignored");
  const Finding finding = finding_of(case_with({{"input.B", "graph"}, {"layout", "1"}}), engine.probe());
  const auto whole = reduce(finding, under_test, engine.probe(), {});
  ASSERT_TRUE(whole);
  std::int64_t calls = 0;
  std::optional<Reduction> reduction;
  for (int part = 0; part < 100 && !(reduction && reduction->complete); ++part) {
    ReductionJournal journal(file, "this");
    ReductionLimits limits = at_most(5);  // two of them are the first question and the last
    limits.journal = &journal;
    reduction = reduce(finding, under_test, engine.probe(), limits);
    ASSERT_TRUE(reduction);
    EXPECT_FALSE(finding_of(parse_case(reduction->case_line), engine.probe()).pass);
    ++calls;
  }
  EXPECT_TRUE(reduction->complete);
  EXPECT_GT(calls, 2);
  EXPECT_EQ(reduction->case_line, whole->case_line);
  EXPECT_EQ(reduction->guilty, whole->guilty);
  EXPECT_EQ(reduction->runs, whole->runs);
  std::filesystem::remove(file);
}

TEST(Reduction, OfAForeignModelStartsFromItsTensors) {
  Asked engine("gate-order-ifoc");
  const Case literal = case_of(make_problem(case_with({{"layout", "1"}})));
  const Finding finding = finding_of(literal, engine.probe());
  const auto reduced = reduce_case(literal, finding, under_test, engine.probe(), {});
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->smallest.H, 1);
  EXPECT_TRUE(axis_values(reduced->smallest).size() <= 4) << reduced->record.case_line;  // sizes of 1
  EXPECT_LE(oracle::count_numbers(reduced->smallest).all, 12);
  EXPECT_FALSE(finding_of(reduced->smallest, engine.probe()).pass);
}

TEST(Reduction, StopsWhenTimeIsOut) {
  Asked engine("clip-ignored");
  const Finding finding = finding_of(case_with({{"clip", "biting"}, {"direction", "reverse"}}), engine.probe());
  const auto reduction = reduce(finding, under_test, engine.probe(), stopped());
  ASSERT_TRUE(reduction);
  EXPECT_FALSE(reduction->complete);
  EXPECT_EQ(reduction->case_line, finding.case_line);
  EXPECT_EQ(reduction->runs, 2);
}

TEST(Reduction, StopsWhenTheEngineWasAskedOftenEnough) {
  Asked engine("clip-ignored");
  const Case c = case_with({{"clip", "biting"}, {"direction", "reverse"}, {"layout", "1"}, {"T", "8"}});
  const Finding finding = finding_of(c, engine.probe());
  const auto reduction = reduce(finding, under_test, engine.probe(), at_most(4));
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
                                under_test, hangs_without_layout, at_most(100));
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
      reduce(finding_of(case_with({{"layout", "1"}, {"clip", "biting"}}), falls), under_test, falls, at_most(100));
  ASSERT_TRUE(reduction);
  EXPECT_EQ(reduction->guilty, (AxisValues{{"layout", "1"}}));
  EXPECT_EQ(reduction->message, "it fell");
}

TEST(Reduction, WhatFailsOnlyOnceIsLeftAlone) {
  Asked engine("clip-ignored");
  const Finding finding = finding_of(case_with({{"clip", "biting"}}), engine.probe());
  Asked mended("initial-h-ignored");
  EXPECT_FALSE(reduce(finding, under_test, mended.probe(), at_most(100)));
  Finding hangs = finding;
  hangs.outcome = OutcomeKind::TimedOut;
  EXPECT_FALSE(reduce(hangs, under_test, engine.probe(), at_most(100)));
  Finding at_rest = finding;
  at_rest.case_line = "dir:/somewhere";
  EXPECT_FALSE(reduce(at_rest, under_test, engine.probe(), at_most(100)));
}

/// One for each direction that is named.
std::vector<Finding> with_clip_ignored(Asked& engine, const std::vector<const char*>& directions) {
  std::vector<Finding> findings;
  for (const char* direction : directions) {
    findings.push_back(finding_of(case_with({{"clip", "biting"}, {"direction", direction}}), engine.probe()));
    findings.back().number = static_cast<std::int64_t>(findings.size());
  }
  return findings;
}

void keep_nothing(Finding&) {}

TEST(Reduction, BeginsWithNoSignatureOnceItIsLate) {
  Asked engine("clip-ignored");
  std::vector<Finding> findings = with_clip_ignored(engine, {"forward", "reverse", "bidirectional"});
  ReductionLimits limits;
  limits.late = [] { return true; };
  std::atomic<int> calls = 0;
  const engines::Probe counting = [&, probe = engine.probe()](const Problem& problem) {
    return ++calls, probe(problem);
  };
  EXPECT_TRUE(reduce_representatives(findings, under_test, counting, 3, limits, keep_nothing).empty());
  EXPECT_EQ(calls, 0);
  // One that is begun with becomes no smaller once it is late.
  limits.late = [&] { return calls > 0; };
  const auto begun = reduce_representatives(findings, under_test, counting, 3, limits, keep_nothing);
  ASSERT_FALSE(begun.empty());
  EXPECT_FALSE(findings[begun.front()].reduction->complete);
  EXPECT_EQ(findings[begun.front()].reduction->case_line, findings[begun.front()].case_line);
}

TEST(Reduction, OneOfEachSignatureWithinTheLimits) {
  Asked engine("clip-ignored");
  std::vector<Finding> findings = with_clip_ignored(engine, {"forward", "reverse", "bidirectional", "forward"});
  findings.push_back(finding_of(case_with({}), engine.probe()));  // passes
  std::vector<Finding> some = findings;
  std::atomic<int> kept = 0;
  const auto keep = [&](Finding& finding) { kept += finding.reduction.has_value(); };
  EXPECT_EQ(reduce_representatives(some, under_test, engine.probe(), 2, {}, keep).size(), 2U);
  EXPECT_EQ(reduce_representatives(some, under_test, engine.probe(), 3, {}, keep).size(),
            1U);  // those that it has are kept
  EXPECT_EQ(std::ranges::count_if(some, [](const Finding& f) { return f.reduction.has_value(); }), 3);
  EXPECT_EQ(kept, 3);
  EXPECT_TRUE(reduce_representatives(findings, under_test, engine.probe(), 3, stopped(), keep).empty());
}

TEST(ReducedCase, IsABackendTestWithAReadme) {
  Asked engine("clip-ignored");
  Finding finding = finding_of(case_with({{"clip", "biting"}, {"direction", "reverse"}}), engine.probe());
  finding.engine = "somebody's";
  finding.reduction = reduce(finding, under_test, engine.probe(), at_most(100));
  ASSERT_TRUE(finding.reduction);
  const TemporaryFolder report;
  const Case smallest = parse_case(finding.reduction->case_line);
  const std::string folder = write_reduced_case(finding, "mine=./worker", report.path());
  EXPECT_EQ(write_reduced_case(finding, "mine=./worker", report.path()), folder);  // again: replaced
  EXPECT_THAT(folder, ::testing::StartsWith("reduced/somebody_s-"));
  const auto checked = check_directory(report / folder, {});
  ASSERT_EQ(checked.size(), 1U);
  EXPECT_EQ(checked.front().finding.judgement.verdict, Verdict::Conforms);
  std::ifstream file(report / folder / "README.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), describe_reduced_case(finding, smallest, "mine=./worker"));
  EXPECT_EQ(std::ranges::count(text.str(), '\n'), 10);
  for (const std::string& part : {finding.reduction->case_line, finding.case_line, std::string("clip=biting"),
                                  std::string("--engine 'mine=./worker'"), expected_text(*finding.reduction->first),
                                  actual_text(*finding.reduction->first), std::string("python3 run.py MODULE")})
    EXPECT_THAT(text.str(), HasSubstr(part));
  EXPECT_TRUE(std::filesystem::exists(report / folder / "run.py"));
  const auto first_line_of_issue = [&] {
    std::ifstream issue(report / folder / "ISSUE.md");
    std::string line;
    std::getline(issue, line);
    return line;
  };
  EXPECT_THAT(first_line_of_issue(), HasSubstr(": somebody's returns wrong values with clip=biting"));
  Cause cause;
  cause.title = "does not clip";
  name_issue(finding, cause, report / folder);
  EXPECT_THAT(first_line_of_issue(), ::testing::EndsWith(": somebody's does not clip"));
  // --resume of a store that was moved without its folders
  std::filesystem::remove_all(report / folder);
  name_issue(finding, cause, report / folder);
  EXPECT_THAT(first_line_of_issue(), ::testing::EndsWith(": somebody's does not clip"));
  EXPECT_TRUE(std::filesystem::exists(report / folder / "run.py"));
}

}  // namespace
}  // namespace cellproof::campaign
