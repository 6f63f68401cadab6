#include "optimized/cpu/schedule.hpp"

#include <gtest/gtest.h>

#include "optimized/cpu/openblas.hpp"
#include "optimized/cpu/testing/node_case.hpp"

namespace cellproof::cpu {
namespace {

Node node_of(std::size_t T, std::size_t N, std::size_t H, std::size_t D = 1) {
  Node node{};
  node.op = CELLPROOF_LSTM;
  node.type = CELLPROOF_FLOAT;
  node.size = {T, N, H, H, D};
  return node;
}
Schedule of(const Node& node, std::size_t team) {
  return schedule_of(node, 4 * node.size.H, sizeof(float), team);
}
Schedule with_openblas(const Node& node, std::size_t team) {
  return schedule_for_openblas(node, 4 * node.size.H, sizeof(float), team);
}

TEST(Schedule, StartsNoThreadsForWorkThatIsDoneBeforeTheyWake) {
  EXPECT_EQ(of(node_of(1, 1, 64), 2).threads, 1U);
  EXPECT_EQ(of(node_of(100, 1, 64), 2).threads, 1U) << "a step is too short for a meeting";
  EXPECT_EQ(of(node_of(100, 1, 256), 2).threads, 2U);
  EXPECT_EQ(of(node_of(100, 1, 256), 1).threads, 1U);
}

TEST(Schedule, HasThreadsShareRowsWhereThereAreManyAndTheWeightsSmall) {
  EXPECT_TRUE(of(node_of(9, 3, 100), 2).by_units);
  EXPECT_FALSE(of(node_of(9, 16, 100), 2).by_units);
  EXPECT_TRUE(of(node_of(9, 16, 512), 2).by_units) << "no core's cache holds all weights";
  EXPECT_FALSE(of(node_of(9, 16, 256), 2).by_units) << "each reads 2 MiB for 8 rows";
  EXPECT_TRUE(of(node_of(9, 8, 256), 2).by_units) << "each reads 2 MiB for 4 rows";
  EXPECT_FALSE(of(node_of(9, 64, 512), 2).by_units) << "each reads 8 MiB for 32 rows";
  EXPECT_TRUE(of(node_of(9, 64, 1024), 2).by_units) << "each reads 32 MiB for 32 rows";
  EXPECT_FALSE(of(node_of(9, 16, 512, 2), 2).by_units) << "each has a direction of its own";
  EXPECT_TRUE(of(node_of(9, 16, 512, 2), 2).one_direction_each);
  EXPECT_TRUE(of(node_of(9, 1, 256, 2), 2).one_direction_each);
  EXPECT_FALSE(of(node_of(9, 1, 512, 2), 2).one_direction_each)
      << "one core's cache does not hold R, two hold a half each";
  EXPECT_EQ(of(node_of(9, 5, 100), 4).threads, 2U) << "one row alone is multiplied slowly";
}

TEST(Schedule, RoundsAlikeForAnyNumberOfThreads) {
  for (const std::size_t N : {1, 3, 4, 16, 70})
    for (const std::size_t T : {1, 2, 50})
      for (const std::size_t H : {16, 600}) {
        const Node node = node_of(T, N, H);
        const Schedule alone = of(node, 1), together = of(node, 3);
        EXPECT_EQ(alone.few, together.few);
        EXPECT_EQ(alone.uses_weights_once, together.uses_weights_once);
      }
}

TEST(Schedule, ComputesAheadWhatFitsInTheCache) {
  EXPECT_EQ(of(node_of(1000, 1, 256), 1).chunk, 128U) << "512 KiB of rows of 4 KiB";
  EXPECT_EQ(of(node_of(100, 1, 256), 1).chunk, 100U);
  EXPECT_EQ(of(node_of(100, 16, 100), 1).chunk, 4U) << "64 rows";
  EXPECT_EQ(of(node_of(100, 64, 100), 1).chunk, 0U) << "a step has rows enough";
  EXPECT_EQ(of(node_of(100, 0, 100), 1).chunk, 0U);
  EXPECT_EQ(of(node_of(0, 1, 100), 1).chunk, 1U);
  EXPECT_EQ(of(node_of(100, 1, 0), 1).chunk, 0U);
}

TEST(Schedule, FillsTileRegistersWithTheRowsOfOneStep) {
  const auto in_tiles = [](std::size_t N, std::size_t team) {
    return schedule_for_tiles(node_of(64, N, 128), 4 * 128, 2, team);
  };
  EXPECT_EQ(in_tiles(16, 1).chunk, 0U);
  EXPECT_GT(in_tiles(8, 1).chunk, 1U) << "the rows of some steps fill one";
  EXPECT_TRUE(in_tiles(16, 2).by_units) << "as long for 8 rows as for 16";
  EXPECT_FALSE(in_tiles(32, 2).by_units);
}

TEST(Schedule, KnowsWhenPackingDoesNotPay) {
  EXPECT_TRUE(of(node_of(3, 1, 64), 1).uses_weights_once);
  EXPECT_FALSE(of(node_of(2, 2, 64), 1).uses_weights_once);
  EXPECT_TRUE(of(node_of(2, 3, 512), 1).uses_weights_once);
  EXPECT_FALSE(of(node_of(7, 1, 512), 1).uses_weights_once);
}

TEST(Schedule, GivesOpenBlasAllRowsTogether) {
  EXPECT_FALSE(with_openblas(node_of(9, 16, 512), 2).by_units);
  EXPECT_EQ(with_openblas(node_of(100, 16, 512), 4).threads, 1U) << "no two threads share rows";
  EXPECT_EQ(with_openblas(node_of(100, 16, 512, 2), 4).threads, 2U) << "one for each direction";
  EXPECT_EQ(with_openblas(node_of(100, 16, 512), 1).chunk, 4U) << "512 KiB of rows of 8 KiB";
  EXPECT_EQ(with_openblas(node_of(9, 200, 512), 1).tile_rows, 200U);
  EXPECT_EQ(with_openblas(node_of(1000, 1, 256), 1).tile_rows, 128U) << "the rows computed ahead";
  EXPECT_FALSE(with_openblas(node_of(1, 1, 64), 1).uses_weights_once);
}

}  // namespace
}  // namespace cellproof::cpu
