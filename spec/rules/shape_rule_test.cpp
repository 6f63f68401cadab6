#include "spec/rules/shape_rule.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cellproof::rules {
namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
const Sizes sizes = {.T = 3, .N = 2, .I = 4, .H = 5, .D = 1};

TEST(ShapeRule, MultipliesFactorsAndChecksTheRank) {
  EXPECT_TRUE(fits("[D,4H,I]", sizes, {1, 20, 4}));
  EXPECT_FALSE(fits("[D,4H,I]", sizes, {1, 21, 4}));
  EXPECT_FALSE(fits("[D,4H,I]", sizes, {1, 20}));
  EXPECT_FALSE(fits("[D,4H,I]", sizes, {}));
  EXPECT_TRUE(fits("[N]", sizes, {2}));
  EXPECT_EQ(expected_shape("[D,4H,I]", sizes), "[1,20,4]");
}

TEST(ShapeRule, TakesAnyOfItsAlternatives) {
  EXPECT_TRUE(fits("[D] or [D,4H]", sizes, {1}));
  EXPECT_TRUE(fits("[D] or [D,4H]", sizes, {1, 20}));
  EXPECT_FALSE(fits("[D] or [D,4H]", sizes, {20}));
  EXPECT_EQ(expected_shape("[D] or [D,4H]", sizes), "[1] or [1,20]");
}

TEST(ShapeRule, LetsAnUnknownSizeBeAnything) {
  const Sizes unknown_hidden = {.T = 3, .N = 2, .I = 4, .H = std::nullopt, .D = 1};
  EXPECT_TRUE(fits("[D,4H,I]", unknown_hidden, {1, 17, 4}));
  EXPECT_FALSE(fits("[D,4H,I]", unknown_hidden, {2, 17, 4}));
  EXPECT_EQ(expected_shape("[D,4H,I]", unknown_hidden), "[1,4H,4]");
}

TEST(ShapeRule, OverflowsOnNoSize) {
  const Sizes monstrous = {.T = huge, .N = huge, .I = huge, .H = huge, .D = 2};
  EXPECT_FALSE(fits("[D,4H,I]", monstrous, {2, huge, huge}));
  EXPECT_FALSE(fits("[D,4H,I]", monstrous, {2, -4, huge}));
  EXPECT_EQ(expected_shape("[D,4H,I]", monstrous), "[2,4H,9223372036854775807]");
}

}  // namespace
}  // namespace cellproof::rules
