#include "optimized/cuda/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Node node_of(Index T, Index N, bool batch_first = false) {
  Node node;
  node.geometry = {.T = T, .N = N, .I = 10, .H = 100, .D = 2, .G = 4, .batch_first = batch_first};
  node.reversed = {false, true};
  return node;
}

TEST(CudaSchedule, LeavesPaddingOut) {
  const Node node = node_of(3, 4);
  const std::int32_t lengths[] = {1, 3, 0, 3};
  const Schedule schedule(node, lengths);
  EXPECT_EQ(schedule.steps(), 3);
  EXPECT_EQ(schedule.rows(), 7);
  EXPECT_THAT(schedule.first_rows(), ElementsAre(0, 3, 5, 7));
  EXPECT_THAT(schedule.lengths(), ElementsAre(3, 3, 1, 0));
  // Ranks: batch 1, 3, 0, 2. Time before batch: x begins at (t * 4 + n) * 10.
  EXPECT_THAT(schedule.in_x(0), ElementsAre(10, 30, 0, 50, 70, 90, 110));
  EXPECT_THAT(schedule.in_x(1), ElementsAre(90, 110, 0, 50, 70, 10, 30));
  EXPECT_THAT(schedule.in_y(0), ElementsAre(100, 300, 0, 900, 1100, 1700, 1900));
  EXPECT_THAT(schedule.in_y(1), ElementsAre(2100, 2300, 400, 1300, 1500, 500, 700));
  EXPECT_THAT(schedule.in_state(1), ElementsAre(500, 700, 400, 600));
}

TEST(CudaSchedule, KnowsBatchBeforeTime) {
  const Node node = node_of(2, 2, true);
  const std::int32_t lengths[] = {1, 2};
  const Schedule schedule(node, lengths);
  EXPECT_THAT(schedule.in_x(0), ElementsAre(20, 0, 30));
  EXPECT_THAT(schedule.in_y(1), ElementsAre(700, 100, 500));
  EXPECT_THAT(schedule.in_state(1), ElementsAre(300, 100));
}

TEST(CudaSchedule, KnowsWhereXLiesInOrder) {
  const std::int32_t full[] = {3, 3}, ragged[] = {3, 2};
  for (const bool batch_first : {false, true})
    for (const auto& [T, N] : {std::pair{3, 2}, {1, 2}, {3, 1}, {1, 1}})
      for (const std::int32_t* lengths : {static_cast<const std::int32_t*>(nullptr), full, ragged}) {
        if (lengths != nullptr && (T != 3 || N != 2)) continue;
        const Node node = node_of(T, N, batch_first);
        const Schedule schedule(node, lengths);
        for (const Index direction : {0, 1}) {
          const std::vector<Index> at = schedule.in_x(direction);
          bool in_order = static_cast<Index>(at.size()) == T * N;
          for (std::size_t row = 0; row < at.size(); ++row) in_order &= at[row] == static_cast<Index>(row) * 10;
          EXPECT_EQ(schedule.takes_x_in_order(direction), in_order) << T << " " << N << " " << batch_first;
        }
      }
}

TEST(CudaSchedule, HasNoStepWhereThereIsNothingToDo) {
  const Node no_steps = node_of(0, 2), no_batch = node_of(2, 0), short_ones = node_of(2, 1);
  const std::int32_t zero[] = {0};
  for (const Schedule& schedule :
       {Schedule(no_steps, nullptr), Schedule(no_batch, nullptr), Schedule(short_ones, zero)}) {
    EXPECT_EQ(schedule.steps(), 0);
    EXPECT_EQ(schedule.rows(), 0);
    EXPECT_THAT(schedule.in_x(1), IsEmpty());
  }
}

}  // namespace
}  // namespace cellproof::cuda
