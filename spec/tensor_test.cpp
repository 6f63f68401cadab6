#include "spec/tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace cellproof {
namespace {

using testing::ElementsAre;

TEST(Tensor, CountsElements) {
  EXPECT_EQ(element_count({}), 1u);
  EXPECT_EQ(element_count({5, 2, 3}), 30u);
  EXPECT_EQ(element_count({5, 0, 3}), 0u);
  EXPECT_EQ(element_count({std::int64_t{1} << 40}), std::size_t{1} << 40);
  EXPECT_THROW(element_count({2, -1}), std::length_error);
  EXPECT_THROW(element_count({std::int64_t{1} << 40, 2}), std::length_error);
  EXPECT_THROW(element_count({std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()}),
               std::length_error);
  EXPECT_THROW(element_count({0, -1}), std::length_error);
  EXPECT_EQ(to_string(Shape{5, 2, 3}), "[5,2,3]");
  EXPECT_EQ(to_string(Shape{}), "[]");
}

TEST(Tensor, StartsAsZeros) {
  const Tensor tensor(ElementType::BFloat16, {2, 3});
  EXPECT_EQ(tensor.size(), 6u);
  EXPECT_EQ(tensor.rank(), 2u);
  EXPECT_EQ(tensor.bytes().size(), 12u);
  for (std::size_t i = 0; i < tensor.size(); ++i) EXPECT_EQ(tensor.bits(i), 0u);
}

TEST(Tensor, HoldsLittleEndianBytes) {
  const Tensor tensor = Tensor::from_values(ElementType::Float, {1}, std::vector{1.0});
  EXPECT_THAT(tensor.bytes(), ElementsAre(std::byte{0}, std::byte{0}, std::byte{0x80}, std::byte{0x3f}));
  EXPECT_EQ(Tensor(ElementType::Float, {1}, {tensor.bytes().begin(), tensor.bytes().end()}), tensor);
  EXPECT_THROW(Tensor(ElementType::Float, {2}, std::vector<std::byte>(7)), std::invalid_argument);
}

TEST(Tensor, FindsElementsInRowMajorOrder) {
  Tensor tensor(ElementType::Double, {2, 3, 4});
  EXPECT_EQ(tensor.offset({1, 2, 3}), 23u);
  EXPECT_EQ(tensor.offset({1, 0, 2}), 14u);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const auto index = tensor.index_of(i);
    EXPECT_EQ(tensor.offset({index[0], index[1], index[2]}), i);
  }
  tensor.set_value({1, 0, 2}, 7);
  EXPECT_EQ(tensor.value(14), 7);
  EXPECT_THROW(tensor.offset({1, 3, 0}), std::out_of_range);
  EXPECT_THROW(tensor.offset({1, -1, 0}), std::out_of_range);
  EXPECT_THROW(tensor.offset({1, 1}), std::out_of_range);
  EXPECT_THROW(tensor.index_of(24), std::out_of_range);
  EXPECT_THROW(tensor.value(24), std::out_of_range);
  EXPECT_EQ(Tensor(ElementType::Float, {}).offset({}), 0u);
}

TEST(Tensor, RoundsOnceToItsType) {
  Tensor tensor(ElementType::Float16, {1});
  tensor.set_value(0, 0.1);
  EXPECT_EQ(tensor.bits(0), 0x2e66u);
  EXPECT_EQ(tensor.value(0), 0.0999755859375);
  tensor.set_value(0, 1e6);
  EXPECT_TRUE(std::isinf(tensor.value(0)));
}

TEST(Tensor, IntegersAreExactOrRefused) {
  Tensor bytes(ElementType::Int8, {1});
  bytes.set_value(0, -128);
  EXPECT_EQ(bytes.integer(0), -128);
  EXPECT_EQ(bytes.bits(0), 0x80u);
  for (const double bad : {128.0, -129.0, 0.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(bytes.set_value(0, bad), std::invalid_argument) << bad;
  }
  Tensor wide(ElementType::Int64, {1});
  wide.set_value(0, -0x1p63);
  EXPECT_EQ(wide.integer(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_THROW(wide.set_value(0, 0x1p63), std::invalid_argument);
  Tensor unsigned_bytes(ElementType::UInt8, {1});
  EXPECT_THROW(unsigned_bytes.set_value(0, -1), std::invalid_argument);
  unsigned_bytes.set_value(0, 255);
  EXPECT_EQ(unsigned_bytes.value(0), 255);
  EXPECT_THROW(Tensor(ElementType::Float, {1}).integer(0), std::invalid_argument);
}

TEST(Tensor, EqualMeansTheSameBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Tensor::from_values(ElementType::Float, {1}, std::vector{nan}),
            Tensor::from_values(ElementType::Float, {1}, std::vector{nan}));
  EXPECT_NE(Tensor::from_values(ElementType::Float, {1}, std::vector{0.0}),
            Tensor::from_values(ElementType::Float, {1}, std::vector{-0.0}));
  EXPECT_NE(Tensor(ElementType::Float, {2, 1}), Tensor(ElementType::Float, {1, 2}));
  EXPECT_NE(Tensor(ElementType::Int8, {2}), Tensor(ElementType::UInt8, {2}));
  EXPECT_THROW(Tensor::from_values(ElementType::Float, {2}, std::vector{1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof
