#include "cli/baseline_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "campaign/run.hpp"
#include "campaign/waivers.hpp"
#include "spec/signature.hpp"

namespace cellproof::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Finding failing(const std::string& engine, const std::string& signature) {
  Finding finding;
  finding.engine = engine;
  finding.outcome = OutcomeKind::Ran;
  finding.signature = signature;
  finding.case_line = "case of " + signature;
  finding.axes = {{"regime.X", signature}};
  return finding;
}

TEST(Baseline, OnlyWhatItDoesNotFailInFailsTheRun) {
  const std::vector<Finding> base{failing("ours", "v1:(ours, a)"), failing("ours", "v1:(ours, a)"),
                                  failing("ours", "v1:(ours, mended)"), failing("theirs", "v1:(theirs, b)")};
  Finding mended = failing("ours", "");
  mended.case_line = base[2].case_line;
  mended.judgement.verdict = Verdict::Conforms;
  mended.pass = true;
  reports::ReportData data;
  data.findings = {failing("ours", "v1:(ours, a)"), mended};
  campaign::BaselineComparison comparison = campaign::compare_with_baseline({base}, "base.sqlite", data);
  EXPECT_THAT(comparison.fresh, ElementsAre());
  EXPECT_THAT(comparison.known, ElementsAre("v1:(ours, a)"));
  EXPECT_THAT(comparison.gone, ElementsAre("v1:(ours, mended)")) << "of an engine that did not run nothing is known";
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 0);

  data.findings.push_back(failing("ours", "v1:(ours, c)"));
  data.waived.clear();
  comparison = campaign::compare_with_baseline({base}, "base.sqlite", data);
  EXPECT_THAT(comparison.fresh, ElementsAre("v1:(ours, c)"));
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 1);
  EXPECT_EQ(to_text(comparison, "base.sqlite"),
            "against base.sqlite: 1 new, 1 known, 1 gone\n"
            "  new   v1:(ours, c)\n"
            "  gone  v1:(ours, mended)\n"
            "  not run: theirs, of which the base has findings\n");
}

const std::string alike = "v1:(ours, LSTM, DIVERGES, Y, value, -, ";
const std::string unattributed = alike + "axes=unattributed)";
const std::string attributed = alike + "clip=biting)";

/// A finding of a case in which LSTM has wrong values in Y, as the signatures above say.
Finding wrong(const std::string& case_line, const std::string& signature) {
  Finding finding = failing("ours", signature);
  finding.case_line = case_line;
  finding.axes = {{"regime.X", case_line}};
  finding.judgement.verdict = Verdict::Diverges;
  finding.judgement.kind = ViolationKind::Value;
  finding.judgement.first = FirstViolation{};
  finding.judgement.first->output = output::Y;
  return finding;
}

Finding right(const std::string& case_line) {
  Finding finding = wrong(case_line, "");
  finding.judgement = {};
  finding.judgement.verdict = Verdict::Conforms;
  finding.pass = true;
  return finding;
}

/// Comparison of a run with a base, and the run's exit code.
struct Compared {
  campaign::BaselineComparison comparison;
  int exit_code = 0;
};

