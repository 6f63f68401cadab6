#include "reports/shown_causes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "reports/cause_json.hpp"
#include "reports/recorded_causes.hpp"
#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Finding failing(std::int64_t number, const std::string& clip, Operator op = Operator::LSTM) {
  Finding f;
  f.engine = "e";
  f.suite = "s";
  f.number = number;
  f.case_line = "case " + std::to_string(number);
  f.version = {op, 14};
  f.type = ElementType::Float;
  f.outcome = OutcomeKind::Ran;
  f.judgement.verdict = Verdict::Diverges;
  f.judgement.kind = ViolationKind::Value;
  f.axes = {{"clip", clip}};
  f.signature = "v1:(e, " + std::string(name(op)) + ", -, clip=" + clip + ")";
  return f;
}

Cause cause(const std::string& id, std::vector<std::int64_t> numbers) {
  Cause c;
  c.id = id;
  c.title = "does " + id;
  c.cases = static_cast<std::int64_t>(numbers.size());
  c.where["s"] = std::move(numbers);
  return c;
}

ReportData with_causes(std::vector<Finding> findings, const std::vector<Cause>& causes) {
  ReportData data;
  data.findings = std::move(findings);
  if (!causes.empty()) data.engines = {{"e", {{EngineNote::Causes, to_json("e", causes)}}}};
  return data;
}

TEST(ShownCauses, OfAContractAreMattersOfPrecisionAlsoInWrongCases) {
  Cause contract = cause("contract:f32-ftz", {0});
  contract.contract = "f32-ftz";
  const ReportData data = with_causes({failing(0, "zero"), failing(1, "zero")}, {contract, cause("fault:a", {0, 1})});
  const std::vector<Group> groups = groups_of(data);
  const std::vector<ShownCause> shown = shown_causes(data, groups);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].cause.id, "fault:a");
  EXPECT_EQ(shown[0].kind, FindingKind::Wrong);
  EXPECT_EQ(shown[1].kind, FindingKind::Imprecise);
  EXPECT_THAT(render_summary(data), HasSubstr("2 wrong results by 1 cause"));
}

TEST(ShownCauses, AreNotAllWhereTheirSearchWasEndedEarly) {
  ReportData data = with_causes({failing(0, "zero")}, {cause("fault:a", {0})});
  const auto reports = [&] { return std::vector{render_html(data), render_summary(data), render_markdown(data)}; };
  const char* const note = "search for causes: ended after 7 judgements";
  for (const std::string& report : reports()) EXPECT_THAT(report, testing::Not(HasSubstr(note)));
  data.engines.front().second.emplace_back(EngineNote::CausesCutShort, "ended after 7 judgements");
  for (const std::string& report : reports()) EXPECT_THAT(report, HasSubstr(note));
}

TEST(ShownCauses, HoldTheGroupsOfTheirCases) {
  Cause both = cause("fault:a", {0, 1});
  both.case_line = "case 1";
  const ReportData data =
      with_causes({failing(0, "zero"), failing(1, "wide"), failing(2, "wide")}, {both, cause("fault:b", {1, 2})});
  const std::vector<Group> groups = groups_of(data);
  const std::vector<ShownCause> causes = shown_causes(data, groups);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].cause.id, "fault:a");
  ASSERT_EQ(causes[0].groups.size(), 2U);
  EXPECT_EQ(groups[causes[0].groups[0]].representative->number, 1) << "the case that stands for the cause";
  EXPECT_EQ(causes[1].cause.id, "fault:b");
  ASSERT_EQ(causes[1].groups.size(), 1U);
  EXPECT_EQ(groups[causes[1].groups[0]].members.size(), 2U) << "case 1 is a part of both";
  EXPECT_THAT(lines_on_missing_causes(causes), IsEmpty());
}

TEST(ShownCauses, AreGroupsThatLookAlikeWhereTheStoreHasNone) {
  const ReportData data = with_causes({failing(0, "zero"), failing(1, "zero", Operator::GRU), failing(2, "wide")}, {});
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].cause.title, "wrong values with clip=zero");
  EXPECT_THAT(causes[0].cause.operators, ElementsAre("LSTM", "GRU"));
  EXPECT_EQ(causes[0].cause.cases, 2);
  EXPECT_EQ(causes[0].cause.status, CauseStatus::Unexplained);
  EXPECT_THAT(lines_on_missing_causes(causes), ElementsAre(HasSubstr("e: the store has no causes")));
}

TEST(ShownCauses, OfWhatNoCauseOfTheStoreHoldsAreGroups) {
  const ReportData data = with_causes({failing(0, "zero"), failing(1, "wide")}, {cause("fault:a", {0})});
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_TRUE(causes[0].is_recorded);
  EXPECT_FALSE(causes[1].is_recorded);
}

TEST(ShownCauses, OfSeveralStoresAreOneEach) {
  ReportData data = with_causes({failing(0, "zero"), failing(1, "zero")}, {cause("fault:a", {0})});
  data.engines.push_back({"e", {{EngineNote::Causes, to_json("e", {cause("fault:a", {1})})}}});
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.cases, 2);
}

TEST(ShownCauses, SayEachReadingByItself) {
  Finding reading = failing(0, "biting");
  reading.pass = true;
  reading.signature.clear();
  reading.judgement.verdict = Verdict::Reading;
  reading.judgement.readings = Readings{}.with(Clause::ClipScope, "gates").with(Clause::ZeroLengthState, "zero");
  const ReportData data = with_causes({reading}, {});
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].cause.title, "clips the gates alone, not the cell on its way to h");
  EXPECT_EQ(causes[1].cause.id, "reading:zero-length-state=zero");
  EXPECT_NE(causes[0].cause.clause, "");
  EXPECT_THAT(lines_on_missing_causes(causes), IsEmpty()) << "none is held against the engine";
}

/// An engine that does not clip looks as if it took a clip of 0 for none.
TEST(ShownCauses, LeaveOutAReadingThatTheModelDoesWithout) {
  Finding reading = failing(1, "zero");
  reading.pass = true;
  reading.signature.clear();
  reading.judgement.verdict = Verdict::Reading;
  reading.judgement.readings = Readings{}.with(Clause::ClipScope, "gates");
  const ReportData data = with_causes({failing(0, "biting"), reading}, {cause("fault:clip-ignored", {0})});
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].cause.id, "fault:clip-ignored");
}

TEST(ShownCauses, HaveNamesOfTheirOwnThatStay) {
  const ReportData data = sample_report();
  std::set<std::string> names;
  const std::vector<ShownCause> causes = shown_causes(data, groups_of(data));
  for (const ShownCause& shown : causes) names.insert(stable_name(shown.engine, shown.cause));
  EXPECT_EQ(names.size(), causes.size());
  ShownCause alone;
  alone.engine = "e";
  alone.cause.id = "fault:a";
  const std::string name = stable_name(alone.engine, alone.cause);
  alone.cause.cases = 7;
  EXPECT_EQ(stable_name(alone.engine, alone.cause), name);
}

TEST(ShownCauses, OfADamagedNoteAreNotRecorded) {
  ReportData data;
  data.engines = {{"e", {{EngineNote::Causes, "[{"}}}};
  EXPECT_THAT(recorded_causes(data), IsEmpty());
}

}  // namespace
}  // namespace cellproof::reports
