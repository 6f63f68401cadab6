#include "spec/run_metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace cellproof {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

/// Every field is a word of its own.
RunMetadata full() {
  RunMetadata all{"command", "0.1.0", "compiler", "smoke",  "ab",    "1/2",      "a task",        "0", "2", "started",
                  "cpu",     "avx2",  "a system", "1.00 s", "0.5 s", "a signal", {"some", "more"}};
  return all;
}

TEST(RunMetadata, EveryRowLeadsBackToItsField) {
  const Rows rows = rows_of(full());
  EXPECT_EQ(rows.size(), 18U);
  EXPECT_EQ(run_metadata_of(rows), full());
  std::set<std::string> names;
  for (const auto& [name, words] : rows) {
    names.insert(name);
    EXPECT_EQ(rows_of(run_metadata_of({{name, words}})), (Rows{{name, words}})) << name;
  }
  EXPECT_EQ(names.size(), rows.size() - 1) << "only what was not run has several rows";
  EXPECT_THAT(rows_of({}), testing::IsEmpty());
  EXPECT_EQ(run_metadata_of({{"of another program", "x"}}), RunMetadata{});
}

TEST(RunMetadata, NamesInWhatTwoRunsDiffer) {
  for (const char* name : {"cellproof", "suites", "corpus hash", "seed"}) {
    Rows rows = rows_of(full());
    for (auto& [key, words] : rows)
      if (key == name) words = "other";
    const auto differences = differences_of_runs(full(), run_metadata_of(rows), false);
    ASSERT_EQ(differences.size(), 1U) << name;
    EXPECT_EQ(differences[0].name, name);
    EXPECT_NE(differences[0].first, "other");
    EXPECT_EQ(differences[0].second, "other");
  }
}

TEST(RunMetadata, TheMachineDoesNotCountAndTheShardOnlyWhereAsked) {
  RunMetadata elsewhere = full(), other_shard = full();
  elsewhere.cpu = "y";
  other_shard.shard = "2/2";
  EXPECT_THAT(differences_of_runs(full(), elsewhere, true), testing::IsEmpty());
  EXPECT_THAT(differences_of_runs(full(), other_shard, false), testing::IsEmpty());
  EXPECT_THAT(differences_of_runs(full(), other_shard, true), testing::SizeIs(1));
}

TEST(RunMetadata, ForgetsTheLastCallAndNothingElse) {
  RunMetadata metadata = full();
  metadata.forget_last_call();
  EXPECT_EQ(rows_of(metadata).size(), 13U);
  EXPECT_EQ(metadata.system, "a system");
}

}  // namespace
}  // namespace cellproof
