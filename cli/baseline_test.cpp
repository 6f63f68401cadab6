#include "cli/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "campaign/run.hpp"

namespace cellproof::cli {
namespace {

using testing::ElementsAre;

Finding failing(const std::string& engine, const std::string& signature) {
  Finding finding;
  finding.engine = engine;
  finding.outcome = OutcomeKind::Ran;
  finding.signature = signature;
  finding.case_line = "case of " + signature;
  return finding;
}

TEST(Baseline, OnlyWhatItDoesNotFailInFailsTheRun) {
  const std::vector<Finding> base{failing("ours", "v1:(ours, a)"), failing("ours", "v1:(ours, a)"),
                                  failing("ours", "v1:(ours, mended)"), failing("theirs", "v1:(theirs, b)")};
  reports::ReportData data;
  data.findings = {failing("ours", "v1:(ours, a)")};
  BaselineComparison comparison = compare_with_baseline(base, "base.sqlite", data);
  EXPECT_THAT(comparison.fresh, ElementsAre());
  EXPECT_THAT(comparison.known, ElementsAre("v1:(ours, a)"));
  EXPECT_THAT(comparison.gone, ElementsAre("v1:(ours, mended)")) << "of an engine that did not run nothing is known";
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 0);

  data.findings.push_back(failing("ours", "v1:(ours, c)"));
  data.waived.clear();
  comparison = compare_with_baseline(base, "base.sqlite", data);
  EXPECT_THAT(comparison.fresh, ElementsAre("v1:(ours, c)"));
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 1);
  EXPECT_EQ(to_text(comparison, "base.sqlite"),
            "against base.sqlite: 1 new, 1 known, 1 gone\n"
            "  new   v1:(ours, c)\n"
            "  gone  v1:(ours, mended)\n");
}

const std::string alike = "v1:(ours, LSTM, DIVERGES, Y, value, -, ";
const std::string unattributed = alike + "axes=unattributed)";
const std::string attributed = alike + "clip=biting)";

/// A finding of a case in which LSTM has wrong values in Y, as the signatures above say.
Finding wrong(const std::string& case_line, const std::string& signature) {
  Finding finding = failing("ours", signature);
  finding.case_line = case_line;
  finding.judgement.verdict = Verdict::Diverges;
  finding.judgement.kind = "value";
  finding.judgement.first = FirstViolation{};
  finding.judgement.first->output = "Y";
  return finding;
}

Finding right(const std::string& case_line) {
  Finding finding = wrong(case_line, "");
  finding.judgement = {};
  finding.judgement.verdict = Verdict::Conforms;
  finding.pass = true;
  return finding;
}

/// What a run makes of these findings against a base.
struct Compared {
  BaselineComparison comparison;
  int exit_code = 0;
};

Compared compared(const std::vector<Finding>& base, const std::vector<Finding>& now) {
  reports::ReportData data;
  data.findings = now;
  BaselineComparison comparison = compare_with_baseline(base, "base.sqlite", data);
  return {std::move(comparison), campaign::exit_code_of(data.findings, data.waived)};
}

TEST(Baseline, KnowsWhatNoAxisValueIsBlamedForWhereTheBaseSaysJustThat) {
  const auto [comparison, exit_code] = compared({wrong("A", unattributed)}, {wrong("B", unattributed)});
  EXPECT_THAT(comparison.known, ElementsAre(unattributed));
  EXPECT_EQ(exit_code, 0);
}

/// A run that is cut short has fewer cases to tell axis values apart, and blames others or none.
TEST(Baseline, KnowsTheSameCasesThatFailAlikeWhateverAxesTheyAreSignedWith) {
  const std::vector<Finding> base{wrong("A", attributed), wrong("B", attributed), right("C")};
  for (const std::string& now : {unattributed, alike + "-)", alike + "clip=biting direction=reverse)"}) {
    const auto [comparison, exit_code] = compared(base, {wrong("B", now)});
    EXPECT_THAT(comparison.known, ElementsAre(now));
    EXPECT_THAT(comparison.gone, ElementsAre()) << "it fails as it did, under another name";
    EXPECT_EQ(exit_code, 0);
  }
}

