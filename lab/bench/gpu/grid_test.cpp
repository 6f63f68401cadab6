#include "lab/bench/gpu/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <stdexcept>

namespace cellproof::lab::bench::gpu {
namespace {

using Values = std::array<std::int64_t, 6>;
Values values_of(const Row& row) {
  return {static_cast<std::int64_t>(row.cell),
          static_cast<std::int64_t>(row.element),
          row.T,
          row.N,
          row.H,
          row.ragged ? 1 : 0};
}

using Pair = std::array<std::int64_t, 4>;
std::set<Pair> pairs_of(const std::vector<Row>& rows) {
  std::set<Pair> pairs;
  for (const Row& row : rows) {
    const Values values = values_of(row);
    for (std::size_t a = 0; a < values.size(); ++a)
      for (std::size_t b = a + 1; b < values.size(); ++b)
        pairs.insert({static_cast<std::int64_t>(a), values.at(a), static_cast<std::int64_t>(b), values.at(b)});
  }
  return pairs;
}

TEST(GpuGrid, IsTheWholeProductButForRaggedSingleSteps) {
  EXPECT_EQ(full_grid().size(), 4U * 3 * 4 * 5 * (3 + 2));
  std::set<std::string> names;
  for (const Row& row : full_grid()) {
    names.insert(row.name());
    EXPECT_EQ(row_named(row.name()), row);
  }
  EXPECT_EQ(names.size(), full_grid().size());
  EXPECT_THROW(row_named("lstm-f32-T1-N1-H128-ragged"), std::invalid_argument);
}

TEST(GpuGrid, TheSubsetHoldsEveryPairInAboutSeventyRows) {
  EXPECT_EQ(pairs_of(pairwise_grid()), pairs_of(full_grid()));
  EXPECT_GE(pairwise_grid().size(), 50U);
  EXPECT_LE(pairwise_grid().size(), 72U);
  for (const Row& row : pairwise_grid())
    EXPECT_NE(std::ranges::find(full_grid(), row), full_grid().end()) << row.name();
}

TEST(GpuGrid, HalfOfARaggedBatchIsPadding) {
  for (const std::int64_t N : {1, 16, 64, 256}) {
    const Row row{.T = 32, .N = N, .ragged = true};
    const auto lengths = row.lengths();
    ASSERT_EQ(lengths.size(), static_cast<std::size_t>(N));
    EXPECT_GE(*std::ranges::min_element(lengths), 1);
    EXPECT_LE(*std::ranges::max_element(lengths), 32);
    const double mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(N);
    EXPECT_NEAR(mean, 16.5, 1);
    EXPECT_EQ(std::ranges::is_sorted(lengths), N == 1);
  }
}

}  // namespace
}  // namespace cellproof::lab::bench::gpu
