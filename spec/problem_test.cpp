#include "spec/problem.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cellproof {
namespace {

Input given(Shape shape) {
  return {Presence::Given, Source::GraphInput, Tensor(ElementType::Float, std::move(shape))};
}

TEST(Problem, SizesComeFromShapesDirectionAndLayout) {
  Problem problem{.version = {Operator::LSTM, 22}, .attributes = {}, .inputs = {}, .outputs = {}};
  problem.inputs = {given({7, 2, 3}), given({2, 20, 3}), given({2, 20, 5})};
  problem.attributes.direction = "bidirectional";
  const Dimensions sizes = dimensions_of(problem);
  EXPECT_EQ(sizes.T, 7);
  EXPECT_EQ(sizes.N, 2);
  EXPECT_EQ(sizes.I, 3);
  EXPECT_EQ(sizes.H, 5);
  EXPECT_EQ(sizes.D, 2);
  problem.attributes.layout = 1;
  problem.attributes.direction = "reverse";
  EXPECT_EQ(dimensions_of(problem).T, 2);
  EXPECT_EQ(dimensions_of(problem).N, 7);
  EXPECT_EQ(dimensions_of(problem).D, 1);
}

TEST(Problem, QuantisedWeightsAreTransposed) {
  Problem problem{.version = {Operator::DynamicQuantizeLSTM, 1}, .attributes = {}, .inputs = {}, .outputs = {}};
  problem.inputs = {given({7, 2, 3}), given({1, 3, 20}), given({1, 5, 20})};
  EXPECT_EQ(dimensions_of(problem).H, 5);
}

TEST(Problem, MissingOrMisshapenInputsAreNamed) {
  Problem problem{.version = {Operator::GRU, 7}, .attributes = {}, .inputs = {}, .outputs = {}};
  EXPECT_THROW(dimensions_of(problem), std::invalid_argument);
  problem.inputs = {given({7, 2, 3}), Input{Presence::Empty, Source::GraphInput, std::nullopt}, given({5, 5})};
  try {
    dimensions_of(problem);
    FAIL() << "R has rank 2";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "dimensions_of: R has shape [5,5], expected rank 3");
  }
}

TEST(Problem, LooksUpInputsAndOutputs) {
  Problem problem{.version = {}, .attributes = {}, .inputs = {}, .outputs = {Presence::Empty, Presence::Given}};
  problem.inputs = {given({1, 1, 1}), Input{Presence::Empty, Source::Initializer, std::nullopt}};
  EXPECT_NE(problem.input(input::X), nullptr);
  EXPECT_EQ(problem.input(input::W), nullptr);
  EXPECT_EQ(problem.input(input::P), nullptr);
  EXPECT_FALSE(problem.asks_for(output::Y));
  EXPECT_TRUE(problem.asks_for(output::Y_h));
  EXPECT_FALSE(problem.asks_for(output::Y_c));
}

TEST(Problem, DirectionNamesLeadBack) {
  for (const Direction direction : {Direction::Forward, Direction::Reverse, Direction::Bidirectional}) {
    EXPECT_EQ(direction_named(name(direction)), direction);
  }
  EXPECT_EQ(direction_named("foward"), std::nullopt);
}

}  // namespace
}  // namespace cellproof
