#include "campaign/at_once.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace cellproof::campaign {
namespace {

TEST(AtOnce, DoesEachOnce) {
  std::vector<std::atomic<int>> done(100);
  at_once("to count", done.size(), [&](std::size_t k) { ++done[k]; });
  for (const auto& each : done) EXPECT_EQ(each, 1);
}

TEST(AtOnce, EndsWithTheFirstException) {
  std::atomic<int> begun = 0;
  const auto fail = [&](std::size_t) {
    ++begun;
    throw std::runtime_error("no");
  };
  EXPECT_THROW(at_once("to fail", 1000, fail), std::runtime_error);
  EXPECT_LE(begun, 3);
}

}  // namespace
}  // namespace cellproof::campaign
