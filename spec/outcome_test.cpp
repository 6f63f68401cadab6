#include "spec/outcome.hpp"

#include <gtest/gtest.h>

namespace cellproof {
namespace {

TEST(Outcome, EveryNameLeadsBack) {
  for (int i = 0; i <= static_cast<int>(OutcomeKind::HarnessError); ++i) {
    const auto kind = static_cast<OutcomeKind>(i);
    EXPECT_EQ(outcome_kind_named(name(kind)), kind);
  }
  EXPECT_EQ(name(OutcomeKind::Ran), "RAN");
  EXPECT_EQ(name(OutcomeKind::HarnessError), "HARNESS_ERROR");
  EXPECT_EQ(outcome_kind_named("ran"), std::nullopt);
}

TEST(Outcome, MisconductIsDescribed) {
  EXPECT_EQ(describe(Misconduct::ChangedInputs), "changed its inputs");
  EXPECT_EQ(describe(Misconduct::DiffersOnRepeat), "differs between two identical calls");
  EXPECT_EQ(describe(Misconduct::UninitialisedMemory), "returns uninitialised memory");
}

}  // namespace
}  // namespace cellproof
