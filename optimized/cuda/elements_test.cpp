#include "optimized/cuda/elements.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cellproof::cuda {
namespace {

bool is_half_nan(int stored) {
  return (stored & 0x7C00) == 0x7C00 && (stored & 0x3FF) != 0;
}

TEST(CudaElements, WidenAndRoundEveryHalf) {
  for (int stored = 0; stored < 0x10000; ++stored) {
    const float value = widened_half(static_cast<std::uint16_t>(stored));
    const std::uint16_t back = rounded_half(value);
    if (is_half_nan(stored)) {
      ASSERT_TRUE(std::isnan(value)) << stored;
      ASSERT_TRUE(is_half_nan(back)) << stored;
      continue;
    }
    ASSERT_EQ(back, stored);
    const int exponent = (stored >> 10) & 31, fraction = stored & 1023;
    if (exponent == 31) continue;
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(value, stored < 0x8000 ? magnitude : -magnitude);
  }
}

TEST(CudaElements, RoundToTheNearestHalfTiesToEven) {
  for (int stored = 0; stored < 0x7C00; ++stored) {
    const double low = widened_half(static_cast<std::uint16_t>(stored));
    const double high = stored + 1 == 0x7C00 ? 65536 : widened_half(static_cast<std::uint16_t>(stored + 1));
    const auto middle = static_cast<float>((low + high) / 2);  // exact
    ASSERT_EQ(rounded_half(middle), stored % 2 == 0 ? stored : stored + 1) << stored;
    ASSERT_EQ(rounded_half(std::nextafter(middle, 0.0F)), stored) << stored;
    ASSERT_EQ(rounded_half(std::nextafter(middle, 1e9F)), stored + 1) << stored;
    ASSERT_EQ(rounded_half(-middle), 0x8000 | (stored % 2 == 0 ? stored : stored + 1)) << stored;
  }
  EXPECT_EQ(rounded_half(INFINITY), 0x7C00);
  EXPECT_EQ(rounded_half(-1e30F), 0xFC00);
  EXPECT_EQ(rounded_half(1e-40F), 0);
}

TEST(CudaElements, WidenAndRoundBfloat16) {
  for (std::uint32_t stored = 0; stored < 0x7F80; ++stored) {
    const float value = widened_bfloat(static_cast<std::uint16_t>(stored));
    ASSERT_EQ(rounded_bfloat(value), stored);
    const float middle = float_of((stored << 16) + 0x8000);
    ASSERT_EQ(rounded_bfloat(middle), stored % 2 == 0 ? stored : stored + 1);
    ASSERT_EQ(rounded_bfloat(-middle), 0x8000 | (stored % 2 == 0 ? stored : stored + 1));
    ASSERT_EQ(rounded_bfloat(float_of((stored << 16) + 0x8001)), stored + 1);
    ASSERT_EQ(rounded_bfloat(float_of((stored << 16) + 0x7FFF)), stored);
  }
  EXPECT_TRUE(std::isnan(widened_bfloat(rounded_bfloat(NAN))));
  EXPECT_TRUE(std::isnan(widened_bfloat(rounded_bfloat(float_of(0x7F800001)))));
}

TEST(CudaElements, SplitsAFloatIntoBfloat16TermsExactly) {
  for (const float value : {0.0F, -0.0F, 1.0F, 1.99999988F, -3.14159274F, 3.40282347e38F, -1.17549435e-30F, 65504.0F}) {
    float rest = value;
    double sum = 0;
    for (Index term = 0; term < split_terms; ++term) sum += static_cast<double>(widened_bfloat(next_bfloat(rest)));
    EXPECT_EQ(sum, static_cast<double>(value));
    EXPECT_EQ(rest, 0);
  }
  for (int word = 0; word < 1 << 16; ++word) {  // two parts hold every float16
    const float value = widened_half(static_cast<std::uint16_t>(word));
    float rest = value;
    const float first = widened_bfloat(next_bfloat(rest)), second = widened_bfloat(next_bfloat(rest));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(first) && second == 0);
    else if (std::isinf(value))
      EXPECT_TRUE(first == value && second == 0);
    else
      ASSERT_EQ(first + second, value) << word;
  }
}

}  // namespace
}  // namespace cellproof::cuda
