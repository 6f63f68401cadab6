#include "reference/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/bin_float_real.hpp"
#include "reference/mpfr_real.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::reference {
namespace {

const double infinity = std::numeric_limits<double>::infinity();
using enum Function;
constexpr Function all[] = {Relu,       Tanh,        Sigmoid, Affine,   LeakyRelu, ThresholdedRelu,
                            ScaledTanh, HardSigmoid, Elu,     Softsign, Softplus};

/// Spelt out once more, so that the order of the enumeration cannot drift from the table of names.
TEST(Functions, StandInTheOrderOfTheSpecificationsList) {
  const std::string_view names[] = {"Relu",       "Tanh",        "Sigmoid", "Affine",   "LeakyRelu", "ThresholdedRelu",
                                    "ScaledTanh", "HardSigmoid", "Elu",     "Softsign", "Softplus"};
  ASSERT_EQ(activations().size(), std::size(names));
  for (std::size_t i = 0; i < std::size(names); ++i) {
    EXPECT_EQ(activations()[i].name, names[i]);
    EXPECT_EQ(static_cast<std::size_t>(all[i]), i);
  }
}

template <class Real>
double value(Function function, double x, double alpha, double beta) {
  return static_cast<double>(apply(Activation{function, alpha, beta}, Real(x)));
}

template <class Real>
class ActivationOf : public ::testing::Test {};
using NumberTypes = ::testing::Types<double, BinFloat50, Mpfr50>;
TYPED_TEST_SUITE(ActivationOf, NumberTypes);

TYPED_TEST(ActivationOf, FollowsItsFormula) {
  for (double x : {-3.0, -1.0, -0.5, -0.25, 0.0, 0.125, 0.5, 0.75, 1.0, 2.5}) {
    const double a = 0.75, b = -0.25;
    const auto near = [&](Function function, double expected) {
      EXPECT_NEAR(value<TypeParam>(function, x, a, b), expected, 1e-15 * std::max(1.0, std::abs(expected)))
          << static_cast<int>(function) << " of " << x;
    };
    near(Relu, std::max(0.0, x));
    near(Tanh, std::tanh(x));
    near(Sigmoid, 1 / (1 + std::exp(-x)));
    near(Affine, a * x + b);
    near(LeakyRelu, x >= 0 ? x : a * x);
    near(ThresholdedRelu, x >= a ? x : 0);
    near(ScaledTanh, a * std::tanh(b * x));
    near(HardSigmoid, std::min(std::max(a * x + b, 0.0), 1.0));
    near(Elu, x >= 0 ? x : a * (std::exp(x) - 1));
    near(Softsign, x / (1 + std::abs(x)));
    near(Softplus, std::log(1 + std::exp(x)));
  }
}

TYPED_TEST(ActivationOf, NeitherOverflowsNorCancels) {
  for (double x : {1e4, 1e30, 1e300, infinity}) {
    EXPECT_EQ(value<TypeParam>(Tanh, x, 0, 0), 1);
    EXPECT_EQ(value<TypeParam>(Tanh, -x, 0, 0), -1);
    EXPECT_EQ(value<TypeParam>(Sigmoid, x, 0, 0), 1);
    EXPECT_EQ(value<TypeParam>(Sigmoid, -x, 0, 0), 0);
    EXPECT_EQ(value<TypeParam>(ScaledTanh, -x, 2, 3), -2);
    EXPECT_EQ(value<TypeParam>(Elu, -x, 2, 0), -2);
    EXPECT_EQ(value<TypeParam>(Softplus, x, 0, 0), x);
    EXPECT_EQ(value<TypeParam>(Softplus, -x, 0, 0), 0);
    EXPECT_EQ(value<TypeParam>(HardSigmoid, x, 2, 0), 1);
    EXPECT_NEAR(value<TypeParam>(Softsign, -x, 0, 0), -1, 1e-4);
  }
  for (double x : {1e-20, 1e-300, 5e-324}) {
    EXPECT_EQ(value<TypeParam>(Tanh, x, 0, 0), x);
    EXPECT_EQ(value<TypeParam>(Tanh, -x, 0, 0), -x);
    EXPECT_EQ(value<TypeParam>(Elu, -x, 1, 0), -x);
    EXPECT_EQ(value<TypeParam>(Softsign, x, 0, 0), x);
  }
  EXPECT_NEAR(value<TypeParam>(Sigmoid, -700, 0, 0) / std::exp(-700), 1, 1e-14);
  EXPECT_NEAR(value<TypeParam>(Softplus, -700, 0, 0) / std::exp(-700), 1, 1e-14);
}

TYPED_TEST(ActivationOf, NanIsNan) {
  for (Function function : all) {
    EXPECT_TRUE(std::isnan(value<TypeParam>(function, std::nan(""), 0.5, 0.5))) << static_cast<int>(function);
  }
}

TEST(ThresholdedReluEquality, IsAReading) {
  EXPECT_EQ(apply(Activation{ThresholdedRelu, 0.5, 0, true}, 0.5), 0.5);
  EXPECT_EQ(apply(Activation{ThresholdedRelu, 0.5, 0, false}, 0.5), 0);
  EXPECT_EQ(apply(Activation{ThresholdedRelu, 0.5, 0, false}, 0.75), 0.75);
}

}  // namespace
}  // namespace cellproof::reference
