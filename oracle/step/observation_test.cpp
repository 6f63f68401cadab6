#include "oracle/step/observation.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using Set = Enclosure<double>;

bool admits(const Set& value, double observed, const Arithmetic& m) {
  return match(value, observed, m).inside;
}

TEST(Match, AValueHalfwayBetweenTwoNumbersMayBecomeEither) {
  const Arithmetic m = arithmetic_of(ContractId::Elementwise16, ElementType::Float16);
  for (const double y : {1.0, 1 + 0x1p-10}) EXPECT_TRUE(admits(Set::point(1 + 0x1p-11), y, m)) << y;
  EXPECT_FALSE(admits(Set::point(1 + 0x1p-12), 1 + 0x1p-10, m));
  const Arithmetic nearest = arithmetic_of(ContractId::F32Inside, ElementType::Float16);
  EXPECT_TRUE(admits(Set::point(1 + 0x1p-12), 1, nearest));
  EXPECT_FALSE(admits(Set::point(1 + 0x1p-12), 1 + 0x1p-10, nearest));
}

TEST(Match, WhatIsStorableAndExactIsItselfAlone) {
  EXPECT_TRUE(admits(Set::point(1), 1, testing::f32));
  EXPECT_FALSE(admits(Set::point(1), 1 - 0x1p-24, testing::f32));
}

TEST(Match, NanIsInsideWhereItMayBeAndNumbersAreNotInsideOfNan) {
  EXPECT_FALSE(admits(Set::point(1), std::nan(""), testing::f32));
  EXPECT_TRUE(admits(Set::point(1).with(may_be_nan), std::nan(""), testing::f32));
  EXPECT_TRUE(admits(Set::point(1).with(may_be_nan), 1, testing::f32));
  EXPECT_TRUE(admits(Set::nan(), std::nan(""), testing::f32));
  EXPECT_FALSE(admits(Set::nan(), 1, testing::f32));
}

TEST(Match, BeyondTheLargestNumberIsInfinityAndNothingElse) {
  for (const double sign : {1.0, -1.0}) {
    const Set far = Set::around(sign * 0x1p200, 0x1p100);
    EXPECT_TRUE(admits(far, sign * testing::infinity, testing::f32));
    EXPECT_FALSE(admits(far, sign * static_cast<double>(std::numeric_limits<float>::max()), testing::f32));
    EXPECT_FALSE(admits(far, -sign * testing::infinity, testing::f32));
    const Set about = Set::around(sign * 0x1p128, 0x1p110);
    EXPECT_TRUE(admits(about, sign * testing::infinity, testing::f32));
    EXPECT_TRUE(admits(about, sign * static_cast<double>(std::numeric_limits<float>::max()), testing::f32));
  }
}

/// A subnormal may come out as 0, and what lies between is not told apart from it.
TEST(Match, HasARatioOfOneAtMostInside) {
  const Arithmetic flushing = arithmetic_of(ContractId::F32InsideFtz, ElementType::Float16);
  const Match between = match(Set::around(0x1.cp-15, 0x1p-24), 0x1p-18, flushing);
  EXPECT_TRUE(between.inside);
  EXPECT_GT(between.error, between.bound);
  EXPECT_EQ(between.ratio, 1);
}

}  // namespace
}  // namespace cellproof::oracle
