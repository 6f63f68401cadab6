#include "oracle/quantized/quantiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "oracle/quantized/testing/over.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;
using testing::over;
using Set = Enclosure<double>;

void expect_digit(const Digit& d, int lo, int expected, int hi) {
  EXPECT_EQ(d.lo, lo);
  EXPECT_EQ(d.expected, expected);
  EXPECT_EQ(d.hi, hi);
}

TEST(Quantiser, CountsARangeOf255InOnes) {
  const Quantiser<double> q = over({-100, 3, 155});  // 155 - -100 = 255: the scale is 1, the zero point 100
  EXPECT_EQ(q.scale().centre, 1);
  expect_digit(q.zero_point(), 100, 100, 100);
  expect_digit(q.digit(Set::point(-100)), -100, -100, -100);
  expect_digit(q.digit(Set::point(3)), 3, 3, 3);
  expect_digit(q.digit(Set::point(7.25)), 7, 7, 7);
  expect_digit(q.digit(Set::point(155)), 155, 155, 155);
}

TEST(Quantiser, AdmitsBothNeighboursOfATieAndExpectsTheEvenOne) {
  const Quantiser<double> q = over({0, 255});
  expect_digit(q.digit(Set::point(2.5)), 2, 2, 3);
  expect_digit(q.digit(Set::point(3.5)), 3, 4, 4);
  // 100.5 is 100.5 - 2e-5 after three more roundings: the tie is out of reach from 100.49.
  expect_digit(q.digit(Set::point(100.49)), 100, 100, 100);
  expect_digit(q.digit(Set::point(100.51)), 101, 101, 101);
}

TEST(Quantiser, HasZeroInEveryRange) {
  const Quantiser<double> above = over({51, 102});  // 0 to 102: scale 0.4
  EXPECT_FLOAT_EQ(static_cast<float>(above.scale().centre), 0.4F);
  expect_digit(above.zero_point(), 0, 0, 0);
  const Quantiser<double> below = over({-51, -102});
  expect_digit(below.zero_point(), 255, 255, 255);
  // Everything is bounded to what a byte holds: 255 codes below the zero point, none above.
  expect_digit(below.digit(Set::point(-102)), -255, -255, -255);
  expect_digit(below.digit(Set::point(0)), 0, 0, 0);
}

TEST(Quantiser, LeavesASymmetricRangeTwoZeroPoints) {
  const Quantiser<double> q = over({-1, 1});  // 127.5
  EXPECT_EQ(q.zero_point().lo, 127);
  EXPECT_EQ(q.zero_point().hi, 128);
  // Both ends are ties as well: 127.5 codes away, one of which the zero point cuts off.
  const Digit top = q.digit(Set::point(1));
  EXPECT_EQ(top.lo, 127);
  EXPECT_EQ(top.hi, 128);
}

TEST(Quantiser, TakesOneAsScaleWhereEverythingIsZero) {
  const Quantiser<double> q = over({0, 0});
  EXPECT_TRUE(q.scale().is_point());
  EXPECT_EQ(q.scale().centre, 1);
  expect_digit(q.digit(Set::point(0)), 0, 0, 0);
  expect_digit(q.zero_point(), 0, 0, 0);
}

TEST(Quantiser, SaysNothingOfInfinitiesAndNaN) {
  EXPECT_TRUE(over({1, std::numeric_limits<double>::infinity()}).unknown());
  DataRange<double> range;
  range.add(Set::nan());
  EXPECT_TRUE(Quantiser<double>(range, f32).unknown());
  EXPECT_TRUE(over({-3e38, 3e38}).unknown()) << "the difference overflows";
}

TEST(Quantiser, LeavesTheDigitsOpenWhereTheScaleUnderflows) {
  const Quantiser<double> q = over({0, 1e-44});
  expect_digit(q.digit(Set::point(1e-44)), -255, 0, 255);
}

TEST(Quantiser, AllowsForEveryRoundingOnTheWayToACode) {
  const Quantiser<double> q = over({0, 255});
  // Three roundings of the scale, two of the quotient, one of the sum with the zero point: 5 * 250.5 u + 256 u.
  EXPECT_EQ(q.digit(Set::point(250.5 - 5 * 0x1p-16)).hi, 251) << "1280 u below the tie";
  EXPECT_EQ(q.digit(Set::point(250.5 - 6 * 0x1p-16)).hi, 250) << "1536 u below the tie";
  EXPECT_EQ(q.digit(Set::point(250.5 + 5 * 0x1p-16)).lo, 250);
}

TEST(Quantiser, AllowsForTheSumWithTheZeroPoint) {
  const float x = 1.5F - 0x1p-19F, sum = 100 + x;
  ASSERT_EQ(sum, 101.5F) << "x + 100 is rounded to a tie, x alone is below one";
  expect_digit(over({-100, 155}).digit(Set::point(static_cast<double>(x))), 1, 1, 2);
}

TEST(Quantiser, AllowsForTheCoarseGridOfASubnormalScale) {
  constexpr double smallest = 0x1p-149;
  const double width = 2703 * smallest;  // 255 * 10.6
  const float scale = static_cast<float>(width) / 255.0F;
  ASSERT_EQ(static_cast<double>(scale), 11 * smallest);
  const Quantiser<double> above = over({0, width}), below = over({-width, 0});
  EXPECT_GE(above.scale().hi, 11 * smallest);
  EXPECT_LE(above.scale().lo, 10 * smallest);
  EXPECT_EQ(below.zero_point().hi, 255) << "no code is larger";
  EXPECT_LE(below.zero_point().lo, 246) << "2703 / 11";
}

