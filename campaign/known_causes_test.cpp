#include "campaign/known_causes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "campaign/baseline.hpp"
#include "campaign/waivers.hpp"
#include "reports/cause_json.hpp"

namespace cellproof::campaign {
namespace {

using reports::Since;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Finding asked(std::int64_t number, bool pass, Operator op = Operator::LSTM) {
  Finding finding;
  finding.engine = "ours";
  finding.engine_version = "1";
  finding.suite = "smoke";
  finding.number = number;
  finding.version = {op, 14};
  finding.case_line = "case " + std::to_string(number);
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = pass ? Verdict::Conforms : Verdict::Diverges;
  finding.judgement.kind = ViolationKind::Value;
  finding.pass = pass;
  // Each case under one of its own, as if the axes had been blamed otherwise each time.
  if (!pass) finding.signature = "v1:(ours, LSTM, DIVERGES, Y, value, -, T=" + std::to_string(number) + ")";
  return finding;
}

Cause cause(const std::string& id, std::vector<std::int64_t> numbers, std::vector<std::string> operators = {"LSTM"}) {
  Cause c;
  c.id = id;
  c.title = "does " + id;
  c.status = id.starts_with("fault:") ? CauseStatus::Likely : CauseStatus::Unexplained;
  c.operators = std::move(operators);
  c.cases = static_cast<std::int64_t>(numbers.size());
  c.where["smoke"] = std::move(numbers);
  return c;
}

reports::ReportData run_with(std::vector<Finding> findings, const std::vector<Cause>& causes) {
  reports::ReportData data;
  data.findings = std::move(findings);
  if (!causes.empty()) data.engines = {{"ours", {{EngineNote::Causes, reports::to_json("ours", causes)}}}};
  return data;
}

struct Compared {
  reports::CauseChanges changes;
  BaselineComparison comparison;
  int exit_code = 0;

