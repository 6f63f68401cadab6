#include "campaign/besides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engines/testing/engines.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::IsEmpty;

Outcome dead_of(const std::string& what) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Crashed;
  outcome.message = what;
  return outcome;
}

Outcome alive() {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  return outcome;
}

Finding passing() {
  Finding finding;
  finding.outcome = OutcomeKind::Ran;
  finding.pass = true;
  return finding;
}

TEST(Besides, EachDeathThatIsChargedLeavesATrace) {
  Finding finding = passing();
  charge(finding, dead_of("SIGSEGV"));
  EXPECT_FALSE(finding.pass);
  EXPECT_EQ(finding.outcome_message, "SIGSEGV");
  ASSERT_TRUE(finding.flaky);
  EXPECT_EQ(finding.flaky->outcome, OutcomeKind::Ran);
  charge(finding, dead_of("SIGKILL"));
  EXPECT_EQ(finding.outcome_message, "SIGSEGV") << "the first one stands";
  EXPECT_EQ(finding.judgement.reason.besides, "; then SIGKILL");
}

TEST(Besides, EachDeathInARunBesideTheCaseLeavesATrace) {
  const Problem problem = engines::testing::small_problem();
  const engines::Probe ask = [](const Problem&) { return alive(); };
  Besides besides({dead_of("SIGSEGV"), dead_of("SIGKILL"), dead_of("SIGBUS")}, ask);
  EXPECT_EQ(besides.next_surviving(problem).kind, OutcomeKind::Ran);
  EXPECT_EQ(besides.next_surviving(problem).kind, OutcomeKind::Ran);
  Finding finding = passing();
  besides.charge_to(finding);
  EXPECT_EQ(finding.outcome_message, "in a run beside the case, its twin: SIGSEGV");
  EXPECT_EQ(finding.judgement.reason.besides, "; then SIGKILL; then SIGBUS");

  Besides calm({alive()}, ask);
  Finding untouched = passing();
  calm.charge_to(untouched);
  EXPECT_TRUE(untouched.pass);
  EXPECT_THAT(std::string(untouched.judgement.reason.besides), IsEmpty());
}

}  // namespace
}  // namespace cellproof::campaign
