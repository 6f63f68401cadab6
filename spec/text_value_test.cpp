#include "spec/text_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>

namespace cellproof::text {
namespace {

std::string expected_by(const auto& read) {
  try {
    read();
  } catch (const Expected& expected) {
    return expected.what;
  }
  return "";
}

RC_GTEST_PROP(TextValue, FloatsComeBackBitByBit, (std::uint32_t bits)) {
  RC_ASSERT(std::bit_cast<std::uint32_t>(read_float(write(std::bit_cast<float>(bits)))) == bits);
}

RC_GTEST_PROP(TextValue, DoublesComeBackBitByBit, (std::uint64_t bits)) {
  RC_ASSERT(std::bit_cast<std::uint64_t>(read_double(write(std::bit_cast<double>(bits)))) == bits);
}

RC_GTEST_PROP(TextValue, StringsComeBackAndHoldNoSeparator, (const std::string& string)) {
  RC_ASSERT(unescape(escape(string)) == string);
  RC_ASSERT(unescape(escape_path(string)) == string);
  RC_ASSERT(escape(string).find_first_of(" ,:;/=#[]\n") == std::string::npos);
}

TEST(TextValue, FloatsReadWell) {
  EXPECT_EQ(write(0.1f), "0.1");
  EXPECT_EQ(write(-0.0f), "-0");
  EXPECT_EQ(write(1e-45f), "1e-45");
  EXPECT_EQ(write(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(write(std::numeric_limits<float>::quiet_NaN()), "nan");
  EXPECT_EQ(write(std::bit_cast<float>(0xffc00001u)), "0xffc00001");
  EXPECT_EQ(read_float("0x3f800000"), 1.0f);
}

TEST(TextValue, NumbersAreReadStrictly) {
  for (const char* bad : {"", "+1", "1 ", " 1", "1,5", "1e99", "0x12", "-nan", "nan(1)", "0x7fc0000g", "one"}) {
    EXPECT_NE(expected_by([bad] { read_float(bad); }), "") << bad;
  }
  for (const char* bad : {"", "1.0", "8", "-1", "0x1", "99999999999999999999"}) {
    EXPECT_EQ(expected_by([bad] { read_integer(bad, 0, 7); }), "an integer from 0 to 7") << bad;
  }
  EXPECT_EQ(read_seed("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_NE(expected_by([] { read_seed("18446744073709551616"); }), "");
}

TEST(TextValue, Shapes) {
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{2, 3, 5}}) EXPECT_EQ(read_shape(write(shape)), shape);
  EXPECT_EQ(write(Shape{2, 3, 5}), "2x3x5");
  EXPECT_EQ(write(Shape{}), "scalar");
  for (const char* bad : {"", "x", "2x", "-1", "2X3", "99999999999999"}) {
    EXPECT_NE(expected_by([bad] { read_shape(bad); }), "") << bad;
  }
}

TEST(TextValue, HexBytes) {
  const std::vector<std::byte> bytes = {std::byte{0x00}, std::byte{0x7f}, std::byte{0xff}};
  EXPECT_EQ(write_hex(bytes), "007fff");
  EXPECT_EQ(read_hex("007FfF"), bytes);
  EXPECT_EQ(expected_by([] { read_hex("0"); }), "an even number of hex digits");
  EXPECT_EQ(expected_by([] { read_hex("0g"); }), "hex digits only");
}

TEST(TextValue, AnEmptyListIsNotAListOfOneEmptyString) {
  using Strings = std::vector<std::string>;
  for (const Strings& strings : {Strings{}, Strings{""}, Strings{"", ""}, Strings{"[]"}}) {
    const std::string text = write_list(strings, ',', escape);
    EXPECT_EQ(read_list(text, ',', unescape), strings) << text;
  }
}

}  // namespace
}  // namespace cellproof::text
