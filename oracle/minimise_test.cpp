#include "oracle/minimise.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/minimise_numbers.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/axes.hpp"
#include "spec/resized.hpp"

namespace cellproof::oracle {
namespace {

Case rich_case() {
  Case c = testing::some_case(Operator::LSTM);
  for (const auto& [name, value] :
       AxisValues{{"direction", "bidirectional"}, {"layout", "1"}, {"clip", "biting"}, {"T", "8"}}) {
    c = axis(name).apply(c, value);
  }
  return c;
}

TEST(Minimise, LeavesWhatTheFailureNeeds) {
  const auto needs = [](const Case& c) {
    return axis("direction").of(c) == "bidirectional" && axis("clip").of(c) != "absent";
  };
  const Minimised found = minimise(rich_case(), needs, Reach::Axes);
  EXPECT_EQ(found.guilty, (AxisValues{{"direction", "bidirectional"}, {"clip", "biting"}}));
  EXPECT_EQ(axis_values(found.smallest), found.guilty);
}

/// An overflow that many terms bring about is brought about by one, too, if that is large enough.
TEST(Minimise, MakesOneLargeNumberOfManySmallOnes) {
  const auto sum_of_X = [](const Case& c) {
    const Problem problem = make_problem(c);
    double sum = 0;
    for (std::size_t k = 0; k < problem.input(input::X)->size(); ++k)
      sum += std::fabs(problem.input(input::X)->value(k));
    return sum;
  };
  Case start = plain_case({Operator::RNN, 22}, ElementType::Float, 6, 4, 6, 2);
  const double needed = sum_of_X(start) * 0.9;
  const Minimised found = minimise(start, [&](const Case& c) { return sum_of_X(c) >= needed; });
  EXPECT_LE(count_numbers(found.smallest).all, 12);
}

/// A reader who is told of a presentation looks elsewhere than one who is told of a node.
TEST(Minimise, BringsBackThePresentationFirst) {
  Case start = axis("dims").apply(rich_case(), "TN");
  const auto either = [](const Case& c) { return axis("dims").of(c) == "TN" || axis("clip").of(c) != "absent"; };
  EXPECT_EQ(minimise(start, either, Reach::Axes).guilty, (AxisValues{{"clip", "biting"}}));
  const auto both = [](const Case& c) { return axis("dims").of(c) == "TN" && axis("clip").of(c) != "absent"; };
  EXPECT_EQ(minimise(start, both, Reach::Axes).guilty, (AxisValues{{"clip", "biting"}, {"dims", "TN"}}));
}

TEST(Minimise, LeavesNothingOfAFailureAtTheDefaults) {
  const Minimised found = minimise(rich_case(), [](const Case&) { return true; });
  EXPECT_TRUE(found.guilty.empty());
  EXPECT_EQ(found.smallest.T * found.smallest.N * found.smallest.I * found.smallest.H, 1);
  EXPECT_EQ(count_numbers(found.smallest).not_zero, 0);
}

TEST(Minimise, AsksOfASmallSizeWhetherItIsNeededButKeepsIt) {
  Case start = rich_case();
  for (const char* size : {"T", "N"}) start = resized(start, size, 1);
  const auto needs_one_step = [](const Case& c) { return c.T == 1; };
  const Minimised found = minimise(start, needs_one_step, Reach::Axes);
  EXPECT_EQ(found.guilty, (AxisValues{{"T", "1"}}));
  EXPECT_EQ(found.smallest.N, 1);
}

TEST(Minimise, BlamesNoSizeThatTheSmallestCaseDoesNotHave) {
  const auto not_three_steps = [](const Case& c) { return c.T != 3; };
  const Minimised found = minimise(rich_case(), not_three_steps);
  EXPECT_EQ(found.smallest.T, 1);
  EXPECT_TRUE(found.guilty.empty());
  EXPECT_EQ(minimise(rich_case(), not_three_steps, Reach::Axes).guilty, (AxisValues{{"T", "8"}}));
}

TEST(Minimise, BlamesASizeAsLargeAsItIsNeeded) {
  const Case start = resized(rich_case(), "H", 40);
  const auto needs_a_vector_and_more = [](const Case& c) { return c.H > 16; };
  const Minimised found = minimise(start, needs_a_vector_and_more);
  EXPECT_EQ(found.smallest.H, 17);
  EXPECT_EQ(found.guilty, (AxisValues{{"H", "17"}}));
}

TEST(Minimise, GoesOnlyAsDeepAsAsked) {
  const auto always = [](const Case&) { return true; };
  EXPECT_EQ(minimise(rich_case(), always, Reach::Axes).smallest.H, rich_case().H);
  const Case small = minimise(rich_case(), always, Reach::Shapes).smallest;
  EXPECT_EQ(small.H, 1);
  EXPECT_GT(count_numbers(small).not_zero, 0);
}

TEST(Minimise, LeavesEverythingWhereNothingSimplerFails) {
  const Case start = rich_case();
  const Minimised found = minimise(start, [](const Case&) { return false; });
  EXPECT_EQ(found.smallest, start);
  EXPECT_EQ(found.guilty, axis_values(start));
}

/// Fails where enough of the weights are large, in one of several ways that a seed picks: no failure in particular.
bool fails_somehow(const Case& c, std::uint64_t seed) {
  const Problem problem = make_problem(c);
  const Tensor& W = *problem.input(input::W);
  double sum = 0;
  for (std::size_t i = 0; i < W.size(); ++i) sum += std::fabs(W.value(i));
  const bool needs_hidden = seed % 2 == 0 || c.H >= 2;
  const bool needs_bias = seed % 3 != 0 || problem.input(input::B) != nullptr;
  return needs_hidden && needs_bias && sum > static_cast<double>(seed % 5) / 8;
}

RC_GTEST_PROP(Minimise, ResultFailsIsNotLargerAndIsTheSameEveryTime, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const Case start =
      testing::drawn_case(*rc::gen::element(Operator::LSTM, Operator::GRU, Operator::RNN), ElementType::Float, seed);
  const auto fails = [&](const Case& c) { return fails_somehow(c, seed); };
  RC_PRE(fails(start));
  int asked = 0;
  const auto counted = [&](const Case& c) {
    ++asked;
    return fails(c);
  };
  const Case small = minimise(start, counted).smallest;
  RC_ASSERT(fails(small));
  RC_ASSERT(small.T <= std::max<std::int64_t>(start.T, 3));
  RC_ASSERT(small.N <= std::max<std::int64_t>(start.N, 2));
  RC_ASSERT(small.H <= start.H && small.I <= start.I);
  RC_ASSERT(count_numbers(small).not_zero <= count_numbers(start).all);
  RC_ASSERT(minimise(start, fails).smallest == small);
  RC_ASSERT(count_numbers(minimise(small, fails).smallest).not_zero <= count_numbers(small).not_zero);
  // However few questions are answered, what comes out fails.
  int left = *rc::gen::inRange(0, asked + 1);
  RC_ASSERT(fails(minimise(start, [&](const Case& c) { return left-- > 0 && fails(c); }).smallest));
}

}  // namespace
}  // namespace cellproof::oracle