  Since since(const std::string& id) const { return changes.now.at({"ours", id}).since; }
};

Compared against(const reports::ReportData& base, reports::ReportData now) {
  EarlierRuns earlier;
  earlier.add(base);
  Compared compared;
  compared.comparison = compare_with_baseline(earlier, "base.sqlite", now);
  compared.exit_code = apply_waivers({}, true, now);
  compared.changes = now.changes;
  return compared;
}

const auto base = run_with({asked(0, false), asked(1, true), asked(2, true, Operator::GRU)}, {cause("fault:a", {0})});

TEST(KnownCauses, ACaseWhoseCausesTheBaseHasIsNoRegression) {
  const Compared compared = against(
      base, run_with({asked(0, false), asked(1, false), asked(2, true, Operator::GRU)}, {cause("fault:a", {0, 1})}));
  EXPECT_EQ(compared.exit_code, 0);
  EXPECT_EQ(compared.since("fault:a"), Since::Known);
  EXPECT_EQ(compared.changes.now.at({"ours", "fault:a"}).before, 1);
  EXPECT_THAT(compared.comparison.fresh, IsEmpty());
}

TEST(KnownCauses, ANewCauseFailsTheChange) {
  const Compared compared = against(base, run_with({asked(0, false), asked(1, false), asked(2, true, Operator::GRU)},
                                                   {cause("fault:a", {0, 1}), cause("fault:b", {1})}));
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_EQ(compared.since("fault:a"), Since::Known) << "though its case 1 fails the change for another cause";
  EXPECT_EQ(compared.since("fault:b"), Since::New);
}

TEST(KnownCauses, ACauseIsKnownOfItsOperatorsAlone) {
  const Compared compared = against(base, run_with({asked(0, false), asked(1, true), asked(2, false, Operator::GRU)},
                                                   {cause("fault:a", {0, 2}, {"LSTM", "GRU"})}));
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_EQ(compared.since("fault:a"), Since::New);
}

/// A search that was cut short may name another fault, or none.
TEST(KnownCauses, AnotherNameForWhatFailedInTheSameWayIsKnown) {
  const Compared compared = against(base, run_with({asked(0, false), asked(1, true)}, {cause("fault:b", {0})}));
  EXPECT_EQ(compared.exit_code, 0);
  EXPECT_EQ(compared.since("fault:b"), Since::Known);
  EXPECT_THAT(compared.changes.fixed, IsEmpty()) << "its case fails in the same way";
}

/// The base's signature does not cover a case with a cause of which it knows nothing.
TEST(KnownCauses, ASignatureThatTheBaseHasExcusesNoNewCause) {
  Finding before = asked(1, false), now = before;
  before.judgement.kind = ViolationKind::State;
  const auto old = run_with({asked(0, false), before}, {cause("fault:a", {0, 1})});
  EXPECT_EQ(against(old, run_with({asked(0, false), now}, {cause("fault:a", {0}), cause("fault:b", {1})})).exit_code,
            1);
  EXPECT_EQ(against(old, run_with({asked(0, false), now}, {cause("fault:a", {0}), cause("value:any", {1})})).exit_code,
            0)
      << "as before: its signature fails already";
}

TEST(KnownCauses, AClusterIsKnownByItsCasesAlone) {
  const auto old = run_with({asked(0, false), asked(1, true)}, {cause("value:any", {0})});
  EXPECT_EQ(against(old, run_with({asked(0, false), asked(1, true)}, {cause("value:T=1", {0})})).exit_code, 0);
  const Compared compared = against(old, run_with({asked(0, false), asked(1, false)}, {cause("value:any", {0, 1})}));
  EXPECT_EQ(compared.exit_code, 1) << "nobody knows that they have anything in common";
  EXPECT_EQ(compared.since("value:any"), Since::New);
}

TEST(KnownCauses, AVanishedOneIsFixedWhereItsCasesPass) {
  const Compared compared = against(base, run_with({asked(0, true), asked(1, true)}, {}));
  EXPECT_EQ(compared.exit_code, 0);
  ASSERT_EQ(compared.changes.fixed.size(), 1U);
  EXPECT_EQ(compared.changes.fixed.front().second.id, "fault:a");
  const Compared cut_short = against(base, run_with({asked(1, true)}, {}));
  EXPECT_THAT(cut_short.changes.fixed, IsEmpty());
  ASSERT_EQ(cut_short.changes.not_run.size(), 1U);
  Finding refused = asked(0, true);
  refused.outcome = OutcomeKind::NotSupported;
  refused.judgement.verdict.reset();
  EXPECT_THAT(against(base, run_with({refused}, {})).changes.fixed, IsEmpty());
}

TEST(KnownCauses, AVanishedOneIsToldByTheCasesThatItHadAlone) {
  const auto two = run_with({asked(0, false), asked(1, false)}, {cause("fault:a", {0}), cause("fault:b", {0, 1})});
  const Compared mended = against(two, run_with({asked(0, false), asked(1, true)}, {cause("fault:a", {0})}));
  ASSERT_EQ(mended.changes.fixed.size(), 1U) << "case 0 fails as before, for its other cause";
  EXPECT_EQ(mended.changes.fixed.front().second.id, "fault:b");
}

TEST(KnownCauses, WhereOneOfTheTwoHasNoneItsCasesAreCompared) {
  const auto without = run_with({asked(0, false), asked(1, true)}, {});
  for (const Compared& compared :
       {against(without, run_with({asked(0, false), asked(1, false)}, {cause("fault:a", {0, 1})})),
        against(base, run_with({asked(0, false), asked(1, false)}, {}))}) {
    EXPECT_EQ(compared.exit_code, 1) << "case 1 passed";
    EXPECT_THAT(compared.changes.now, IsEmpty());
    EXPECT_THAT(compared.changes.fixed, IsEmpty());
    EXPECT_THAT(compared.changes.uncompared, ElementsAre("ours"));
  }
}

TEST(KnownCauses, OfSeveralRunsAreThoseOfAny) {
  EarlierRuns earlier;
  earlier.add(base);
  earlier.add(run_with({asked(0, false), asked(2, false, Operator::GRU)}, {cause("fault:a", {0, 2}, {"LSTM", "GRU"})}));
  EXPECT_EQ(earlier.causes.at("ours").size(), 1U);
  EXPECT_EQ(earlier.causes.at("ours").front().cases, 2) << "not three: both have run the same suites";
  auto now = run_with({asked(0, false), asked(2, false, Operator::GRU)}, {cause("fault:a", {0, 2}, {"LSTM", "GRU"})});
  compare_with_baseline(earlier, "two", now);
  EXPECT_EQ(apply_waivers({}, true, now), 0);
}

TEST(KnownCauses, OfAReadingAreComparedAndFailNothing) {
  Finding reading = asked(1, true);
  reading.judgement.verdict = Verdict::Reading;
  Cause other = cause("reading:clip-zero=off", {1});
  other.status = CauseStatus::Likely;
  other.readings = {"clip-zero=off"};
  const Compared compared = against(base, run_with({asked(0, false), reading}, {cause("fault:a", {0}), other}));
  EXPECT_EQ(compared.exit_code, 0);
  EXPECT_EQ(compared.since("reading:clip-zero=off"), Since::New);
}

}  // namespace
}  // namespace cellproof::campaign
