#include "engines/threads.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engines/registry.hpp"
#include "engines/testing/engines.hpp"
#include "engines/threaded_engines.hpp"

namespace cellproof::engines {
namespace {

TEST(Threads, AreThoseOfTheVariableIfItHoldsANumber) {
  for (const auto& [text, threads] :
       {std::pair{"3", 3}, {"1", 1}, {"0", 1}, {"-2", 1}, {"many", 1}, {"4x", 1}, {"", 1}}) {
    setenv("CELLPROOF_THREADS", text, 1);
    EXPECT_EQ(threads_asked_for(), threads) << text;
  }
  unsetenv("CELLPROOF_THREADS");
  EXPECT_EQ(threads_asked_for(), 1);
}

TEST(ThreadedEngines, StartAWorkerForEachNumber) {
  const std::string command = "told=" + testing::hostile_command("threads")[0] + " threads";
  EXPECT_TRUE(make_engine(command)->describe().takes_threads);
  ThreadedEngines engines(command, {});
  for (const int threads : {3, 1, 3}) {
    const Outcome outcome = engines.run(testing::small_problem(), threads);
    ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message;
    EXPECT_EQ(outcome.outputs.at(0)->value(0), threads);
  }
}

}  // namespace
}  // namespace cellproof::engines
