#include "oracle/quantized/quantized_forward.hpp"

#include <gtest/gtest.h>

#include "oracle/quantized/testing/over.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;
using testing::over;
using Set = Enclosure<double>;

Cell lstm_of_one_unit() {
  Cell cell;
  cell.op = Operator::LSTM;
  cell.inputs = cell.hidden = cell.units = 1;
  cell.gates = cell.rows = 4;
  cell.terms = 5;
  for (auto* grids : {&cell.W_grid, &cell.R_grid}) grids->assign(4, no_grid);
  for (auto* sums : {&cell.W_sum, &cell.R_sum}) sums->assign(4, 0);
  cell.Wb.assign(4, 0);
  cell.Rb.assign(4, 0);
  cell.activation = {Activation{ActivationKind::Sigmoid, 0, 0, true}, Activation{ActivationKind::Tanh, 0, 0, true},
                     Activation{ActivationKind::Tanh, 0, 0, true}};
  return cell;
}

/// Is the step known that starts from this state, with this integer and scale as every weight?
bool is_known(double state, const Quantiser<double>& quantiser, double integer, double weight_scale) {
  const Cell cell = lstm_of_one_unit();
  QuantizedMatrix R{1, 4, std::vector<double>(4, integer), std::vector<double>(4, weight_scale), {}};
  R.summarise();
  QuantizedForward<double> forward(cell, R, f32, Tier::Certified);
  ForwardState<double> start(1, true);
  start.h[0] = state;
  const Digit code = quantiser.digit(Set::point(state));
  const std::vector<Set> of_x(4, Set::point(0));
  const double x = 0;
  StepInput<double> in{&x};
  in.x_products = of_x.data();
  return forward.take(in, &code, quantiser, start);
}

TEST(QuantizedForward, KnowsNothingOfASumThatOverflowsBeforeItsSecondScale) {
  EXPECT_TRUE(is_known(1, over({0, 255}), 1, 1e-2));
  EXPECT_TRUE(is_known(250e-10, over({0, 255e-10}), 1, 1e33)) << "255e33 at most";
  EXPECT_FALSE(is_known(250e-10, over({0, 255e-10}), 250, 1e35)) << "62500 times 1e35, then 1e-10";
  EXPECT_FALSE(is_known(250e35, over({0, 255e35}), 250, 1e-10)) << "62500 times 1e35, then 1e-10";
}

TEST(QuantizedForward, KnowsNothingOfASumThatInt32DoesNotHold) {
  EXPECT_TRUE(is_known(1, over({0, 255}), 8e6, 1e-9)) << "2.0e9";
  EXPECT_FALSE(is_known(1, over({0, 255}), 9e6, 1e-9)) << "2.3e9";
}

}  // namespace
}  // namespace cellproof::oracle
