#include "spec/attributes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cellproof {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Attributes, ANaNEqualsItself) {
  const auto with_nan = [] {
    Attributes attributes;
    attributes.clip = nan;
    attributes.activation_alpha = {1, nan};
    attributes.others = {{"a", nan}, {"b", std::vector{nan}}};
    return attributes;
  };
  EXPECT_EQ(with_nan(), with_nan());
}

TEST(Attributes, SignsOfZeroDiffer) {
  Attributes a, b;
  a.clip = 0.0f;
  b.clip = -0.0f;
  EXPECT_FALSE(a == b);
}

TEST(Attributes, EachFieldCounts) {
  const auto differs = [](auto change) {
    Attributes changed;
    change(changed);
    return !(changed == Attributes{});
  };
  EXPECT_TRUE(differs([](Attributes& a) { a.activation_alpha = std::vector<float>{}; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.activation_beta = {1.0f}; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.activations = std::vector<std::string>{}; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.clip = 1.0f; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.direction = ""; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.hidden_size = 0; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.input_forget = 0; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.layout = 0; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.linear_before_reset = 0; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.output_sequence = 0; }));
  EXPECT_TRUE(differs([](Attributes& a) { a.others = {{"", std::int64_t{0}}}; }));
}

TEST(Attributes, AnotherTypeIsAnotherAttribute) {
  EXPECT_FALSE((OtherAttribute{"a", std::int64_t{1}} == OtherAttribute{"a", 1.0f}));
  EXPECT_FALSE((OtherAttribute{"a", std::string()} == OtherAttribute{"b", std::string()}));
  EXPECT_TRUE(
      (OtherAttribute{"a", std::vector<std::string>{"x"}} == OtherAttribute{"a", std::vector<std::string>{"x"}}));
}

}  // namespace
}  // namespace cellproof
