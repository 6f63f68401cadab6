#include "engines/same_outputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cellproof::engines {
namespace {

Outcome ran_with(std::initializer_list<double> values, ElementType type = ElementType::Float) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = {
      Tensor::from_values(type, {static_cast<std::int64_t>(values.size())}, std::vector<double>(values))};
  return outcome;
}

TEST(SameOutputs, ComparesBitsTypesShapesAndNumber) {
  const auto base = ran_with({0, 1});
  EXPECT_TRUE(same_outputs(base, base));
  EXPECT_FALSE(same_outputs(base, ran_with({-0.0, 1})));
  EXPECT_FALSE(same_outputs(base, ran_with({0, std::nextafterf(1, 2)})));
  EXPECT_FALSE(same_outputs(base, ran_with({0, 1}, ElementType::Double)));
  EXPECT_FALSE(same_outputs(base, ran_with({0})));
  auto more = base;
  more.outputs.emplace_back();
  EXPECT_FALSE(same_outputs(base, more));
  auto missing = base;
  missing.outputs[0].reset();
  EXPECT_FALSE(same_outputs(base, missing));
}

TEST(SameOutputs, AnyNanIsAnyNan) {
  auto first = ran_with({std::numeric_limits<double>::quiet_NaN()}), second = first;
  second.outputs[0]->bytes()[0] = std::byte{7};  // another payload
  ASSERT_NE(*first.outputs[0], *second.outputs[0]);
  EXPECT_TRUE(same_outputs(first, second));
}

TEST(SameOutputs, ComparesKinds) {
  Outcome rejected, crashed;
  rejected.kind = OutcomeKind::Rejected;
  rejected.message = "this";
  crashed.kind = OutcomeKind::Crashed;
  auto reworded = rejected;
  reworded.message = "that";
  EXPECT_TRUE(same_outputs(rejected, reworded));
  EXPECT_FALSE(same_outputs(rejected, crashed));
}

}  // namespace
}  // namespace cellproof::engines