Compared compared(const std::vector<Finding>& base, const std::vector<Finding>& now) {
  reports::ReportData data;
  data.findings = now;
  campaign::BaselineComparison comparison = campaign::compare_with_baseline({base}, "base.sqlite", data);
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

TEST(Baseline, ASignatureThatTakesCasesThatPassedIsNew) {
  const std::vector<Finding> base{wrong("A", unattributed), right("B")};
  const auto [comparison, exit_code] = compared(base, {wrong("A", unattributed), wrong("B", unattributed)});
  EXPECT_EQ(exit_code, 1);
  EXPECT_EQ(to_text(comparison, "base.sqlite"),
            "against base.sqlite: 1 new, 0 known, 0 gone\n"
            "  new   " +
                unattributed + ", in cases that passed in the base, too\n");
}

TEST(Baseline, WhatFailsOtherwiseThanBeforeIsNew) {
  Finding crashed = wrong("A", alike + "axes=unattributed)");
  crashed.outcome = OutcomeKind::Crashed;
  EXPECT_EQ(compared({wrong("A", attributed)}, {crashed}).exit_code, 1);
  Finding of_a_law = wrong("A", unattributed);
  of_a_law.law = "layout";
  of_a_law.judgement.kind = ViolationKind::Law;
  EXPECT_THAT(compared({wrong("A", attributed)}, {of_a_law}).comparison.possibly_known, testing::SizeIs(1))
      << "another experiment on the same case: the base has not tried it";
}

/// Failures of cases that the base has not run may be known or new: that must be seen, and must not stop anybody.
TEST(Baseline, SaysWhatIsPossiblyKnown) {
  const auto [comparison, exit_code] = compared({wrong("A", attributed)}, {wrong("B", unattributed)});
  EXPECT_THAT(comparison.fresh, ElementsAre());
  ASSERT_THAT(comparison.possibly_known, ElementsAre(testing::Key(unattributed)));
  EXPECT_THAT(comparison.possibly_known.at(unattributed).alike, ElementsAre(attributed));
  EXPECT_FALSE(comparison.possibly_known.at(unattributed).flaky);
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(to_text(comparison, "base.sqlite"),
            "against base.sqlite: 0 new, 0 known, 1 possibly known, 0 gone\n"
            "  possibly known   " +
                unattributed + "\n" + "    the base has   " + attributed + "\n" +
                "  not run: 1 of the 1 cases that the base has\n");
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

/// A failure that an identical call did not repeat: `outcome` and an answer, or two answers.
Finding flaky(const std::string& case_line, OutcomeKind outcome) {
  Finding finding = wrong(case_line, "");
  finding.outcome = outcome;
  finding.flaky = OtherOutcome{};
  finding.judgement = {};
  if (outcome == OutcomeKind::Ran) {
    finding.judgement.verdict = Verdict::Diverges;
    finding.judgement.kind = ViolationKind::Repeat;
  }
  finding.signature = to_text(signature_of(finding, {}));
  return finding;
}

constexpr OutcomeKind ran = OutcomeKind::Ran, crashed = OutcomeKind::Crashed, timed_out = OutcomeKind::TimedOut;

Finding dead(const std::string& case_line, OutcomeKind outcome) {
  Finding finding = failing("ours", "v1:(ours, LSTM, -, -, " + std::string(name(outcome)) + ", -, -)");
  finding.case_line = case_line;
  finding.outcome = outcome;
  finding.judgement.kind = ViolationKind::Outcome;
  return finding;
}

TEST(Baseline, WhatIsFlakyIsKnownByItsSignatureOrItsCase) {
  const std::vector<Finding> base{flaky("A", crashed), right("B")};
  EXPECT_EQ(compared(base, {flaky("A", crashed)}).exit_code, 0);
  EXPECT_EQ(compared(base, {right("A"), flaky("B", crashed)}).exit_code, 0) << "that it passed was chance";
  EXPECT_EQ(compared(base, {flaky("C", crashed)}).exit_code, 0);
  const Compared otherwise = compared(base, {flaky("A", timed_out)});
  EXPECT_EQ(otherwise.exit_code, 0) << "the case is flaky in both";
  EXPECT_THAT(otherwise.comparison.known, testing::SizeIs(1));
  EXPECT_THAT(otherwise.comparison.unseen, ElementsAre());
}

TEST(Baseline, WhatIsNewlyFlakySaysWhy) {
  const std::string sign = flaky("A", crashed).signature;
  for (const auto& [before, why] :
       {std::pair(right("A"), "flaky, in a case that passed in the base"),
        std::pair(wrong("A", attributed), "flaky, in a case that fails otherwise in the base"),
        std::pair(right("B"), "flaky, in a case that the base has not run")}) {
    const auto [comparison, exit_code] = compared({before}, {flaky("A", crashed)});
    EXPECT_EQ(exit_code, 1) << why;
    EXPECT_THAT(to_text(comparison, "base.sqlite"), HasSubstr("  new   " + sign + ", " + why + "\n"));
  }
}

/// By chance two identical calls may fail alike: then it looks as if it failed each time.
TEST(Baseline, WhatFailsByChanceInOneAndEachTimeInTheOtherIsPossiblyKnown) {
  for (const auto& [chance, steady] :
       {std::pair(flaky("A", crashed), dead("A", crashed)), std::pair(flaky("A", ran), wrong("A", attributed))}) {
    const auto [there, code_there] = compared({chance}, {steady});
    ASSERT_THAT(there.possibly_known, ElementsAre(testing::Key(steady.signature)));
    EXPECT_THAT(there.possibly_known.at(steady.signature).alike, ElementsAre(chance.signature));
    EXPECT_EQ(code_there, 0);
    EXPECT_THAT(to_text(there, "base"), HasSubstr("    by chance in the base   " + chance.signature));
    EXPECT_THAT(there.unseen, ElementsAre()) << "it is there under another name";
    const auto [here, code_here] = compared({steady}, {chance});
    EXPECT_EQ(code_here, 0);
    EXPECT_THAT(to_text(here, "base"), HasSubstr("    each time in the base   " + steady.signature));
    EXPECT_THAT(here.gone, ElementsAre());
  }
}

TEST(Baseline, ChanceExcusesNothingElse) {
  const auto [crash, code] = compared({flaky("A", ran)}, {dead("A", crashed)});
  EXPECT_EQ(code, 1) << "a crash is no answer that differs";
  EXPECT_THAT(to_text(crash, "base"), HasSubstr(", in a case that is flaky in the base, in another way\n"));
  EXPECT_EQ(compared({flaky("A", crashed)}, {wrong("A", attributed)}).exit_code, 1);
  const auto [passed, code_passed] = compared({flaky("A", ran), right("B")}, {wrong("B", attributed)});
  EXPECT_EQ(code_passed, 1);
  EXPECT_THAT(to_text(passed, "base"), HasSubstr(", though other cases of its operator are flaky in the base\n"));
}

TEST(Baseline, WhatIsFlakyIsNotSaidToBeGone) {
  const auto [comparison, exit_code] = compared({flaky("A", crashed)}, {right("A")});
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(to_text(comparison, "base"),
            "against base: 0 new, 0 known, 0 gone, 1 flaky not seen\n"
            "  flaky in the base, not seen now   " +
                flaky("A", crashed).signature + "\n");
}

TEST(Baseline, OfSeveralRunsWhatAnyFailedInIsKnown) {
  const Finding one = wrong("A", attributed), other = wrong("B", alike + "layout=1)");
  EXPECT_EQ(compared({one, right("B"), right("A"), other}, {one, other}).exit_code, 0);
}

Finding refused(const std::string& case_line) {
  Finding finding = right(case_line);
  finding.judgement = {};
  finding.outcome = OutcomeKind::NotSupported;
  finding.outcome_message = "no kernel for it";
  return finding;
}

TEST(Baseline, GoneIsOnlyWhatRunsAndPasses) {
  const std::vector<Finding> base{wrong("A", attributed)};
  EXPECT_THAT(compared(base, {right("A")}).comparison.gone, ElementsAre(attributed));
  const auto cut_short = compared(base, {right("B")}).comparison;
  EXPECT_THAT(cut_short.gone, ElementsAre());
  EXPECT_THAT(cut_short.not_run, ElementsAre(attributed));
  EXPECT_EQ(to_text(cut_short, "base.sqlite"),
            "against base.sqlite: 0 new, 0 known, 0 gone, 1 not run\n"
            "  not run   " +
                attributed + "\n" + "  not run: 1 of the 1 cases that the base has\n");
  const Compared instead = compared(base, {refused("A")});
  EXPECT_THAT(instead.comparison.gone, ElementsAre());
  EXPECT_THAT(instead.comparison.refused, ElementsAre(attributed));
  EXPECT_EQ(instead.exit_code, 0) << "a gap is better than a wrong result";
}

TEST(Baseline, ARefusalOfWhatTheBaseRanFails) {
  const auto findings_of = [](const std::vector<Finding>& base, const std::vector<Finding>& now) {
    reports::ReportData data;
    data.findings = now;
    for (Finding& finding : data.findings) finding.number = static_cast<std::int64_t>(&finding - data.findings.data());
    const std::string text = to_text(campaign::compare_with_baseline({base}, "base.sqlite", data), "base.sqlite");
    return std::tuple(text, campaign::apply_waivers({}, true, data), reports::render_junit(data),
                      reports::render_html(data));
  };
  const auto [text, code, junit, page] = findings_of({right("A"), right("B")}, {refused("A"), refused("B")});
  EXPECT_EQ(code, 1);
  EXPECT_EQ(text,
            "against base.sqlite: 0 new, 0 known, 0 gone, 2 cases newly refused\n"
            "  newly refused   2 cases of LSTM-22 on ours: no kernel for it\n"
            "    the first: A\n");
  EXPECT_THAT(junit, HasSubstr("failures=\"2\""));
  EXPECT_THAT(junit, HasSubstr("message=\"newly refused: no kernel for it\""));
  EXPECT_TRUE(page.find("2 cases newly refused") != std::string::npos);
  EXPECT_EQ(std::get<1>(findings_of({refused("A")}, {refused("A")})), 0) << "a gap of the base's own";
  EXPECT_EQ(std::get<1>(findings_of({right("B")}, {refused("A")})), 0) << "the base has not run it";
}

TEST(Baseline, SaysInWhatItIsOfAnotherRun) {
  const RunMetadata base = run_metadata_of({{"cellproof", "0.1.0"}, {"suites", "quick"}, {"corpus hash", "ab"}});
  RunMetadata now = base;
  now.cellproof = "0.2.0";
  now.suites = "smoke";
  now.jobs = "2";
  EXPECT_EQ(difference_from_base(base, "base.sqlite", base), "");
  EXPECT_EQ(difference_from_base(base, "base.sqlite", now),
            "base.sqlite is of another run than this one: cellproof '0.1.0', now '0.2.0'; suites 'quick', now "
            "'smoke'\n");
}

TEST(Baseline, AnErrorOfTheHarnessIsNeverKnown) {
  Finding broken = failing("ours", "");
  broken.outcome = OutcomeKind::HarnessError;
  reports::ReportData data;
  data.findings = {broken};
  EXPECT_THAT(campaign::compare_with_baseline({{broken}}, "base.sqlite", data).known, ElementsAre());
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 3);
}

}  // namespace
}  // namespace cellproof::cli
