// RNN by hand: every number is a small multiple of a power of two, so each line can be followed and holds exactly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/reference.hpp"
#include "reference/testing/problems.hpp"

namespace cellproof::reference {
namespace {

using ::testing::ElementsAre;
using testing::floats;
using testing::integers;
using testing::problem_of;

TEST(RnnByHand, TwoStepsThroughAffine) {
  Attributes attributes;
  attributes.activations = {"Affine"};
  attributes.activation_alpha = {0.5F};
  attributes.activation_beta = {0.25F};
  const Problem problem = problem_of({Operator::RNN, 22}, attributes,
                                     {{input::X, floats({2, 1, 1}, {1, 2})},
                                      {input::W, floats({1, 1, 1}, {2})},
                                      {input::R, floats({1, 1, 1}, {4})},
                                      {input::B, floats({1, 2}, {1, 0.5})},
                                      {input::initial_h, floats({1, 1, 1}, {0.5})}});
  const auto result = evaluate<double>(problem);
  // t = 0: 1*2 + 0.5*4 + 1 + 0.5 = 5.5,  H0 = 0.5*5.5 + 0.25 = 3
  // t = 1: 2*2 + 3*4   + 1 + 0.5 = 17.5, H1 = 0.5*17.5 + 0.25 = 9
  EXPECT_THAT(result.Y, ElementsAre(3, 9));
  EXPECT_THAT(result.Y_h, ElementsAre(9));
  EXPECT_THAT(result.Y_c, ElementsAre());
  EXPECT_EQ(result.Y_shape, (Shape{2, 1, 1, 1}));
  EXPECT_EQ(result.state_shape, (Shape{1, 1, 1}));
}

TEST(RnnByHand, ReverseStartsAtTheLengthAndUsesTheTransposeOfR) {
  Attributes attributes;
  attributes.direction = "reverse";
  attributes.activations = {"Relu"};
  const Problem problem = problem_of({Operator::RNN, 7}, attributes,
                                     {{input::X, floats({3, 1, 1}, {1, 2, 100})},
                                      {input::W, floats({1, 2, 1}, {1, -1})},
                                      {input::R, floats({1, 2, 2}, {0, 2, 3, 1})},
                                      {input::sequence_lens, integers(ElementType::Int32, {1}, {2})},
                                      {input::initial_h, floats({1, 1, 2}, {1, 4})}});
  const auto result = evaluate<double>(problem);
  // W = (1; -1), R = (0 2; 3 1): unit j takes row j of R.
  // First step, t = 1: unit 0: 2*1 + 1*0 + 4*2 = 10;  unit 1: 2*-1 + 1*3 + 4*1 = 5
  // Last step,  t = 0: unit 0: 1*1 + 10*0 + 5*2 = 11; unit 1: 1*-1 + 10*3 + 5*1 = 34
  // t = 2 is beyond the length: zeros.
  EXPECT_THAT(result.Y, ElementsAre(11, 34, 10, 5, 0, 0));
  EXPECT_THAT(result.Y_h, ElementsAre(11, 34));
}

TEST(RnnByHand, TheBackwardDirectionHasWeightsFunctionAndStateOfItsOwnAndLayout1PutsTheBatchFirst) {
  Attributes attributes;
  attributes.direction = "bidirectional";
  attributes.activations = {"Relu", "Affine"};
  attributes.activation_alpha = {2};
  attributes.activation_beta = {1};
  attributes.layout = 1;
  const Problem problem = problem_of({Operator::RNN, 14}, attributes,
                                     {{input::X, floats({2, 2, 1}, {1, 2, 3, 4})},  // N = 2 rows of T = 2 steps
                                      {input::W, floats({2, 1, 1}, {1, 10})},
                                      {input::R, floats({2, 1, 1}, {1, 0.5})},
                                      {input::initial_h, floats({2, 2, 1}, {5, 6, 7, 8})}});
  const auto result = evaluate<double>(problem);
  // Row 0: X = 1, 2. Forward from 5: 1+5 = 6, 2+6 = 8. Backward from 6: 2*(20 + 3) + 1 = 47, then 2*(10 + 23.5) + 1
  // = 68. Row 1: X = 3, 4. Forward from 7: 10, 14. Backward from 8: 2*(40 + 4) + 1 = 89, then 2*(30 + 44.5) + 1 = 150.
  // Y[n][t][direction]
  EXPECT_THAT(result.Y, ElementsAre(6, 68, 8, 47, 10, 150, 14, 89));
  EXPECT_THAT(result.Y_h, ElementsAre(8, 68, 14, 150));
  EXPECT_EQ(result.Y_shape, (Shape{2, 2, 2, 1}));
}

}  // namespace
}  // namespace cellproof::reference
