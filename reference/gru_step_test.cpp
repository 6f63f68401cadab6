// GRU by hand: every number is a small multiple of a power of two, so each line can be followed and holds exactly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/reference.hpp"
#include "reference/testing/problems.hpp"

namespace cellproof::reference {
namespace {

using ::testing::ElementsAre;
using testing::floats;
using testing::problem_of;

/// f(x) = x/4 + 1/2 within 0 and 1, g(x) = max(0, x).
Attributes piecewise_linear_gru() {
  Attributes attributes;
  attributes.activations = {"HardSigmoid", "Relu"};
  attributes.activation_alpha = {0.25F};
  attributes.activation_beta = {0.5F};
  return attributes;
}

Problem one_gru_unit(Attributes attributes) {
  return problem_of({Operator::GRU, 22}, std::move(attributes),
                    {{input::X, floats({1, 1, 1}, {2})},
                     {input::W, floats({1, 3, 1}, {-1, -1, 3})},          // z r h
                     {input::R, floats({1, 3, 1}, {2, 1, 4})},            // z r h
                     {input::B, floats({1, 6}, {0.5, 0, 1, 0.5, 1, 2})},  // Wb z r h, Rb z r h
                     {input::initial_h, floats({1, 1, 1}, {0.5})}});
}

TEST(GruByHand, ResetBeforeTheProduct) {
  // z = f(2*-1 + 0.5*2 + 0.5 + 0.5) = f(0)    = 0.5
  // r = f(2*-1 + 0.5*1 + 0   + 1)   = f(-0.5) = 0.375
  // h = g(2*3 + (0.375*0.5)*4 + 2 + 1) = 6 + 0.75 + 3 = 9.75
  // H = (1 - 0.5)*9.75 + 0.5*0.5 = 5.125
  EXPECT_THAT(evaluate<double>(one_gru_unit(piecewise_linear_gru())).Y_h, ElementsAre(5.125));
}

TEST(GruByHand, LinearBeforeReset) {
  Attributes attributes = piecewise_linear_gru();
  attributes.linear_before_reset = 1;
  // z = 0.5 and r = 0.375 as before
  // h = g(2*3 + 0.375*(0.5*4 + 2) + 1) = 6 + 1.5 + 1 = 8.5
  // H = 0.5*8.5 + 0.5*0.5 = 4.5
  EXPECT_THAT(evaluate<double>(one_gru_unit(attributes)).Y_h, ElementsAre(4.5));
}

TEST(GruByHand, ClipBoundsEveryArgumentOfAFunctionAndNothingElse) {
  Attributes attributes = piecewise_linear_gru();
  attributes.clip = 0.25F;
  // z: 0 stays, 0.5. r: -0.5 becomes -0.25, 0.4375. h: 2*3 + (0.4375*0.5)*4 + 3 becomes 0.25. H = 0.5*0.25 + 0.25 =
  // 0.375
  EXPECT_THAT(evaluate<double>(one_gru_unit(attributes)).Y_h, ElementsAre(0.375));
}

TEST(GruByHand, EachUnitHasItsOwnResetGate) {
  const Problem problem = problem_of({Operator::GRU, 7}, piecewise_linear_gru(),
                                     {{input::X, floats({2, 1, 1}, {4, -2})},
                                      {input::W, floats({1, 6, 1}, {0, 0, -1, 0.5, 1, 0})},  // z0 z1 r0 r1 h0 h1
                                      {input::R, floats({1, 6, 2}, {0, 0, 0, 0,              // z
                                                                    0, 0, 0, 0,              // r
                                                                    1, 2, 3, 4})},           // h0, h1
                                      {input::initial_h, floats({1, 1, 2}, {2, 1})}});
  // z = f(0) = (0.5, 0.5) in both steps.
  // t = 0: r = f(-4), f(2) = (0, 1); r (.) H = (0, 1); h = g(4 + 0*1 + 1*2), g(0*3 + 1*4) = (6, 4)
  //        H = (0.5*6 + 0.5*2, 0.5*4 + 0.5*1) = (4, 2.5)
  // t = 1: r = f(2), f(-1) = (1, 0.25); r (.) H = (4, 0.625); h = g(-2 + 4 + 1.25), g(12 + 2.5) = (3.25, 14.5)
  //        H = (1.625 + 2, 7.25 + 1.25) = (3.625, 8.5)
  EXPECT_THAT(evaluate<double>(problem).Y, ElementsAre(4, 2.5, 3.625, 8.5));
}

}  // namespace
}  // namespace cellproof::reference