TEST(Quantiser, EnclosesWhatAnyMixtureOfHonestOperationsGives) {
  std::mt19937_64 dice(20261121);
  std::uniform_real_distribution<float> values(-3, 2);
  int undecided = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const float lo = std::min(values(dice), 0.0F), hi = std::max(values(dice), 0.0F);
    if (lo == hi) continue;
    const float x = std::clamp(values(dice), lo, hi);
    const Quantiser<double> q = over({lo, hi});
    const Digit zero = q.zero_point(), digit = q.digit(Set::point(x));
    for (const float scale : {(hi - lo) / 255.0F, (hi - lo) * (1.0F / 255.0F),
                              static_cast<float>((static_cast<double>(hi) - static_cast<double>(lo)) / 255)}) {
      EXPECT_LE(q.scale().lo, static_cast<double>(scale));
      EXPECT_GE(q.scale().hi, static_cast<double>(scale));
      for (const bool reciprocal : {false, true}) {
        const auto over_scale = [&](float v) { return reciprocal ? v * (1.0F / scale) : v / scale; };
        const float z = std::nearbyint(std::clamp(0 - over_scale(lo), 0.0F, 255.0F));
        EXPECT_LE(zero.lo, z);
        EXPECT_GE(zero.hi, z);
        for (const float d : {std::nearbyint(std::clamp(over_scale(x), -z, 255 - z)),
                              std::clamp(std::nearbyint(over_scale(x) + z), 0.0F, 255.0F) - z}) {
          EXPECT_LE(digit.lo, d) << lo << " " << hi << " " << x;
          EXPECT_GE(digit.hi, d) << lo << " " << hi << " " << x;
        }
      }
    }
    undecided += digit.decided() ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_LT(undecided, 20) << "ties are rare: an enclosure that is often two wide says too little";
}

/// x / (1 + 3 u) * (1 - 2 u) - 256 u = 2.5 or nearly: the largest double whose code `double` lets be 2.
double last_that_may_be_two() {
  const Quantiser<double> q = over({0, 255});
  double two = 2.5, three = 2.6;
  while (std::nextafter(two, 3) < three) {
    const double x = two + (three - two) / 2;
    (q.digit(Set::point(x)).lo == 2 ? two : three) = x;
  }
  return two;
}

TEST(Quantiser, LeavesToBallsWhatEndsAtATieWithinTheErrorOfDouble) {
  const WorkingPrecision precision(128);
  const Quantiser<double> rough = over({0, 255});
  const Quantiser<Ball> fine = over<Ball>({0, 255});
  const double last = last_that_may_be_two();
  EXPECT_TRUE(rough.digit(Set::point(last)).open);
  EXPECT_FALSE(rough.digit(Set::point(last - 1e-12)).open);
  EXPECT_FALSE(rough.digit(Set::point(last + 1e-12)).open);
  // A code that double lets be 2 only because it does not trust itself, and one that may be 2 indeed.
  const Digit above = fine.digit(Enclosure<Ball>::point(last)),
              below = fine.digit(Enclosure<Ball>::point(last - 1e-12));
  EXPECT_EQ(above.lo, 3);
  EXPECT_EQ(below.lo, 2);
  EXPECT_FALSE(above.open);
  EXPECT_FALSE(below.open);
}

TEST(Quantiser, BallsThatMayLieOnEitherSideOfATieSayWhetherTheyDo) {
  const WorkingPrecision precision(128);
  const Quantiser<Ball> q = over<Ball>({0, 255});
  Ball near_the_end = last_that_may_be_two();
  mag_set_d(arb_radref(near_the_end.arb()), 1e-12);
  const Digit digit = q.digit(Enclosure<Ball>::point(near_the_end));
  EXPECT_EQ(digit.lo, 2);
  EXPECT_TRUE(digit.open);
}

TEST(Quantiser, IsNoWiderInBallsThanInDoubleAndTheSameWhereDoubleIsSure) {
  const WorkingPrecision precision(128);
  std::mt19937_64 dice(20261123);
  std::uniform_real_distribution<float> values(-3, 2);
  int open = 0;
  for (int trial = 0; trial < 5'000; ++trial) {
    const auto lo = static_cast<double>(values(dice)), hi = static_cast<double>(values(dice)),
               x = static_cast<double>(values(dice));
    const Quantiser<double> rough = over({lo, hi});
    const Quantiser<Ball> fine = over<Ball>({lo, hi});
    EXPECT_GE(lower(fine.scale().lo), rough.scale().lo);
    EXPECT_LE(upper(fine.scale().hi), rough.scale().hi);
    const Digit narrow = fine.digit(Enclosure<Ball>::point(x)), wide = rough.digit(Set::point(x));
    EXPECT_GE(narrow.lo, wide.lo);
    EXPECT_LE(narrow.hi, wide.hi);
    EXPECT_EQ(narrow.expected, wide.expected);
    EXPECT_FALSE(narrow.open);
    open += wide.open ? 1 : 0;
    if (wide.open) continue;
    EXPECT_EQ(narrow.lo, wide.lo);
    EXPECT_EQ(narrow.hi, wide.hi);
  }
  EXPECT_LT(open, 5);
}

}  // namespace
}  // namespace cellproof::oracle
