#include "spec/literal_text.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "spec/text_value.hpp"

namespace cellproof::text {
namespace {

Tensor tensor(ElementType type, Shape shape, std::vector<double> values) {
  return Tensor::from_values(type, std::move(shape), values);
}

std::string expected_by(std::string_view field, ElementType type, const Shape& shape) {
  try {
    read_literal(field, type, shape);
  } catch (const Expected& expected) {
    return expected.what;
  }
  return "";
}

struct Form {
  Tensor tensor;
  const char* text;  ///< where the case gives float[2]
};

TEST(LiteralText, SaysTypeAndShapeOnlyWhereTheyAreNotTheCases) {
  for (const Form& form : {
           Form{tensor(ElementType::Float, {2}, {1, -2}), "hex:0000803f000000c0"},
           Form{tensor(ElementType::Float, {1, 2}, {1, -2}), "hex:float:1x2:0000803f000000c0"},
           Form{tensor(ElementType::BFloat16, {2}, {1, -2}), "hex:bfloat16:2:803f00c0"},
           Form{tensor(ElementType::Int32, {3}, {5, 3, 0}), "values:int32:3:5/3/0"},
           Form{tensor(ElementType::Int8, {}, {-7}), "values:int8:scalar:-7"},
           Form{tensor(ElementType::UInt8, {0}, {}), "values:uint8:0:[]"},
           Form{tensor(ElementType::Float, {0, 4}, {}), "hex:float:0x4:"},
           Form{tensor(ElementType::Int64, {1}, {0x1p60}), "hex:int64:1:0000000000000010"},
       }) {
    EXPECT_EQ(write_literal(form.tensor, ElementType::Float, {2}, std::nullopt), form.text);
    EXPECT_EQ(read_literal(form.text, ElementType::Float, {2}), form.tensor) << form.text;
  }
}

TEST(LiteralText, TheLineHoldsUpTo4KiB) {
  const Tensor largest(ElementType::Float, {1024}), larger(ElementType::Float, {1025});
  EXPECT_TRUE(write_literal(largest, ElementType::Float, {1024}, std::nullopt).starts_with("hex:"));
  EXPECT_TRUE(write_literal(larger, ElementType::Float, {1025}, std::nullopt).starts_with("file:"));
}

TEST(LiteralText, ReadsDecimalFloats) {
  EXPECT_EQ(read_literal("values:0.5/-inf", ElementType::Float16, {2}).bits(1), 0xfc00u);
  EXPECT_EQ(read_literal("values:0.1", ElementType::Double, {1}).value(0), 0.1);
}

TEST(LiteralText, EachMistakeIsNamed) {
  EXPECT_EQ(expected_by("hex:00:11", ElementType::Float, {2}), "hex:VALUE or hex:TYPE:SHAPE:VALUE");
  EXPECT_EQ(expected_by("hex:half:2:00", ElementType::Float, {2}), "an element type such as float or int32 after hex:");
  EXPECT_EQ(expected_by("values:256", ElementType::UInt8, {1}), "an integer from 0 to 255");
  EXPECT_EQ(expected_by("values:-129", ElementType::Int8, {1}), "an integer from -128 to 127");
  EXPECT_EQ(expected_by("file:x", ElementType::Float, {2}), "PATH#HASH after file:");
  EXPECT_EQ(expected_by("file:x#0", ElementType::Float, {1 << 30}), "a tensor of at most 1 GiB");
  EXPECT_EQ(expected_by("file:no/such/file#0", ElementType::Float, {2}), "a file at 'no/such/file'");
}

}  // namespace
}  // namespace cellproof::text
