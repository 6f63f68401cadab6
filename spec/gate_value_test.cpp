#include "spec/gate_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace cellproof {
namespace {

using Limits = std::numeric_limits<double>;

TEST(GateValue, IsACentreAndARadius) {
  EXPECT_EQ(value_text(GateValue{"i", 0.25, 1e-8}), "0.25 +- 1e-08");
  EXPECT_EQ(value_text(GateValue{"i", -1.0 / 3, 2.0 / 3}), "-0.333333 +- 0.67");
  EXPECT_EQ(value_text(GateValue{"i", Limits::infinity(), 1}), "inf");
  EXPECT_EQ(value_text(GateValue{"i", -Limits::infinity(), 1}), "-inf");
  EXPECT_EQ(value_text(GateValue{"i", -std::nan(""), 1}), "nan");
}

TEST(GateValue, IsReadFromItsText) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-1080, 1024), digits(-1, 1);
  const auto number = [&] { return std::exp2(exponent(random)) * digits(random); };
  for (int k = 0; k < 10'000; ++k) {
    const std::string text = value_text(GateValue{"f", number(), std::abs(number())});
    const std::optional<GateValue> read = gate_value_of("f", text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->name, "f");
    EXPECT_EQ(value_text(*read), text);
  }
  for (const char* text : {"nan", "inf", "-inf", "0 +- 0", "-0 +- inf", "1 +- nan", "1 +- 1e-322"}) {
    ASSERT_TRUE(gate_value_of("f", text)) << text;
    EXPECT_EQ(value_text(*gate_value_of("f", text)), text);
  }
  const std::string rounded_up = value_text(GateValue{"f", Limits::max(), Limits::max()});
  EXPECT_EQ(value_text(gate_value_of("f", rounded_up).value()), rounded_up);
}

TEST(GateValue, IsNotReadFromOtherTexts) {
  for (const char* text :
       {"", "0.5", "0.5 +- ", " +- 1", "0.5 +- 1 ", " 0.5 +- 1", "0.5 +-1", "a +- 1", "0.5 +- 1 +- 1"})
    EXPECT_FALSE(gate_value_of("f", text)) << text;
}

}  // namespace
}  // namespace cellproof
