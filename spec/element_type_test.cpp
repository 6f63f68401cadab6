#include "spec/element_type.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace cellproof {
namespace {

TEST(ElementType, EveryNameLeadsBack) {
  ASSERT_EQ(all_element_types().size(), 8u);
  for (const ElementType type : all_element_types()) EXPECT_EQ(element_type_named(onnx_name(type)), type);
  EXPECT_EQ(element_type_named("float32"), std::nullopt);
  EXPECT_EQ(element_type_named(""), std::nullopt);
}

TEST(ElementType, NamesAndSizesAreOnnxs) {
  EXPECT_EQ(onnx_name(ElementType::Float), "float");
  EXPECT_EQ(onnx_name(ElementType::BFloat16), "bfloat16");
  EXPECT_EQ(size_of(ElementType::BFloat16), 2u);
  EXPECT_EQ(size_of(ElementType::UInt8), 1u);
  EXPECT_EQ(size_of(ElementType::Double), 8u);
  EXPECT_TRUE(is_floating_point(ElementType::Double));
  EXPECT_FALSE(is_floating_point(ElementType::Int8));
}

template <typename Float>
void expect_limits_of(ElementType type) {
  const FloatFormat& format = float_format(type);
  using limits = std::numeric_limits<Float>;
  EXPECT_EQ(format.precision, limits::digits);
  EXPECT_EQ(format.min_exponent, limits::min_exponent - 1);
  EXPECT_EQ(format.max_exponent, limits::max_exponent - 1);
  EXPECT_EQ(format.max_finite, limits::max());
  EXPECT_EQ(format.min_normal, limits::min());
  EXPECT_EQ(format.min_subnormal, limits::denorm_min());
}

TEST(ElementType, FormatsAreTheCompilersWhereItHasThem) {
  expect_limits_of<float>(ElementType::Float);
  expect_limits_of<double>(ElementType::Double);
}

TEST(ElementType, FormatsAgreeWithThemselves) {
  for (const ElementType type :
       {ElementType::Float16, ElementType::BFloat16, ElementType::Float, ElementType::Double}) {
    const FloatFormat& format = float_format(type);
    EXPECT_EQ(format.unit_roundoff, std::ldexp(1.0, -format.precision));
    EXPECT_EQ(format.min_normal, std::ldexp(1.0, format.min_exponent));
    EXPECT_EQ(format.min_subnormal, std::ldexp(1.0, format.min_exponent - format.precision + 1));
    EXPECT_EQ(format.max_finite, std::ldexp(2 - 2 * format.unit_roundoff, format.max_exponent));
  }
  EXPECT_THROW(float_format(ElementType::Int32), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof
