#include "spec/float_conversion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace cellproof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct SixteenBits {
  ElementType type;
  std::uint16_t (*bits)(double);
  double (*value)(std::uint16_t);
  /// Eigen's conversions, which go by way of float: another author's arithmetic.
  std::uint16_t (*eigen_bits)(float);
  float (*eigen_value)(std::uint16_t);
  std::uint16_t infinity_bits;
  std::uint16_t quiet_bit;
};

const std::array formats = {
    SixteenBits{ElementType::Float16, float16_bits, float16_value,
                [](float v) { return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(v)); },
                [](std::uint16_t b) { return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(b)); }, 0x7c00,
                0x0200},
    SixteenBits{ElementType::BFloat16, bfloat16_bits, bfloat16_value,
                [](float v) { return Eigen::numext::bit_cast<std::uint16_t>(Eigen::bfloat16(v)); },
                [](std::uint16_t b) { return static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(b)); }, 0x7f80,
                0x0040},
};

TEST(FloatConversion, AllPatternsHaveEigensValueAndComeBack) {
  for (const SixteenBits& format : formats) {
    for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
      const auto bits = static_cast<std::uint16_t>(pattern);
      const double value = format.value(bits);
      const float expected = format.eigen_value(bits);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value)) << pattern;
        ASSERT_EQ(std::signbit(value), pattern >> 15 == 1) << pattern;
        ASSERT_EQ(format.bits(value), pattern | format.quiet_bit) << pattern;
        continue;
      }
      ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(static_cast<double>(expected)))
          << pattern;
      ASSERT_EQ(format.bits(value), bits) << pattern;
      ASSERT_EQ(format.eigen_bits(expected), bits) << pattern;
    }
  }
}

TEST(FloatConversion, EveryTieGoesToTheEvenNeighbourAndItsNeighboursDoNot) {
  for (const SixteenBits& format : formats) {
    for (unsigned pattern = 0; pattern < format.infinity_bits; ++pattern) {
      const double below = format.value(static_cast<std::uint16_t>(pattern));
      // Overflow is decided as if the exponent range had one more step.
      const double above = pattern + 1u == format.infinity_bits
                               ? below + (below - format.value(static_cast<std::uint16_t>(pattern - 1)))
                               : format.value(static_cast<std::uint16_t>(pattern + 1));
      const double tie = (below + above) / 2;
      const unsigned even = pattern % 2 == 0 ? pattern : pattern + 1;
      for (const unsigned sign : {0u, 0x8000u}) {
        const double factor = sign ? -1 : 1;
        ASSERT_EQ(format.bits(factor * tie), even | sign) << pattern;
        ASSERT_EQ(format.bits(factor * std::nextafter(tie, 0.0)), pattern | sign) << pattern;
        ASSERT_EQ(format.bits(factor * std::nextafter(tie, infinity)), (pattern + 1) | sign) << pattern;
      }
    }
  }
}

TEST(FloatConversion, DoublesGoWhereTheCompilersOwnTypesGo) {
  std::mt19937_64 random(20261121);
  for (int i = 0; i < 300'000; ++i) {
    // Half of the exponents lie where f16 lives, the other half anywhere.
    std::uint64_t bits = random();
    if (i % 2) bits = (bits & ~(std::uint64_t{0x7ff} << 52)) | (std::uint64_t{1023 - 30 + bits % 50} << 52);
    const double value = std::bit_cast<double>(bits);
    if (std::isnan(value)) continue;
    ASSERT_EQ(float_bits(value), std::bit_cast<std::uint32_t>(static_cast<float>(value))) << value;
    ASSERT_EQ(float_value(float_bits(value)), static_cast<double>(static_cast<float>(value))) << value;
    __extension__ using Half = _Float16;
    ASSERT_EQ(float16_bits(value), std::bit_cast<std::uint16_t>(static_cast<Half>(value))) << value;
    // Eigen rounds a float: where the double is one, there is nothing to round twice.
    const auto single = static_cast<float>(value);
    for (const SixteenBits& format : formats) {
      ASSERT_EQ(format.bits(static_cast<double>(single)), format.eigen_bits(single)) << single;
    }
  }
}

TEST(FloatConversion, FloatsAtTheEdges) {
  EXPECT_EQ(float_bits(0x1p-149), 1u);
  EXPECT_EQ(float_bits(0x1p-150), 0u) << "the tie below the smallest subnormal number is even";
  EXPECT_EQ(float_bits(0x1.0000000000001p-150), 1u);
  EXPECT_EQ(float_bits(-0x1p-150), 0x80000000u);
  EXPECT_EQ(float_bits(0x1.fffffefffffffp127), 0x7f7fffffu);
  EXPECT_EQ(float_bits(0x1.ffffffp127), 0x7f800000u);
  EXPECT_EQ(float_bits(5e-324), 0u);
  EXPECT_EQ(float_bits(-infinity), 0xff800000u);
  EXPECT_EQ(float_value(1u), 0x1p-149);
  EXPECT_EQ(float_value(0x007fffffu), 0x1.fffffcp-127);
}

TEST(FloatConversion, NaNStaysNaNWithItsSign) {
  const double negative = std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
  const double signalling = std::bit_cast<double>(std::uint64_t{0x7ff0000000000001});
  EXPECT_EQ(float16_bits(std::numeric_limits<double>::quiet_NaN()), 0x7e00);
  EXPECT_EQ(bfloat16_bits(negative), 0xffc0);
  EXPECT_EQ(float_bits(signalling), 0x7fc00000u) << "a payload that is cut off must not leave infinity";
  EXPECT_TRUE(std::isnan(float_value(0xff800001u)) && std::signbit(float_value(0xff800001u)));
}

TEST(FloatConversion, RoundsToEachType) {
  EXPECT_EQ(round_to(ElementType::Float16, 1 + 0x1p-11), 1.0);
  EXPECT_EQ(round_to(ElementType::BFloat16, 1 + 0x1p-7), 1 + 0x1p-7);
  EXPECT_EQ(round_to(ElementType::Float, 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(round_to(ElementType::Double, 0.1), 0.1);
  EXPECT_THROW(round_to(ElementType::Int8, 1), std::invalid_argument);
}

TEST(FloatConversion, KnowsTheNextNumberOfEachType) {
  for (const ElementType type :
       {ElementType::Float16, ElementType::BFloat16, ElementType::Float, ElementType::Double}) {
    const FloatFormat& format = float_format(type);
    EXPECT_EQ(next_up(type, 0), format.min_subnormal);
    EXPECT_EQ(next_up(type, -0.0), format.min_subnormal);
    EXPECT_EQ(next_up(type, -format.min_subnormal), 0);
    EXPECT_EQ(next_up(type, 1), 1 + 2 * format.unit_roundoff);
    EXPECT_EQ(next_up(type, -1), -1 + format.unit_roundoff);
    EXPECT_EQ(next_up(type, format.max_finite), infinity);
    EXPECT_EQ(next_up(type, infinity), infinity);
    EXPECT_EQ(next_up(type, -infinity), -format.max_finite);
  }
}

}  // namespace
}  // namespace cellproof
