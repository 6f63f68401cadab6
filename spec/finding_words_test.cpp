#include "spec/finding_words.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "spec/operator.hpp"

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

TEST(FindingWords, SayWhatAnEngineDoes) {
  Finding finding;
  finding.outcome = OutcomeKind::Crashed;
  EXPECT_EQ(failure_text(finding), "kills its process");
  finding.signal = 6;
  EXPECT_EQ(failure_text(finding), "crashes by SIGABRT");
  finding.outcome = OutcomeKind::TimedOut;
  EXPECT_EQ(failure_text(finding), "gives no answer in time");
  finding.outcome = OutcomeKind::Ran;
  finding.misconduct = {Misconduct::ChangedInputs};
  EXPECT_EQ(failure_text(finding), describe(Misconduct::ChangedInputs));
  finding.judgement.kind = ViolationKind::Memory;
  EXPECT_EQ(failure_text(finding), "returns uninitialised memory");
  finding.judgement.verdict = Verdict::Suspect;
  EXPECT_EQ(failure_text(finding), "returns values beyond what usual arithmetic reaches");
  finding.law = "layout";
  EXPECT_EQ(failure_text(finding), "breaks law layout");
  finding.judgement.verdict = Verdict::AcceptedInvalid;
  EXPECT_EQ(failure_text(finding), "runs models that must be refused");
  finding.flaky = OtherOutcome{};
  EXPECT_EQ(failure_text(finding), "answers two identical calls differently");
  finding.outcome = OutcomeKind::Crashed;
  finding.signal = SIGKILL;
  EXPECT_EQ(failure_text(finding), "sometimes crashes by SIGKILL");
}

TEST(FindingWords, CallNothingExpectedWhereTwoAnswersAreCompared) {
  Judgement judgement;
  judgement.first = FirstViolation{};
  judgement.first->index = {0};
  judgement.first->expected = 0;
  judgement.first->actual = 1;
  EXPECT_EQ(both_values(judgement, *judgement.first), "expected 0, actual 1");
  judgement.kind = ViolationKind::Memory;
  EXPECT_EQ(both_values(judgement, *judgement.first), "with one filling of fresh memory 0, with another 1");
  judgement.kind = ViolationKind::Repeat;
  EXPECT_EQ(both_values(judgement, *judgement.first), "in one call 0, in an identical one 1");
}

TEST(FindingWords, SayOnceWhatIsWrongWithAWholeOutput) {
  Judgement judgement;
  judgement.first = FirstViolation{};
  judgement.first->structure = BrokenOutput{.kind = BrokenOutput::Kind::Missing, .position = output::Y_h};
  EXPECT_EQ(both_values(judgement, *judgement.first), "Y_h was asked for and did not come");
}

}  // namespace
}  // namespace cellproof
