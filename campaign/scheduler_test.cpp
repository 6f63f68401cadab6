#include "campaign/scheduler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <system_error>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using Variables = std::map<std::string, std::string>;

ShardChoice chosen(const std::string& text, const Variables& variables) {
  return choose_shard(text, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

/// The one line of complaint; "" where there is none.
std::string refusal_of(const std::string& text, const Variables& variables) {
  try {
    chosen(text, variables);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Task `id` of an array as Slurm shows it.
Variables slurm_task(int id, int first, int last, int step, int count) {
  return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
          {"SLURM_ARRAY_TASK_MIN", std::to_string(first)},
          {"SLURM_ARRAY_TASK_MAX", std::to_string(last)},
          {"SLURM_ARRAY_TASK_STEP", std::to_string(step)},
          {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)}};
}

Variables bazel_shard(const std::string& index, const std::string& total) {
  return {{"TEST_SHARD_INDEX", index},
          {"TEST_TOTAL_SHARDS", total},
          {"TEST_SHARD_STATUS_FILE", "status"},
          {"XML_OUTPUT_FILE", "test.xml"},
          {"TEST_SRCDIR", "runfiles"}};
}

TEST(Scheduler, IsAskedByNameAlone) {
  Variables all = bazel_shard("1", "4");
  all.merge(slurm_task(5, 4, 7, 1, 4));
  all["JOB_COMPLETION_INDEX"] = "2";
  const ShardChoice plain = chosen("1/1", all);
  EXPECT_EQ(plain.shard.count, 1);
  EXPECT_EQ(plain.junit, "");
  EXPECT_EQ(line_on_shard(plain), "");
  EXPECT_EQ(line_on_shard(chosen("2/4", all)), "shard 2/4: a part of the cases\n");
}

TEST(Scheduler, OfBazelGivesShardStatusFileAndJunit) {
  const ShardChoice choice = chosen("bazel", bazel_shard("1", "4"));
  EXPECT_EQ(choice.shard.index, 1);
  EXPECT_EQ(choice.shard.count, 4);
  EXPECT_EQ(choice.status_file, "status");
  EXPECT_EQ(choice.junit, "test.xml");
  EXPECT_EQ(line_on_shard(choice), "shard 2/4 (TEST_SHARD_INDEX=1 of TEST_TOTAL_SHARDS=4): a part of the cases\n");
  const ShardChoice whole = chosen("bazel", {{"TEST_SRCDIR", "runfiles"}, {"XML_OUTPUT_FILE", "test.xml"}});
  EXPECT_EQ(whole.shard.count, 1);
  EXPECT_EQ(whole.junit, "test.xml");
}

TEST(Scheduler, OfSlurmCountsFromTheFirstTaskBySteps) {
  for (const auto& [first, step] :
       {std::pair(0, 1), std::pair(1, 1), std::pair(4, 1), std::pair(0, 10), std::pair(3, 2)}) {
    for (int k = 0; k < 4; ++k) {
      const ShardChoice choice = chosen("slurm/4", slurm_task(first + k * step, first, first + 3 * step, step, 4));
      EXPECT_EQ(choice.shard.index, k);
      EXPECT_EQ(choice.shard.count, 4);
    }
  }
  // --array=0-15:4 has 4 tasks, and its last number is no task.
  EXPECT_EQ(chosen("slurm", slurm_task(12, 0, 15, 4, 4)).shard.index, 3);
  EXPECT_EQ(chosen("slurm", slurm_task(5, 4, 7, 1, 4)).chosen_by, "SLURM_ARRAY_TASK_ID=5 of 4 to 7");
}

TEST(Scheduler, OfKubernetesIsGivenTheTotal) {
  const ShardChoice choice = chosen("kubernetes/3", {{"JOB_COMPLETION_INDEX", "2"}});
  EXPECT_EQ(choice.shard.index, 2);
  EXPECT_EQ(choice.shard.count, 3);
}

TEST(Scheduler, RefusesWhatIsMissingMalformedOrContradictory) {
  const auto without = [](Variables variables, const char* name) {
    variables.erase(name);
    return variables;
  };
  struct Row {
    std::string option;
    Variables variables;
    std::string complaint;
  };
  for (
      const Row& row : {
          Row{"bazel", {}, "neither TEST_TOTAL_SHARDS nor TEST_SRCDIR is set: this is no test of Bazel"},
          Row{"bazel", without(bazel_shard("1", "4"), "TEST_SHARD_INDEX"), "TEST_SHARD_INDEX is not set"},
          Row{"bazel", without(bazel_shard("1", "4"), "TEST_TOTAL_SHARDS"), "TEST_TOTAL_SHARDS is not set"},
          Row{"bazel", bazel_shard("4", "4"),
              "TEST_SHARD_INDEX=4 of TEST_TOTAL_SHARDS=4: expected an index below the total"},
          Row{"bazel", bazel_shard("-1", "4"), "TEST_SHARD_INDEX is '-1', expected a number from 0 on"},
          Row{"bazel", bazel_shard("0", "0"), "TEST_TOTAL_SHARDS is '0', expected a number from 1 on"},
          Row{"bazel", bazel_shard("1x", "4"), "TEST_SHARD_INDEX is '1x', expected a number from 0 on"},
          Row{"bazel/3", bazel_shard("1", "4"), "3 parts expected, and bazel has 4"},
          Row{"slurm", {}, "SLURM_ARRAY_TASK_ID is not set"},
          Row{"slurm", slurm_task(8, 4, 7, 1, 4), "SLURM_ARRAY_TASK_ID=8 of 4 to 7: expected one of the array's tasks"},
          Row{"slurm", slurm_task(5, 0, 20, 10, 3),
              "SLURM_ARRAY_TASK_ID=5 of 0 to 20 by 10: expected one of the array's tasks"},
          Row{"slurm", slurm_task(3, 1, 7, 1, 3),
              "SLURM_ARRAY_TASK_ID=3 of 1 to 7 are not SLURM_ARRAY_TASK_COUNT=3 tasks: expected an array without gaps"},
          Row{"slurm/4", slurm_task(3, 3, 3, 1, 1), "4 parts expected, and slurm has 1"},
          Row{"slurm", slurm_task(3, 3, 3, 0, 1), "SLURM_ARRAY_TASK_STEP is '0', expected a number from 1 on"},
          Row{"kubernetes",
              {{"JOB_COMPLETION_INDEX", "2"}},
              "expected kubernetes/N with N as the job's completions: no variable holds them"},
          Row{"kubernetes/2",
              {{"JOB_COMPLETION_INDEX", "2"}},
              "JOB_COMPLETION_INDEX=2 of 2: expected an index below the total"},
          Row{"kubernetes/2",
              {{"JOB_COMPLETION_INDEX", ""}},
              "JOB_COMPLETION_INDEX is '', expected a number from 0 on"},
          Row{"kubernetes/0", {{"JOB_COMPLETION_INDEX", "0"}}, "expected kubernetes or kubernetes/N with 1 <= N"},
          Row{"slurm/x", slurm_task(1, 1, 2, 1, 2), "expected slurm or slurm/N with 1 <= N"},
      })
    EXPECT_EQ(refusal_of(row.option, row.variables), "--shard " + row.option + ": " + row.complaint);
  EXPECT_THAT(refusal_of("condor/4", {}), ::testing::HasSubstr("expected I/N"));
}

TEST(Scheduler, IsToldByTheStatusFile) {
  const TemporaryFolder folder;
  advertise_sharding({{}, "", folder / "status", ""});
  EXPECT_TRUE(std::filesystem::exists(folder / "status"));
  EXPECT_THROW(advertise_sharding({{}, "", folder / "missing" / "status", ""}), std::system_error);
  EXPECT_NO_THROW(advertise_sharding({}));
}

}  // namespace
}  // namespace cellproof::campaign