/// Which fault explains most cases depends on the cases, and the signature has only that one.
TEST(Baseline, KnowsTheSameCaseWhicheverOfItsFaultsComesFirst) {
  Finding before = wrong("A", "v1:(ours, LSTM, DIVERGES, Y, value, clip-before, clip=biting)");
  before.judgement.faults = {"clip-before", "clip-absent"};
  Finding now = wrong("A", "v1:(ours, LSTM, DIVERGES, Y, value, clip-absent, clip=biting)");
  now.judgement.faults = {"clip-absent", "clip-before"};
  EXPECT_EQ(compared({before}, {now}).exit_code, 0);
  now.judgement.faults = {"clip-absent"};
  EXPECT_EQ(compared({before}, {now}).exit_code, 1);
}

TEST(Baseline, WhatPassedIsNewWhenItFailsHoweverMuchElseFailsAlike) {
  const std::vector<Finding> base{wrong("A", attributed), right("B")};
  const auto [comparison, exit_code] = compared(base, {wrong("A", unattributed), wrong("B", unattributed)});
  EXPECT_THAT(comparison.fresh, ElementsAre(unattributed)) << "one of its cases is new";
  EXPECT_EQ(exit_code, 1);
}

TEST(Baseline, WhatFailsOtherwiseThanBeforeIsNew) {
  Finding crashed = wrong("A", alike + "axes=unattributed)");
  crashed.outcome = OutcomeKind::Crashed;
  EXPECT_EQ(compared({wrong("A", attributed)}, {crashed}).exit_code, 1);
  Finding of_a_law = wrong("A", unattributed);
  of_a_law.law = "layout";
  EXPECT_THAT(compared({wrong("A", attributed)}, {of_a_law}).comparison.possibly_known, testing::SizeIs(1))
      << "another experiment on the same case: the base has not tried it";
}

/// Of cases that the base has not run nobody knows: that must be seen, and must not stop anybody.
TEST(Baseline, SaysWhatIsPossiblyKnown) {
  const auto [comparison, exit_code] = compared({wrong("A", attributed)}, {wrong("B", unattributed)});
  EXPECT_THAT(comparison.fresh, ElementsAre());
  EXPECT_THAT(comparison.possibly_known, ElementsAre(testing::Pair(unattributed, ElementsAre(attributed))));
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(to_text(comparison, "base.sqlite"),
            "against base.sqlite: 0 new, 0 known, 1 possibly known, 0 gone\n"
            "  possibly known   " +
                unattributed + "\n" + "    the base has   " + attributed + "\n");
  EXPECT_EQ(compared({wrong("A", unattributed)}, {wrong("B", attributed)}).comparison.possibly_known.size(), 1U);
}

TEST(Baseline, WhatBlamesOtherAxesInOtherCasesIsNew) {
  const auto [comparison, exit_code] = compared({wrong("A", attributed)}, {wrong("B", alike + "layout=1)")});
  EXPECT_THAT(comparison.fresh, ElementsAre(alike + "layout=1)"));
  EXPECT_EQ(exit_code, 1);
  EXPECT_EQ(compared({wrong("A", attributed)}, {wrong("B",
                                                      "v1:(ours, LSTM, DIVERGES, Y_c, value, -, "
                                                      "axes=unattributed)")})
                .exit_code,
            1)
      << "another output";
}

TEST(Baseline, AnErrorOfTheHarnessIsNeverKnown) {
  Finding broken = failing("ours", "");
  broken.outcome = OutcomeKind::HarnessError;
  reports::ReportData data;
  data.findings = {broken};
  EXPECT_THAT(compare_with_baseline({broken}, "base.sqlite", data).known, ElementsAre());
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 3);
}

}  // namespace
}  // namespace cellproof::cli
