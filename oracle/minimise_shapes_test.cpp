#include "oracle/minimise_shapes.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/testing/problems.hpp"
#include "spec/axes.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::int64_t start_steps = 5;  ///< of some_case()

using Sizes = std::vector<std::int64_t>;

Case some_case() {
  return axis("layout").apply(testing::some_case(Operator::LSTM), "1");
}

Sizes sizes_of(const Case& c) {
  return {c.T, c.N, c.I, c.H};
}

/// The smallest shapes that a predicate finds, and how often it was asked.
std::pair<Case, int> minimised(const Case& start, const StillFails& fails) {
  int asked = 0;
  Case small = minimise_shapes(start, [&](const Case& c) {
    ++asked;
    return fails(c);
  });
  return {small, asked};
}

TEST(MinimiseShapes, MakesAllSizesOneAtOnce) {
  const auto [small, asked] = minimised(some_case(), [](const Case&) { return true; });
  EXPECT_EQ(sizes_of(small), (Sizes{1, 1, 1, 1}));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(axis("layout").of(small), "1");
}

TEST(MinimiseShapes, LeavesTheSizeThatIsNeededAndNoMore) {
  for (const std::int64_t needed : {2, 3, 6}) {
    const auto [small, asked] = minimised(some_case(), [&](const Case& c) { return c.H >= needed; });
    EXPECT_EQ(sizes_of(small), (Sizes{1, 1, 1, needed}));
    EXPECT_LE(asked, 20);
  }
}

TEST(MinimiseShapes, FindsSizesThatGiveWayOnlyAfterAnother) {
  const auto fails = [](const Case& c) { return c.N == 1 || c.T >= 4; };
  EXPECT_EQ(sizes_of(minimised(axis("N").apply(some_case(), "9"), fails).first), (Sizes{1, 1, 1, 1}));
}

TEST(MinimiseShapes, TriesOtherSeedsWhereASmallCaseHidesTheFailure) {
  Case start = some_case();
  start.seed = 7;
  const auto unlucky = [&](const Case& c) { return c.H > 1 || c.seed != start.seed; };
  const Case small = minimised(start, unlucky).first;
  EXPECT_EQ(sizes_of(small), (Sizes{1, 1, 1, 1}));
  EXPECT_NE(small.seed, start.seed);
}

TEST(MinimiseShapes, KeepsLiteralNumbersWhereTheyFail) {
  Case start = some_case();
  Tensor W(ElementType::Float, default_shape(start, input::W));
  W.set_value(0, 42);
  start.inputs[input::W].values = W;
  const auto fails = [](const Case& c) { return make_problem(c).input(input::W)->value(0) == 42; };
  const Case small = minimised(start, fails).first;
  EXPECT_EQ(sizes_of(small), (Sizes{1, 1, 1, 1}));
  EXPECT_EQ(std::get<Tensor>(small.inputs[input::W].values).shape(), (Shape{1, 4, 1}));
}

TEST(MinimiseShapes, DropsUnitsWithoutNumbers) {
  Case start = some_case();
  for (const std::size_t position : {input::W, input::R, input::B, input::initial_h, input::initial_c, input::P})
    start.inputs[position].values = Tensor(ElementType::Float, default_shape(start, position));
  Tensor& W = std::get<Tensor>(start.inputs[input::W].values);
  W.set_value({0, 4, 2}, 1);
  const auto fails = [](const Case& c) {
    const Problem problem = make_problem(c);
    const Tensor& weights = *problem.input(input::W);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights.value(i) == 1) return c.T == start_steps;
    }
    return false;
  };
  const Case small = drop_unused(start, fails);
  EXPECT_EQ(small.H, 1);
  EXPECT_EQ(small.T, start_steps);
  EXPECT_EQ(std::get<Tensor>(small.inputs[input::W].values).shape().at(1), 4);
}

TEST(MinimiseShapes, LeavesEmptyTensorsEmpty) {
  const Case start = axis("T").apply(some_case(), "0");
  EXPECT_EQ(minimised(start, [](const Case& c) { return c.T == 0; }).first.T, 0);
}

}  // namespace
}  // namespace cellproof::oracle
