#include "oracle/step/enclosure.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::infinity;
using Set = Enclosure<double>;

/// Is this double, which may be NaN, among the values of the set?
bool admits(const Set& set, double value) {
  return std::isnan(value) ? set.has(may_be_nan) : set.contains(value);
}

TEST(Enclosure, HasARadiusOnlyWhereItHasMoreThanOneNumber) {
  EXPECT_EQ(Set::nan().radius(), 0);
  EXPECT_EQ(Set::point(3).radius(), 0);
  EXPECT_EQ((Set{0, -1, 2, 0}.radius()), 2);
}

TEST(Blend, OfFiniteNumbersIsTheHullOfItsCorners) {
  const Set z{0.5, 0.25, 0.75, 0}, a = Set::point(8), b = Set::point(-8);
  const Set result = blend(z, a, b);
  EXPECT_EQ(result.centre, 0);
  EXPECT_EQ(result.lo, -4);
  EXPECT_EQ(result.hi, 4);
  EXPECT_EQ(result.flags, 0);
}

TEST(Blend, AdmitsBothFormsOfTheEquationBesideAnInfinityAndNothingElse) {
  struct Row {
    double z, a, b;
  };
  for (const auto& [z, a, b] :
       {Row{infinity, 1, 2}, Row{-infinity, 1, 2}, Row{infinity, 1, -2}, Row{0.5, infinity, 2}, Row{0.5, -infinity, 2},
        Row{0.5, 1, infinity}, Row{0, 1, infinity}, Row{1, infinity, 2}, Row{0.5, infinity, -infinity}}) {
    const double as_written = (1 - z) * a + z * b, shorter = a + z * (b - a);
    const Set set = blend(Set::point(z), Set::point(a), Set::point(b));
    EXPECT_TRUE(admits(set, as_written)) << z << " " << a << " " << b;
    EXPECT_TRUE(admits(set, shorter)) << z << " " << a << " " << b;
    EXPECT_FALSE(admits(set, 1.5)) << z << " " << a << " " << b;
    const bool differ = as_written != shorter && !(std::isnan(as_written) && std::isnan(shorter));
    EXPECT_EQ(set.has(is_unspecified), differ) << z << " " << a << " " << b;
  }
}

TEST(Sum, OfOppositeInfinitiesIsNan) {
  EXPECT_TRUE(sum(Set::point(infinity), Set::point(-infinity)).empty());
  EXPECT_TRUE(sum(Set::point(infinity), Set::point(-infinity)).has(may_be_nan));
  EXPECT_FALSE(sum(Set::point(infinity), Set::point(1)).has(may_be_nan));
}

TEST(Sum, OfWhatMayBeOppositeInfinitiesMayBeNan) {
  const Set up{0, -1, infinity, 0}, down{0, -infinity, 1, 0};
  for (const Set& result : {sum(up, down), sum(down, up), sum(up, Set::point(-infinity))}) {
    EXPECT_TRUE(result.has(may_be_nan));
    EXPECT_FALSE(result.empty());
  }
  EXPECT_FALSE(sum(up, up).has(may_be_nan));
  EXPECT_FALSE(sum(down, Set::point(-infinity)).has(may_be_nan));
}

TEST(Product, OfZeroAndInfinityIsNan) {
  EXPECT_TRUE(product(Set::point(0), Set::point(infinity)).empty());
  const Set may_be_zero{1, 0, 2, 0};
  const Set result = product(may_be_zero, Set::point(infinity));
  EXPECT_TRUE(result.has(may_be_nan));
  EXPECT_TRUE(result.contains(infinity));
}

TEST(Product, OfBallsHasTheCornersOfDoubles) {
  const double ends[] = {-3, -0.5, 0, 0.25, 2};
  for (const double a : ends) {
    for (const double b : ends) {
      for (const double c : ends) {
        for (const double d : ends) {
          if (a > b || c > d) continue;
          const auto of_doubles = product(Set{a, a, b, 0}, Set{d, c, d, 0});
          const auto of_balls = product(Enclosure<Ball>{a, a, b, 0}, Enclosure<Ball>{d, c, d, 0});
          EXPECT_TRUE(of_balls.lo == of_doubles.lo && of_balls.hi == of_doubles.hi &&
                      of_balls.centre == of_doubles.centre)
              << a << " " << b << " * " << c << " " << d;
        }
      }
    }
  }
}

TEST(Product, OfEndsThatMayBeOnEitherSideOfZeroHoldsBoth) {
  Ball about_zero = 0;
  mag_set_d(arb_radref(about_zero.arb()), 0x1p-10);
  const auto result = product(Enclosure<Ball>{1, about_zero, 2, 0}, Enclosure<Ball>{1, -3, 4, 0});
  EXPECT_LE(lower(result.lo), -6);
  EXPECT_GE(upper(result.hi), 8);
}

TEST(Radius, IsRoundedUpWhereItIsNotZero) {
  EXPECT_EQ(rounded_up<Ball>(0), 0);
  for (const double radius : {0x1p-1074, 1e-300, 1.0, 1e300}) EXPECT_GT(rounded_up<Ball>(radius), radius);
  EXPECT_EQ(rounded_up<double>(1), 1) << "the slack of the centre covers it";
}

}  // namespace
}  // namespace cellproof::oracle
