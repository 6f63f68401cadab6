#include "fuzz/testing/recipe_generator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "spec/case_text.hpp"

namespace cellproof::fuzz {
namespace {

/// Case that RapidCheck comes to from the first recipe, of those that it makes from the seed, whose case fails.
std::optional<Case> shrunk(std::uint64_t seed, const std::function<bool(const Case&)>& fails) {
  constexpr int size = 30, most_tried = 5000;
  const auto failing = [&](const CaseRecipe& recipe) { return fails(small_case(recipe)); };
  rc::Random random(seed);
  for (int k = 0; k < most_tried; ++k) {
    const rc::Shrinkable<CaseRecipe> made = rc::gen::arbitrary<CaseRecipe>()(random.split(), size);
    if (failing(made.value())) return small_case(rc::shrinkable::findLocalMin(made, failing).first);
  }
  return std::nullopt;
}

class RecipeGenerator : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static std::string smallest(const std::function<bool(const Case&)>& fails) {
    const auto c = shrunk(GetParam(), fails);
    return c ? to_text(*c) : "nothing fails";
  }
};

TEST_P(RecipeGenerator, ShrinksToTheSmallestOfTheNewestVersion) {
  EXPECT_EQ(smallest([](const Case&) { return true; }),
            "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1 seed=1");
}

TEST_P(RecipeGenerator, ShrinksToNoMoreThanAFailureNeeds) {
  const auto fails = [](const Case& c) { return c.attributes.clip && c.H >= 2; };
  EXPECT_EQ(smallest(fails), "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=2 seed=1 clip=1000");
}

TEST_P(RecipeGenerator, ShrinksToTheOperatorAndTheTwoValuesThatAFailureNeeds) {
  const auto fails = [](const Case& c) {
    return c.version.op == Operator::GRU && c.attributes.direction == "reverse" && c.T >= 4 &&
           axis("regime").of(c) == "special";
  };
  EXPECT_EQ(smallest(fails),
            "cellproof-case/1 op=GRU-22 type=float T=4 N=1 I=1 H=1 seed=1 regime=special direction=reverse");
}

INSTANTIATE_TEST_SUITE_P(Seeds, RecipeGenerator, ::testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace cellproof::fuzz
