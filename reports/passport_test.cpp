#include "reports/passport.hpp"

#include <gtest/gtest.h>

namespace cellproof::reports {
namespace {

const Passport of_one_run{{"cellproof", "0.1.0"}, {"suites", "smoke"}, {"corpus hash", "ab"},
                          {"shard", "1/2"},       {"seed", "0"},       {"cpu", "x"}};

Passport with(std::string_view key, const std::string& value) {
  Passport changed = of_one_run;
  for (auto& [name, old] : changed) {
    if (name == key) old = value;
  }
  return changed;
}

TEST(Passport, TellsTheValueOfAKey) {
  EXPECT_EQ(value_of(of_one_run, "suites"), "smoke");
  EXPECT_EQ(value_of(of_one_run, "no such key"), "");
}

TEST(Passport, NamesTheKeyInWhichTwoRunsDiffer) {
  for (const char* key : {"cellproof", "suites", "corpus hash", "seed"}) {
    const auto difference = difference_of_runs(of_one_run, with(key, "other"), false);
    ASSERT_TRUE(difference) << key;
    EXPECT_EQ(difference->key, key);
    EXPECT_EQ(difference->first, value_of(of_one_run, key));
    EXPECT_EQ(difference->second, "other");
  }
}

TEST(Passport, TellsWhyAnEngineDidNotStart) {
  EXPECT_EQ(start_trouble_of({{"version", "1"}}), "");
  EXPECT_EQ(start_trouble_of({{"version", "1"}, {"cannot start", ""}}), "") << "it has been started since";
  EXPECT_EQ(start_trouble_of({{"cannot start", "SIGSEGV"}}), "cannot start: SIGSEGV");
  EXPECT_EQ(start_trouble_of({{"can no longer be started", "gone"}}), "can no longer be started: gone");
}

TEST(Passport, TheMachineDoesNotCountAndTheShardOnlyWhereAsked) {
  EXPECT_FALSE(difference_of_runs(of_one_run, with("cpu", "y"), true));
  EXPECT_FALSE(difference_of_runs(of_one_run, with("shard", "2/2"), false));
  EXPECT_TRUE(difference_of_runs(of_one_run, with("shard", "2/2"), true));
}

}  // namespace
}  // namespace cellproof::reports
