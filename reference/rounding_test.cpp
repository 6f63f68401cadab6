#include "reference/rounding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "reference/mpfr_real.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::reference {
namespace {

const double beyond_all = std::numeric_limits<double>::infinity();
constexpr ElementType types[] = {ElementType::Float16, ElementType::BFloat16, ElementType::Float, ElementType::Double};

double mantissa(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}

double rounded(const Mpfr50& x, ElementType type) {
  return round_once(x, float_format(type));
}

TEST(RoundOnce, LeavesEveryNumberOfTheSixteenBitTypesAndRoundsWhatLiesBetweenNeighbours) {
  for (ElementType type : {ElementType::Float16, ElementType::BFloat16}) {
    const auto value = type == ElementType::Float16 ? float16_value : bfloat16_value;
    for (std::uint32_t bits = 0; bits + 1 < 0x8000; ++bits) {
      const double low = value(static_cast<std::uint16_t>(bits)), high = value(static_cast<std::uint16_t>(bits + 1));
      if (!std::isfinite(high)) break;
      ASSERT_EQ(rounded(low, type), low);
      const Mpfr50 middle = (Mpfr50(low) + high) / 2, little = (Mpfr50(high) - low) * ldexp(Mpfr50(1), -100);
      const double even = bits % 2 == 0 ? low : high;
      ASSERT_EQ(rounded(middle, type), even) << bits;
      ASSERT_EQ(rounded(middle - little, type), low) << bits;
      ASSERT_EQ(rounded(middle + little, type), high) << bits;
      ASSERT_EQ(rounded(-middle - little, type), -high) << bits;
    }
  }
}

TEST(RoundOnce, NeverGoesThroughDouble) {
  // 1 + 2^-24 is half way between two floats. 2^-60 more decides for the upper one, but is lost in a double.
  const Mpfr50 x = 1 + ldexp(Mpfr50(1), -24) + ldexp(Mpfr50(1), -60);
  EXPECT_EQ(rounded(x, ElementType::Float), 1 + 0x1p-23);
  EXPECT_EQ(static_cast<float>(static_cast<double>(x)), 1.0F);
  const Mpfr50 tie = 1 + ldexp(Mpfr50(1), -53);
  EXPECT_EQ(rounded(tie, ElementType::Double), 1.0);
  EXPECT_EQ(rounded(tie + ldexp(Mpfr50(1), -150), ElementType::Double), 1 + 0x1p-52);
}

TEST(RoundOnce, KeepsSubnormalsAndOverflowsAtHalfAUnitBeyondTheLargest) {
  for (ElementType type : types) {
    const FloatFormat& format = float_format(type);
    const Mpfr50 smallest = format.min_subnormal, largest = format.max_finite;
    const Mpfr50 unit = ldexp(Mpfr50(1), format.max_exponent - format.precision + 1);
    EXPECT_EQ(rounded(smallest, type), format.min_subnormal);
    EXPECT_EQ(rounded(3 * smallest, type), 3 * format.min_subnormal);
    EXPECT_EQ(rounded(smallest / 2, type), 0);
    EXPECT_EQ(rounded(smallest * 0.75, type), format.min_subnormal);
    EXPECT_EQ(rounded(smallest * 1.5, type), 2 * format.min_subnormal);
    EXPECT_EQ(rounded(largest, type), format.max_finite);
    EXPECT_EQ(rounded(largest + unit * 0.499, type), format.max_finite);
    EXPECT_EQ(rounded(largest + unit / 2, type), beyond_all);
    EXPECT_EQ(rounded(-largest - unit, type), -beyond_all);
    EXPECT_EQ(rounded(ldexp(Mpfr50(1), 100000), type), beyond_all);
    EXPECT_EQ(rounded(ldexp(Mpfr50(1), -100000), type), 0);
    EXPECT_TRUE(std::signbit(rounded(-ldexp(Mpfr50(1), -100000), type)));
  }
}

TEST(RoundOnce, PassesSpecialValues) {
  for (ElementType type : types) {
    EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<double>::quiet_NaN(), type)));
    EXPECT_EQ(rounded(beyond_all, type), beyond_all);
    EXPECT_EQ(rounded(-beyond_all, type), -beyond_all);
    EXPECT_EQ(rounded(0, type), 0);
  }
}

RC_GTEST_PROP(RoundOnce, AgreesWithTheConversionsOfTensorsOnDoubles, (std::uint64_t bits)) {
  const double x = std::bit_cast<double>(bits);
  // Any magnitude, and one in the range of the 16-bit types.
  for (double y : {x, std::ldexp(mantissa(x), static_cast<int>(bits % 60) - 30)}) {
    if (!std::isfinite(y)) continue;
    for (ElementType type : types) {
      RC_ASSERT(round_once(y, float_format(type)) == round_to(type, y));
      RC_ASSERT(rounded(y, type) == round_to(type, y));
      RC_ASSERT(round_once(Mpfr50(y), float_format(type)) == round_to(type, y));
    }
  }
}

}  // namespace
}  // namespace cellproof::reference
