#include "oracle/step/clip.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using Set = Enclosure<double>;
using OfNan = EvaluationMode::OfNan;

Set clipped_to_one(const Set& a, const Arithmetic& m) {
  return clipped_by(a, 1, m, [](double x, double limit) { return std::clamp(x, -limit, limit); });
}

void expect_ends(const Set& set, double lo, double hi) {
  EXPECT_EQ(set.lo, lo);
  EXPECT_EQ(set.hi, hi);
}

Arithmetic with_nan(OfNan chosen) {
  Arithmetic m = testing::f32;
  m.mode.nan = chosen;
  return m;
}

TEST(Clip, BoundsASetToBothSides) {
  expect_ends(clipped_to_one(Set{0, -0.5, 0.25, 0}, testing::f32), -0.5, 0.25);
  expect_ends(clipped_to_one(Set{0, -2, 3, 0}, testing::f32), -1, 1);
  expect_ends(clipped_to_one(Set::point(7), testing::f32), 1, 1);
  EXPECT_EQ(clipped_to_one(Set{-5, -6, 0.5, 0}, testing::f32).centre, -1);
}

TEST(Clip, BoundsWhatReachesAnInfinity) {
  const Set small = clipped_to_one(Set{0.5, 0.25, 0.75, reaches_infinity}, testing::f32);
  expect_ends(small, 0.25, 1);
  EXPECT_EQ(small.flags & reaches_infinity, 0);
  expect_ends(clipped_to_one(Set{-0.5, -0.75, -0.25, reaches_infinity}, testing::f32), -1, -0.25);
}

TEST(Clip, LiesWhereTheRoundedThresholdMayLie) {
  Arithmetic m = testing::f32;
  m.u_attribute = 0x1p-3;
  expect_ends(clipped_to_one(Set::point(7), m), 0.875, 1.125);
  expect_ends(clipped_to_one(Set::point(-7), m), -1.125, -0.875);
  expect_ends(clipped_to_one(Set{0.5, 0.25, 1, 0}, m), 0.25, 1);
}

TEST(Clip, MarksWhatIsNearlyAllCutOff) {
  EXPECT_TRUE(clipped_to_one(Set{1, 0.5, 64, 0}, testing::f32).has(is_grazing));
  EXPECT_FALSE(clipped_to_one(Set{1, 0.5, 16, 0}, testing::f32).has(is_grazing));
}

TEST(Clip, MakesOfNanWhatTheImplementationDoes) {
  const Set open = clipped_to_one(Set::nan(is_branched), with_nan(OfNan::Any));
  expect_ends(open, -1, 1);
  EXPECT_EQ(open.centre, 0);
  EXPECT_EQ(open.flags, may_be_nan | is_unspecified | is_branched);
  EXPECT_TRUE(clipped_to_one(Set::nan(), with_nan(OfNan::Kept)).empty());
  expect_ends(clipped_to_one(Set::nan(), with_nan(OfNan::AsLowest)), -1, -1);
  expect_ends(clipped_to_one(Set::nan(), with_nan(OfNan::AsHighest)), 1, 1);
  EXPECT_EQ(clipped_to_one(Set::nan(), with_nan(OfNan::AsHighest)).flags, 0);
}

TEST(Clip, MakesOfNanWhatIsKnownOfIt) {
  const auto bounded = [](double x, const double& limit) { return std::max(-limit, std::min(limit, x)); };
  const auto known = [&](OfNan chosen) { return clipped_by(Set::nan(), 1, with_nan(OfNan::Any), bounded, chosen); };
  expect_ends(known(OfNan::AsHighest), 1, 1);
  EXPECT_TRUE(known(OfNan::Kept).empty());
}

TEST(Clip, AddsToASetWhatANanInItMayBecome) {
  const Set perhaps{0, -0.5, 0.25, may_be_nan};
  const Set open = clipped_to_one(perhaps, with_nan(OfNan::Any));
  expect_ends(open, -1, 1);
  EXPECT_EQ(open.flags, may_be_nan | is_unspecified);
  expect_ends(clipped_to_one(perhaps, with_nan(OfNan::Kept)), -0.5, 0.25);
  EXPECT_EQ(clipped_to_one(perhaps, with_nan(OfNan::Kept)).flags, may_be_nan);
  expect_ends(clipped_to_one(perhaps, with_nan(OfNan::AsLowest)), -1, 0.25);
  expect_ends(clipped_to_one(perhaps, with_nan(OfNan::AsHighest)), -0.5, 1);
  EXPECT_EQ(clipped_to_one(perhaps, with_nan(OfNan::AsHighest)).flags, 0);
}

}  // namespace
}  // namespace cellproof::oracle
