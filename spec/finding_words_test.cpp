#include "spec/finding_words.hpp"

#include <gtest/gtest.h>

namespace cellproof {
namespace {

TEST(FindingWords, NameTheResultByVerdictOutcomeOrChance) {
  Finding finding;
  finding.outcome = OutcomeKind::Crashed;
  EXPECT_EQ(result_name(finding), "CRASHED");
  EXPECT_EQ(both_outcomes(finding), "");
  finding.judgement.verdict = Verdict::Diverges;
  EXPECT_EQ(result_name(finding), "DIVERGES");
  finding.outcome_message = "SIGSEGV";
  finding.flaky = OtherOutcome{};
  EXPECT_EQ(result_name(finding), "FLAKY");
  EXPECT_EQ(both_outcomes(finding), "CRASHED in one call (SIGSEGV), RAN in an identical one");
  finding.outcome = OutcomeKind::Ran;
  finding.outcome_message.clear();
  EXPECT_EQ(both_outcomes(finding), "RAN in both of two identical calls");
}

TEST(FindingWords, NameAKindByWhatTheFindingSaysElsewhere) {
  Finding finding;
  finding.law = "layout";
  finding.outcome = OutcomeKind::Crashed;
  EXPECT_EQ(kind_name(finding), "");
  EXPECT_EQ(kind_name(ViolationKind::Value, finding), "value");
  EXPECT_EQ(kind_name(ViolationKind::Law, finding), "layout");
  EXPECT_EQ(kind_name(ViolationKind::Outcome, finding), "CRASHED");
  EXPECT_EQ(kind_name(ViolationKind::Rule, finding), "");
  finding.expectation.violations = {{"type-of-sequence_lens", "", ""}, {"another", "", ""}};
  const std::string& rule = finding.expectation.violations.front().rule;
  EXPECT_EQ(kind_name(ViolationKind::Rule, finding), rule);
  EXPECT_EQ(kind_name(ViolationKind::Rule, finding).data(), rule.data()) << "a view of the finding, not of a copy";
}

TEST(FindingWords, CallNothingExpectedWhereTwoAnswersAreCompared) {
  Judgement judgement;
  judgement.first = FirstViolation{};
  judgement.first->expected = 0;
  judgement.first->actual = 1;
  EXPECT_EQ(both_values(judgement, *judgement.first), "expected 0, actual 1");
  judgement.kind = ViolationKind::Memory;
  EXPECT_EQ(both_values(judgement, *judgement.first), "with one filling of fresh memory 0, with another 1");
  judgement.kind = ViolationKind::Repeat;
  EXPECT_EQ(both_values(judgement, *judgement.first), "in one call 0, in an identical one 1");
}

}  // namespace
}  // namespace cellproof
