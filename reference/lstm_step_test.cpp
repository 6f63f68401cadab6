// LSTM by hand: every number is a small multiple of a power of two, so each line can be followed and holds exactly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/reference.hpp"
#include "reference/testing/problems.hpp"

namespace cellproof::reference {
namespace {

using ::testing::ElementsAre;
using testing::floats;
using testing::problem_of;

/// f(x) = x/4 + 1/2 within 0 and 1, g(x) = h(x) = max(0, x).
Attributes piecewise_linear_lstm() {
  Attributes attributes;
  attributes.activations = {"HardSigmoid", "Relu", "Relu"};
  attributes.activation_alpha = {0.25F};
  attributes.activation_beta = {0.5F};
  return attributes;
}

Problem one_lstm_unit(Attributes attributes, double initial_c = -0.25) {
  return problem_of({Operator::LSTM, 22}, std::move(attributes),
                    {{input::X, floats({1, 1, 1}, {1})},
                     {input::W, floats({1, 4, 1}, {1, 2, -1, 3})},                       // i o f c
                     {input::R, floats({1, 4, 1}, {2, -2, 1, 1})},                       // i o f c
                     {input::B, floats({1, 8}, {0.5, 0, 0, 0.25, -0.5, 0.5, 1, 0.25})},  // Wb i o f c, Rb i o f c
                     {input::initial_h, floats({1, 1, 1}, {0.5})},
                     {input::initial_c, floats({1, 1, 1}, {initial_c})},
                     {input::P, floats({1, 3}, {1, -0.5, 2})}});  // i o f
}

TEST(LstmByHand, PeepholesLookAtTheOldCellAndTheOutputGateAtTheNewOne) {
  // i = f(1*1 + 0.5*2 + 1*-0.25 + 0.5 - 0.5) = f(1.75) = 0.9375
  // f = f(1*-1 + 0.5*1 + 2*-0.25 + 0 + 1)    = f(0)    = 0.5
  // c = g(1*3 + 0.5*1 + 0.25 + 0.25)         = g(4)    = 4
  // C = 0.5*-0.25 + 0.9375*4 = 3.625
  // o = f(1*2 + 0.5*-2 - 0.5*3.625 + 0 + 0.5) = f(-0.3125) = 0.421875
  // H = 0.421875*3.625
  const auto result = evaluate<double>(one_lstm_unit(piecewise_linear_lstm()));
  EXPECT_THAT(result.Y_c, ElementsAre(3.625));
  EXPECT_THAT(result.Y_h, ElementsAre(0.421875 * 3.625));
}

TEST(LstmByHand, CoupledGates) {
  Attributes attributes = piecewise_linear_lstm();
  attributes.input_forget = 1;
  // i = 0.9375 and c = 4 as before; f = 1 - i = 0.0625
  // C = 0.0625*-0.25 + 0.9375*4 = 3.734375
  // o = f(1.5 - 0.5*3.734375) = f(-0.3671875) = 0.408203125
  const auto result = evaluate<double>(one_lstm_unit(attributes));
  EXPECT_THAT(result.Y_c, ElementsAre(3.734375));
  EXPECT_THAT(result.Y_h, ElementsAre(0.408203125 * 3.734375));
  // The other reading: f = 0.5 by its own weights, i = 1 - f = 0.5. C = 0.5*-0.25 + 0.5*4 = 1.875
  const Readings other = Readings{}.with(Clause::InputForget, "i=1-f");
  EXPECT_THAT(evaluate<double>(one_lstm_unit(attributes), other).Y_c, ElementsAre(1.875));
}

TEST(LstmByHand, ClipBoundsTheGatesAndTheArgumentOfHButNotTheStoredCell) {
  Attributes attributes = piecewise_linear_lstm();
  attributes.clip = 1;
  const Problem problem = one_lstm_unit(attributes, 4);
  // i: 1 + 1 + 4 = 6 becomes 1: 0.75. f: -1 + 0.5 + 8 + 1 = 8.5 becomes 1: 0.75. c: 4 becomes 1. C = 0.75*4 + 0.75*1
  // = 3.75 o: 2 - 1 - 0.5*3.75 + 0.5 = -0.375: 0.40625. h(3.75 bounded to 1) = 1
  const auto literal = evaluate<double>(problem);
  EXPECT_THAT(literal.Y_c, ElementsAre(3.75));
  EXPECT_THAT(literal.Y_h, ElementsAre(0.40625));
  // Gates alone: h(3.75) = 3.75
  const auto gates = evaluate<double>(problem, Readings{}.with(Clause::ClipScope, "gates"));
  EXPECT_THAT(gates.Y_c, ElementsAre(3.75));
  EXPECT_THAT(gates.Y_h, ElementsAre(0.40625 * 3.75));
  // The stored cell too: C = 1. o: 1.5 - 0.5*1 = 1 : 0.75
  const auto cell = evaluate<double>(problem, Readings{}.with(Clause::ClipScope, "gates+cell"));
  EXPECT_THAT(cell.Y_c, ElementsAre(1));
  EXPECT_THAT(cell.Y_h, ElementsAre(0.75));
}

TEST(LstmByHand, TwoUnitsTwoSteps) {
  Attributes attributes = piecewise_linear_lstm();
  const Problem problem =
      problem_of({Operator::LSTM, 1}, attributes,
                 {{input::X, floats({2, 1, 1}, {1, 2})},
                  {input::W, floats({1, 8, 1}, {0, 2, 0, 0, 0, -2, 2, 4})},  // i0 i1 o0 o1 f0 f1 c0 c1
                  {input::R, floats({1, 8, 2}, {0, 0, 0, 0,                  // i
                                                0, 2, 0, 0,                  // o
                                                0, 0, 0, 0,                  // f
                                                1, 2, -1, 4})}});            // c
  // t = 0: i = f(0), f(2) = (0.5, 1); f = f(0), f(-2) = (0.5, 0); c = (2, 4); C = (1, 4); o = (0.5, 0.5); H = (0.5, 2)
  // t = 1: i = f(0), f(4) = (0.5, 1); f = f(0), f(-4) = (0.5, 0); c = 4 + 0.5 + 4, 8 - 0.5 + 8 = (8.5, 15.5)
  //        C = 0.5*1 + 0.5*8.5, 15.5 = (4.75, 15.5); o = f(2*2), f(0) = (1, 0.5); H = (4.75, 7.75)
  const auto result = evaluate<double>(problem);
  EXPECT_THAT(result.Y, ElementsAre(0.5, 2, 4.75, 7.75));
  EXPECT_THAT(result.Y_c, ElementsAre(4.75, 15.5));
}

}  // namespace
}  // namespace cellproof::reference
