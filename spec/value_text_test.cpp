#include "spec/value_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "spec/float_conversion.hpp"

namespace cellproof {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(ValueText, IsShortAndLeadsBackBitForBit) {
  for (const ElementType type : all_element_types()) {
    for (const double number : {0.0, -0.0, 0.1, -1e-8, 65504.0, 5e-324, std::numbers::pi, inf, -inf}) {
      const double value = is_floating_point(type) ? round_to(type, number) : number;
      const auto back = value_of_text(type, value_text(type, value));
      ASSERT_TRUE(back) << onnx_name(type) << " " << number;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value));
    }
    EXPECT_TRUE(std::isnan(*value_of_text(type, value_text(type, -std::nan("")))));
  }
  EXPECT_EQ(value_text(ElementType::Float16, round_to(ElementType::Float16, 0.1)), "0.1");
  EXPECT_EQ(value_text(ElementType::Float, -0.0), "-0");
  EXPECT_EQ(value_text(ElementType::Double, -std::nan("")), "nan");
}

TEST(ValueText, OfCommonSizeHasNoExponent) {
  EXPECT_EQ(value_text(ElementType::Float, 100), "100");
  EXPECT_EQ(value_text(ElementType::Float16, -65504), "-65500") << "the shortest that reads back";
  EXPECT_EQ(value_text(ElementType::Float, 1e7), "1e+07");
  EXPECT_EQ(value_text(ElementType::Float, 1e-8F), "1e-08");
}

TEST(ValueText, IsNothingElse) {
  for (const char* text : {"", "x", "0.1x", "0.10", "-nan", "0.100000001"})
    EXPECT_FALSE(value_of_text(ElementType::Float, text)) << text;
}

}  // namespace
}  // namespace cellproof
