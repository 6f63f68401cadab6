#include "campaign/exit_code.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <vector>

#include "campaign/stop.hpp"

namespace cellproof::campaign {
namespace {

TEST(ExitCodes, TheWorseOneCountsWhateverComesFirst) {
  const std::vector<int> from_the_worst{harness_error, bad_input, unexpected, incomplete, ok, nothing_ran};
  for (std::size_t k = 0; k < from_the_worst.size(); ++k) {
    for (std::size_t n = k; n < from_the_worst.size(); ++n) {
      EXPECT_EQ(worse_of(from_the_worst[k], from_the_worst[n]), from_the_worst[k]) << n;
      EXPECT_EQ(worse_of(from_the_worst[n], from_the_worst[k]), from_the_worst[k]) << n;
    }
  }
}

TEST(ExitCodes, OfFindingsCountWhatFailsAndIsNotWaived) {
  Finding fails;
  fails.pass = false;
  fails.signature = "v1:x";
  Finding passes;
  passes.pass = true;
  fails.outcome = passes.outcome = OutcomeKind::Ran;
  EXPECT_EQ(exit_code_of({}), nothing_ran);
  EXPECT_EQ(exit_code_of({passes}), ok);
  EXPECT_EQ(exit_code_of({passes, fails}), unexpected);
  EXPECT_EQ(exit_code_of({passes, fails}, {{"v1:x", {}}}), ok);
  fails.outcome = OutcomeKind::HarnessError;
  EXPECT_EQ(exit_code_of({passes, fails}, {{"v1:x", {}}}), harness_error);
}

/// In a process of its own: a stop that was asked for cannot be taken back.
TEST(StopOnSignalDeathTest, TheFirstSignalAsksAndTheSecondTerminates) {
  EXPECT_EXIT(
      {
        const StopOnSignal stopping;
        if (unless_stopped(unexpected) != unexpected) std::_Exit(9);
        std::raise(SIGTERM);
        std::_Exit(stop_signal() == SIGTERM ? unless_stopped(unexpected) : 8);
      },
      testing::ExitedWithCode(143), "");
  EXPECT_EXIT(
      {
        const StopOnSignal stopping;
        std::raise(SIGTERM);
        std::raise(SIGINT);
        std::_Exit(9);
      },
      testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(
      {
        { const StopOnSignal stopping; }
        std::raise(SIGINT);
        std::_Exit(9);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace cellproof::campaign
