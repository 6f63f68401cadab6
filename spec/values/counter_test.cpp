#include "spec/values/counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

namespace cellproof {
namespace {

TEST(Counter, AWordDependsOnSeedNameIndexAndDraw) {
  std::set<std::uint64_t> words;
  for (const std::uint64_t seed : {0, 1}) {
    for (const char* name : {"", "W", "R", "WR", "RW"}) {
      for (std::uint64_t index = 0; index < 100; ++index) {
        for (unsigned draw = 0; draw < 16; ++draw) words.insert(Counter(seed, name).word(index, draw));
      }
    }
  }
  EXPECT_EQ(words.size(), 2u * 5 * 100 * 16);
}

TEST(Counter, EveryBitIsFairAndFlipsWithItsNeighbourHalfTheTime) {
  const Counter counter(42, "X");
  std::vector<int> ones(64), flips(64);
  constexpr int count = 4096;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t word = counter.word(i, 0);
    const std::uint64_t changed = word ^ counter.word(i + 1, 0);
    for (int bit = 0; bit < 64; ++bit) {
      ones[bit] += word >> bit & 1;
      flips[bit] += changed >> bit & 1;
    }
  }
  for (int bit = 0; bit < 64; ++bit) {  // six standard deviations of 32
    EXPECT_NEAR(ones[bit], count / 2, 192) << bit;
    EXPECT_NEAR(flips[bit], count / 2, 192) << bit;
  }
}

TEST(Counter, SpreadPointsKeepTheirDistance) {
  for (const std::size_t count : {2u, 10u, 80u, 1000u}) {
    std::vector<double> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(Counter(7, "W").spread(i));
    std::sort(points.begin(), points.end());
    for (std::size_t i = 1; i < count; ++i) {
      EXPECT_GT(points[i] - points[i - 1], 0.38 / static_cast<double>(count));
    }
    EXPECT_GE(points.front(), 0);
    EXPECT_LT(points.back(), 1);
  }
}

}  // namespace
}  // namespace cellproof
