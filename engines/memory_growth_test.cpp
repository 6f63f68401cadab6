#include "engines/memory_growth.hpp"

#include <gtest/gtest.h>

namespace cellproof::engines {
namespace {

constexpr std::uint64_t MiB = 1 << 20;

template <class Resident>
std::optional<double> growth_of(std::int64_t answers, Resident resident) {
  MemoryGrowth memory;
  for (std::int64_t k = 0; k < answers; k += 3) memory.note(k, resident(k));
  return memory.per_answer();
}

TEST(MemoryGrowth, IsSeenWhereEachCaseLeaksAndNoneIsFreed) {
  const auto leak = [](std::int64_t k) { return 80 * MiB + static_cast<std::uint64_t>(k) * 100'000; };
  const auto growth = growth_of(1000, leak);
  ASSERT_TRUE(growth);
  EXPECT_NEAR(*growth, 100'000, 1000);
  // Also where large cases come between that give back what they took, and where more is seen than is kept.
  EXPECT_TRUE(growth_of(1000, [&](std::int64_t k) { return leak(k) + (k % 7 == 0 ? 300 * MiB : 0); }));
  EXPECT_NEAR(growth_of(100'000, leak).value_or(0), 100'000, 1000);
}

TEST(MemoryGrowth, IsNotSeenWhereMemoryFindsItsSize) {
  EXPECT_FALSE(growth_of(1000, [](std::int64_t) { return 80 * MiB; }));
  EXPECT_FALSE(growth_of(1000, [](std::int64_t k) { return (k < 300 ? 80 : 600) * MiB; }));        // a large case
  EXPECT_FALSE(growth_of(1000, [](std::int64_t k) { return (80 + (k < 500 ? k : 500)) * MiB; }));  // a cache
  EXPECT_FALSE(growth_of(1000, [](std::int64_t k) { return 80 * MiB + static_cast<std::uint64_t>(k) * 10'000; }));
  EXPECT_FALSE(growth_of(60, [](std::int64_t k) { return static_cast<std::uint64_t>(80 + 10 * k) * MiB; }));
  EXPECT_FALSE(MemoryGrowth().per_answer());
}

}  // namespace
}  // namespace cellproof::engines
