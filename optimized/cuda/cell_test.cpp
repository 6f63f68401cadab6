// The functions and the cell, on the host: device code compiles the same source. The functions on a device, too, whose
// library is another one.
#include "optimized/cuda/cell.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "optimized/cuda/steps.hpp"
#include "optimized/cuda/testing/device.hpp"

namespace cellproof::cuda {
namespace {

constexpr Function all_functions[] = {Function::Relu,       Function::Tanh,        Function::Sigmoid,
                                      Function::Affine,     Function::LeakyRelu,   Function::ThresholdedRelu,
                                      Function::ScaledTanh, Function::HardSigmoid, Function::Elu,
                                      Function::Softsign,   Function::Softplus};

/// As the operators' pages write them, in long double.
long double by_the_page(Function function, long double x, long double alpha, long double beta) {
  switch (function) {
    case Function::Relu:
      return x > 0 ? x : 0;
    case Function::Tanh:
      return std::tanh(x);
    case Function::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case Function::Affine:
      return alpha * x + beta;
    case Function::LeakyRelu:
      return x >= 0 ? x : alpha * x;
    case Function::ThresholdedRelu:
      return x >= alpha ? x : 0;
    case Function::ScaledTanh:
      return alpha * std::tanh(beta * x);
    case Function::HardSigmoid:
      return std::fmin(std::fmax(alpha * x + beta, 0.0L), 1.0L);
    case Function::Elu:
      return x >= 0 ? x : alpha * (std::exp(x) - 1);
    case Function::Softsign:
      return x / (1 + std::fabs(x));
    case Function::Softplus:
      return x > 100 ? x : std::log1p(std::exp(x));
  }
  return x;
}

template <class Real>
void expect_functions_as_the_page() {
  constexpr Real unit = std::numeric_limits<Real>::epsilon() / 2;
  for (const Function function : all_functions)
    for (int i = -2000; i <= 2000; ++i) {
      const Real x = static_cast<Real>(i) / 25;
      const Activation activation{function, 0.75F, 0.375F};
      const long double expected = by_the_page(function, x, 0.75L, 0.375L);
      const Real actual = activated(activation, x);
      ASSERT_NEAR(actual, static_cast<Real>(expected), 8 * unit * std::fabs(static_cast<Real>(expected)) + unit)
          << static_cast<int>(function) << " of " << x;
    }
}

TEST(CudaCell, ComputesTheElevenFunctions) {
  expect_functions_as_the_page<float>();
  expect_functions_as_the_page<double>();
}

/// The functions as a plan reaches them: an RNN of one step and one unit, whose X is the argument.
template <class Real>
void expect_functions_of_a_plan(cellproof_cuda_machine machine) {
  constexpr auto type = sizeof(Real) == sizeof(float) ? CELLPROOF_FLOAT : CELLPROOF_DOUBLE;
  constexpr Real unit = std::numeric_limits<Real>::epsilon() / 2;
  constexpr const char* names[] = {"Relu",       "Tanh",        "Sigmoid", "Affine",   "LeakyRelu", "ThresholdedRelu",
                                   "ScaledTanh", "HardSigmoid", "Elu",     "Softsign", "Softplus"};
  constexpr bool takes_alpha[] = {false, false, false, true, true, true, true, true, true, false, false},
                 takes_beta[] = {false, false, false, true, false, false, true, true, false, false, false};
  std::vector<Real> x;
  for (int i = -2000; i <= 2000; ++i) x.push_back(static_cast<Real>(i) / 25);
  const auto N = static_cast<std::int64_t>(x.size());
  const Real one = 1, zero = 0;
  const float alpha = 0.75F, beta = 0.375F;
  for (const Function function : all_functions) {
    const auto f = static_cast<std::size_t>(function);
    const char* const name[] = {names[f]};
    cellproof_node node{};
    node.op = CELLPROOF_RNN;
    node.activations = {name, 1};
    if (takes_alpha[f]) node.activation_alpha = {&alpha, 1};
    if (takes_beta[f]) node.activation_beta = {&beta, 1};
    node.inputs[CELLPROOF_X] = {type, 3, {1, N, 1}, nullptr};
    node.inputs[CELLPROOF_W] = {type, 3, {1, 1, 1}, &one};
    node.inputs[CELLPROOF_R] = {type, 3, {1, 1, 1}, &zero};
    const cellproof_cuda_options options{machine, CELLPROOF_CUDA_PATH_AUTO, 0, 0};
    std::array<char, 256> message{};
    cellproof_cuda_plan* plan = nullptr;
    ASSERT_EQ(cellproof_cuda_prepare(&node, &options, &plan, message.data(), message.size()), CELLPROOF_OK)
        << message.data();
    std::vector<Real> y(x.size());
    const void* const inputs[CELLPROOF_INPUTS] = {x.data()};
    void* const outputs[CELLPROOF_OUTPUTS] = {y.data()};
    const auto status = cellproof_cuda_run(plan, inputs, outputs, message.data(), message.size());
    cellproof_cuda_release(plan);
    ASSERT_EQ(status, CELLPROOF_OK) << message.data();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto expected = static_cast<Real>(by_the_page(function, x[i], 0.75L, 0.375L));
      ASSERT_NEAR(y[i], expected, 8 * unit * std::fabs(expected) + unit) << names[f] << " of " << x[i];
    }
  }
}

TEST(CudaCell, ComputesTheElevenFunctionsInAPlan) {
  expect_functions_of_a_plan<float>(CELLPROOF_CUDA_HOST);
  expect_functions_of_a_plan<double>(CELLPROOF_CUDA_HOST);
}

class CudaDeviceCell : public testing::OnDevice {};
TEST_F(CudaDeviceCell, ComputesTheElevenFunctionsInAPlan) {
  expect_functions_of_a_plan<float>(CELLPROOF_CUDA_DEVICE);
  expect_functions_of_a_plan<double>(CELLPROOF_CUDA_DEVICE);
}

TEST(CudaCell, HasLimitsWhereTheFormulaOverflows) {
  const auto at = [](Function function, float x) { return activated(Activation{function, 1, 1}, x); };
  EXPECT_EQ(at(Function::Sigmoid, INFINITY), 1);
  EXPECT_EQ(at(Function::Sigmoid, -INFINITY), 0);
  EXPECT_EQ(at(Function::Softsign, INFINITY), 1);
  EXPECT_EQ(at(Function::Softsign, -INFINITY), -1);
  EXPECT_EQ(at(Function::Softsign, std::numeric_limits<float>::max()), 1);
  EXPECT_EQ(at(Function::Softplus, 1000), 1000);
  EXPECT_EQ(at(Function::Softplus, -1000), 0);
  EXPECT_EQ(at(Function::Elu, -INFINITY), -1);
  EXPECT_EQ(at(Function::HardSigmoid, INFINITY), 1);
}

TEST(CudaCell, KeepsNaNInEveryFunctionAndThroughClip) {
  const Functions<float> functions{{}, {}, {}, 0.5F};
  for (const Function function : all_functions) {
    EXPECT_TRUE(std::isnan(activated(Activation{function, 1, 1}, NAN))) << static_cast<int>(function);
    EXPECT_TRUE(std::isnan(functions.apply({function, 1, 1}, NAN))) << static_cast<int>(function);
  }
}

TEST(CudaCell, BoundsEveryArgumentButNotTheStoredCell) {
  const Activation identity{Function::Affine, 1, 0};
  const double peepholes[] = {100, -100, 100};
  Walk<double> walk{};
  walk.functions = {identity, identity, identity, 2};
  const auto state = [&](std::array<double, 4> arguments, double before) {
    std::array<double, 4> values{};
    Taken<double> of_o;
    for (int gate = 0; gate < 4; ++gate) {
      Taken<double> taken;
      taken.before = before;
      taken.peephole = walk.peepholes == nullptr || gate == gate_c ? 0 : walk.peepholes[gate];
      const auto place = static_cast<std::size_t>(gate);
      values.at(place) = gate_value<Phase::Lstm>(walk, taken, arguments.at(place), gate);
      if (gate == closing_gate_of(Phase::Lstm)) of_o = taken;
    }
    return closed<Phase::Lstm>(walk, of_o, values.data());
  };
  walk.peepholes = peepholes;
  const Given<double> bounded = state({5, 5, 5, 5}, 3);
  EXPECT_EQ(bounded.second, 2 * 3 + 2 * 2);
  EXPECT_EQ(bounded.first, -2 * 2);
  walk.peepholes = nullptr;
  walk.input_forget = true;
  EXPECT_EQ(state({1, 1, 50, 1}, 3).second, 1);  // f = 1 - i = 0
}

}  // namespace
}  // namespace cellproof::cuda
