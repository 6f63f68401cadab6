// Reductions of what fails by chance, and of answers that fresh memory makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/reduction.hpp"
#include "campaign/testing/reducing.hpp"
#include "reference/reference.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {
namespace {

using testing::at_most;
using testing::case_with;
using testing::finding_of;
using ::testing::HasSubstr;
using testing::under_test;

Outcome right(const Problem& problem) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = reference::run(problem, {});
  return outcome;
}

Outcome ended(OutcomeKind kind, int signal = 0) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.signal = signal;
  outcome.message = "it did not run";
  return outcome;
}

/// Returns what a run makes of the case, every one asked twice.
Finding concluded(const Case& c, const EngineUnderTest& engine, const engines::Probe& ask) {
  const Trial trial = make_trial("smoke", 0, {"", c});
  return conclude(trial, engine, {ask(trial.problem)}, ask, Sampling{.repeat_one_in = 1});
}

/// Fails with a clip only, and then once in three calls.
struct ByChance {
  std::function<Outcome(const Problem&)> fails;
  int clipped = 0;
  engines::Probe probe() {
    return [this](const Problem& problem) {
      return problem.attributes.clip && clipped++ % 3 == 0 ? fails(problem) : right(problem);
    };
  }
};

TEST(Reduction, OfWhatIsFlakyAsksSeveralTimes) {
  const auto other_bits = [](const Problem& problem) {
    Outcome outcome = right(problem);
    for (auto& output : outcome.outputs)
      if (output && output->size() > 0) output->set_value(0, 0.125);
    return outcome;
  };
  const Case c = case_with({{"clip", "biting"}, {"direction", "reverse"}, {"layout", "1"}, {"T", "8"}});
  const std::vector<std::pair<std::function<Outcome(const Problem&)>, std::string>> kinds{
      {[](const Problem&) { return ended(OutcomeKind::Crashed, 11); }, "CRASHED"},
      {[](const Problem&) { return ended(OutcomeKind::Rejected); }, "REJECTED"},
      {other_bits, "repeat"}};
  for (const auto& [fails, kind] : kinds) {
    ByChance engine{fails};
    const Finding finding = concluded(c, under_test, engine.probe());
    ASSERT_TRUE(finding.flaky) << kind;
    EXPECT_EQ(flaky_kind(finding), kind);
    const auto reduced = reduce_case(c, finding, under_test, engine.probe(), at_most(2000));
    ASSERT_TRUE(reduced) << kind;
    EXPECT_EQ(reduced->record.guilty, (AxisValues{{"clip", "biting"}})) << kind;
    EXPECT_TRUE(reduced->record.complete) << kind;
    EXPECT_EQ(reduced->found.asked, 5) << kind;
    EXPECT_GE(reduced->kept.failed, 1) << kind;
    EXPECT_FALSE(reduced->kept.always()) << kind;
    EXPECT_THAT(reduced->record.message, HasSubstr("; " + to_text(reduced->kept))) << kind;
    for (const std::int64_t most : {20, 60}) {
      const auto limited = reduce_case(c, finding, under_test, engine.probe(), at_most(most));
      ASSERT_TRUE(limited) << kind;
      EXPECT_LE(limited->record.runs, most) << kind;
    }
  }
}

TEST(Reduction, KnowsByItselfThatAFailureComesByChance) {
  ByChance engine{[](const Problem&) { return ended(OutcomeKind::Crashed, 11); }};
  const Case c = case_with({{"clip", "biting"}, {"layout", "1"}});
  Finding finding = concluded(c, under_test, engine.probe());
  finding.flaky.reset();  // both calls happened to fail
  engine.clipped = 1;
  const auto reduced = reduce_case(c, finding, under_test, engine.probe(), at_most(500));
  ASSERT_TRUE(reduced);
  EXPECT_EQ(to_text(reduced->found), "failed 1 of 5 times");
  EXPECT_EQ(reduced->record.guilty, (AxisValues{{"clip", "biting"}}));
}

TEST(Reduction, KeepsTheFirstCaseWhereNothingFailsAgain) {
  int left = 2;
  const auto falls_twice = [&](const Problem& problem) {
    return left-- > 0 ? ended(OutcomeKind::Crashed, 11) : right(problem);
  };
  const Case c = case_with({{"clip", "biting"}});
  const Finding finding = finding_of(c, falls_twice);
  ReductionLimits limits = at_most(500);
  limits.reach = oracle::Reach::Axes;
  const auto reduced = reduce_case(c, finding, under_test, falls_twice, limits);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->smallest, c);
  EXPECT_EQ(to_text(reduced->kept), "failed 1 of 6 times");
  EXPECT_FALSE(reduce_case(c, finding, under_test, falls_twice, limits)) << "it never fails again";
}

/// Returns what fresh memory holds in Y_c where layout is 1, and answers each call alike.
TEST(Reduction, MakesAnAnswerOfFreshMemorySmaller) {
  const auto filled = [](double fill) -> engines::Probe {
    return [fill](const Problem& problem) {
      Outcome outcome = right(problem);
      if (problem.attributes.layout == 1 && outcome.outputs.size() > 2 && outcome.outputs[2])
        outcome.outputs[2]->set_value(0, fill);
      return outcome;
    };
  };
  EngineUnderTest engine = under_test;
  engine.other_memory = filled(3.0);
  const Case c = case_with({{"layout", "1"}, {"direction", "reverse"}, {"clip", "biting"}});
  const Finding finding = concluded(c, engine, filled(0.75));
  ASSERT_EQ(finding.judgement.kind, ViolationKind::Memory);
  const auto reduced = reduce_case(c, finding, engine, filled(0.75), at_most(500));
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->record.guilty, (AxisValues{{"layout", "1"}}));
  EXPECT_TRUE(reduced->kept.always());
  ASSERT_TRUE(reduced->record.first);
  EXPECT_EQ(reduced->record.first->output, output::Y_c);
  EXPECT_EQ(reduced->record.first->expected, 0.75);
  EXPECT_EQ(reduced->record.first->actual, 3);
  EXPECT_THAT(reduced->record.message, HasSubstr("where fresh memory holds"));
  EXPECT_FALSE(reduce_case(c, finding, under_test, filled(0.75), at_most(500))) << "no other memory is at hand";
}

}  // namespace
}  // namespace cellproof::campaign
