#include "oracle/minimise_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle/testing/problems.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/resized.hpp"

namespace cellproof::oracle {
namespace {

Case small_case(Operator op = Operator::LSTM) {
  Case c = testing::some_case(op);
  for (const char* size : {"T", "N", "I"}) c = resized(c, size, 2);
  return resized(c, "H", 2);
}

std::vector<double> values_of(const Case& c, std::size_t position) {
  const Problem problem = make_problem(c);
  const Tensor& tensor = *problem.input(position);
  std::vector<double> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.value(i);
  return values;
}

double element(const Case& c, std::size_t position, std::size_t i) {
  return make_problem(c).input(position)->value(i);
}

std::int64_t not_zero(const Case& c, std::size_t position) {
  return std::ranges::count_if(values_of(c, position), [](double value) { return value != 0; });
}

TEST(MinimiseNumbers, MakesEverythingZeroThatMayBe) {
  int asked = 0;
  const Case small = minimise_numbers(small_case(), [&](const Case&) {
    ++asked;
    return true;
  });
  EXPECT_EQ(count_numbers(small).not_zero, 0);
  EXPECT_EQ(asked, 7);  // X, W, R, B, initial_h, initial_c and P, each at once
  EXPECT_EQ(parse_case(to_text(small)), small);
}

TEST(MinimiseNumbers, FindsTheOneNumberThatIsNeeded) {
  int asked = 0;
  const Case small = minimise_numbers(small_case(), [&](const Case& c) {
    ++asked;
    return element(c, input::R, 11) != 0;
  });
  EXPECT_EQ(count_numbers(small).not_zero, 1);
  EXPECT_EQ(element(small, input::R, 11), 1);
  EXPECT_LE(asked, 40);
}

TEST(MinimiseNumbers, LeavesFewBits) {
  const double start = element(small_case(), input::W, 3);
  const auto needs_nearly_that = [&](const Case& c) {
    return std::fabs(element(c, input::W, 3) - start) <= std::fabs(start) / 8;
  };
  const Case small = minimise_numbers(small_case(), needs_nearly_that);
  EXPECT_TRUE(needs_nearly_that(small));
  EXPECT_EQ(count_numbers(small).not_zero, 1);
  int exponent = 0;
  const double fraction = std::frexp(element(small, input::W, 3), &exponent);
  EXPECT_EQ(std::ldexp(fraction, 3), std::nearbyint(std::ldexp(fraction, 3)));
}

TEST(MinimiseNumbers, LeavesSimpleNumbersInTheNode) {
  Case start = small_case(Operator::RNN);
  start.attributes.activations = {"HardSigmoid"};
  start.attributes.activation_alpha = {0.3125F};
  start.attributes.activation_beta = {0.4F};
  start.attributes.clip = 0.7F;
  const auto needs_a_low_clip = [](const Case& c) { return c.attributes.clip.value_or(1) < 0.8F; };
  const Case small = minimise_numbers(start, needs_a_low_clip);
  EXPECT_EQ(small.attributes.activation_alpha, std::vector{1.0F});
  EXPECT_EQ(small.attributes.activation_beta, std::vector{1.0F});
  EXPECT_EQ(small.attributes.clip, 0.5F);
  EXPECT_TRUE(expectation_of(make_problem(small)).violations.empty());
}

TEST(MinimiseNumbers, KeepsWhatIsNeededAsItIs) {
  const Case start = small_case();
  EXPECT_EQ(minimise_numbers(start, [](const Case&) { return false; }), start);
  const auto needs_all_of_W = [&](const Case& c) { return values_of(c, input::W) == values_of(start, input::W); };
  EXPECT_EQ(values_of(minimise_numbers(start, needs_all_of_W), input::W), values_of(start, input::W));
}

TEST(MinimiseNumbers, NeverMakesAZeroAnotherNumber) {
  Case start = small_case();
  start.inputs[input::W].values = Tensor::from_values(
      ElementType::Float, {1, 8, 2}, std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0});
  const Case small = minimise_numbers(start, [](const Case& c) { return not_zero(c, input::W) > 0; });
  EXPECT_EQ(not_zero(small, input::W), 1);
  EXPECT_EQ(element(small, input::W, 10), 1);
}

TEST(MinimiseNumbers, LeavesInfinitiesAndHugeNumbersWhatTheyAre) {
  Case start = small_case();
  Tensor X(ElementType::Float, {2, 2, 2});
  X.set_value(1, std::numeric_limits<double>::infinity());
  X.set_value(2, std::numeric_limits<float>::max());
  start.inputs[input::X].values = X;
  const auto fails = [](const Case& c) {
    return std::isinf(element(c, input::X, 1)) && element(c, input::X, 2) > 1e38;
  };
  const Case small = minimise_numbers(start, fails);
  EXPECT_TRUE(fails(small));
  EXPECT_FALSE(std::isinf(element(small, input::X, 2)));
}

TEST(MinimiseNumbers, StaysWithinQuantisedTypes) {
  Case start = testing::some_case(Operator::DynamicQuantizeLSTM);
  const Shape shape = default_shape(start, input::W);
  start.inputs[input::W].values =
      Tensor::from_values(ElementType::UInt8, shape, std::vector<double>(element_count(shape), 253));
  // 253 in few bits is 256, which the type does not have.
  const auto fails = [](const Case& c) { return element(c, input::W, 0) > 200; };
  const Case small = minimise_numbers(start, fails);
  EXPECT_TRUE(fails(small));
  EXPECT_EQ(not_zero(small, input::W), 1);
  EXPECT_EQ(expectation_of(make_problem(small)).kind, Expectation::Kind::Accept);
}

TEST(MinimiseNumbers, ATensorTooLargeForALineIsZeroOrAsItWas) {
  const Case start = resized(testing::some_case(Operator::RNN), "I", 1000);
  int asked = 0;
  const Case small = minimise_numbers(start, [&](const Case& c) {
    ++asked;
    return element(c, input::X, 0) != 0;
  });
  EXPECT_LT(to_text(small).size(), 500U);
  EXPECT_TRUE(std::holds_alternative<Generated>(small.inputs[input::X].values));
  EXPECT_EQ(not_zero(small, input::W), 0);
  EXPECT_LE(asked, 20);
}

}  // namespace
}  // namespace cellproof::oracle
