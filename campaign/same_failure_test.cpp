#include "campaign/same_failure.hpp"

#include <gtest/gtest.h>

#include "campaign/testing/reducing.hpp"
#include "lab/mutants/mutant_engine.hpp"

namespace cellproof::campaign {
namespace {

using testing::case_with;
using testing::finding_of;
using testing::under_test;

/// The verdict on Y_h alone is that of the run with all outputs where both give the same, and Y is wrong first there.
TEST(SameFailure, JudgesNoAnswerThatTheFirstWrongOutputIsNotOf) {
  const Case c = case_with({{"clip", "biting"}, {"outputs", "Y_h"}});
  bool differs = false;
  const engines::Probe ignores_clip = [&](const Problem& problem) {
    Outcome outcome = outcome_of(problem, *lab::mutants::mutant_named("clip-ignored"));
    if (differs && problem.asks_for(output::Y)) outcome.outputs[output::Y_h]->set_value(0, 0.25);
    return outcome;
  };
  const Finding finding = finding_of(c, ignores_clip);
  ASSERT_TRUE(finding.judgement.first);
  ASSERT_EQ(finding.judgement.first->output, std::size_t{output::Y});
  SameFailure failure(finding, under_test, ignores_clip);
  EXPECT_TRUE(failure.is_alike(failure.ask(c, SameFailure::Faults::TheSame)));
  differs = true;
  const Answer other = failure.ask(c, SameFailure::Faults::TheSame);
  EXPECT_FALSE(failure.is_alike(other));
  EXPECT_FALSE(other.judgement.verdict) << "whatever it is, it is not the same";
  EXPECT_TRUE(failure.ask(c, SameFailure::Faults::All).judgement.verdict);
}

}  // namespace
}  // namespace cellproof::campaign
