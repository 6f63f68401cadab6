// Exactness of the vector functions, against double: at the special values and every 1,021st float, or, with
// CELLPROOF_ARGUMENT_STRIDE=1 in the environment, at every float there is (an hour on one core).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/kernels.hpp"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu {
namespace {

struct Table {
  const char* name;
  const Kernels<float>& of_float;
  const Kernels<double>& of_double;
};

std::vector<Table> tables() {
  std::vector<Table> result{{"scalar", scalar_kernels<float>(), scalar_kernels<double>()}};
#if CELLPROOF_CPU_SIMD
  const auto has = [](cellproof_cpu_path path) { return *cellproof_cpu_path_missing(path) == '\0'; };
  if (has(CELLPROOF_CPU_PATH_AVX2)) result.push_back({"avx2", avx2_kernels<float>(), avx2_kernels<double>()});
  if (has(CELLPROOF_CPU_PATH_AVX512)) result.push_back({"avx512", avx512_kernels<float>(), avx512_kernels<double>()});
#endif
  return result;
}

struct Exact {
  const char* name;
  Activation activation;
  double (*value)(double);
};

double sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
double softplus(double x) {
  return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
}
double softsign(double x) {
  return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::fabs(x));
}
double elu(double x) {
  return x < 0 ? std::expm1(x) : x;
}
double tanh_of(double x) {
  return std::tanh(x);
}

constexpr Exact exact[] = {{"Tanh", {Function::Tanh, 0, 0}, tanh_of},
                           {"Sigmoid", {Function::Sigmoid, 0, 0}, sigmoid},
                           {"ScaledTanh", {Function::ScaledTanh, 1, 1}, tanh_of},
                           {"Elu", {Function::Elu, 1, 0}, elu},
                           {"Softsign", {Function::Softsign, 0, 0}, softsign},
                           {"Softplus", {Function::Softplus, 0, 0}, softplus}};

/// The distance from the exact value in units of the float's last place there.
double ulps(float actual, double expected) {
  if (std::isnan(expected)) return std::isnan(actual) ? 0 : INFINITY;
  if (std::isinf(static_cast<float>(expected))) return actual == static_cast<float>(expected) ? 0 : INFINITY;
  // The unit by the exponent's bits: std::frexp and std::ldexp would take most of the time of all floats.
  const auto bits = std::bit_cast<std::uint64_t>(std::fmax(std::fabs(expected), 0x1p-126));
  const auto unit = std::bit_cast<double>(((bits >> 52) - 23) << 52);
  return std::fabs(actual - expected) / unit;
}

std::uint64_t stride() {
  const char* wanted = std::getenv("CELLPROOF_ARGUMENT_STRIDE");
  const std::uint64_t stride = wanted ? std::strtoull(wanted, nullptr, 10) : 1021;
  if (stride == 0) throw std::invalid_argument("CELLPROOF_ARGUMENT_STRIDE: expected a positive number");
  return stride;
}

/// Calls use(arguments) for one part of the floats after the other, each a whole number of vectors.
template <class Use>
void for_all_arguments(const Use& use) {
  constexpr std::size_t at_once = 1 << 18;
  // The first three are where tanh was, or nearly was, too far off once.
  std::vector<float> part{0.0624331348F,
                          4.50509071F,
                          0.519795239F,
                          0.0F,
                          -0.0F,
                          INFINITY,
                          -INFINITY,
                          NAN,
                          std::numeric_limits<float>::max(),
                          std::numeric_limits<float>::lowest(),
                          std::numeric_limits<float>::denorm_min()};
  for (std::uint64_t bits = 0, step = stride(); bits <= 0xFFFFFFFF; bits += step) {
    part.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (part.size() < at_once) continue;
    use(part);
    part.clear();
  }
  while (part.size() % 16 != 0) part.push_back(0);
  use(part);
}

struct Worst {
  double ulps = 0;
  float at = 0;
};

TEST(Accuracy, OfTheFunctionsIsWithinTwoAndAHalfUnitsInTheLastPlace) {
  for (const Exact& function : exact) {
    const std::vector<Table> all = tables();
    std::vector<Worst> worst(all.size());
    for_all_arguments([&](const std::vector<float>& xs) {
      std::vector<double> expected(xs.size());
      std::ranges::transform(xs, expected.begin(), [&](float x) { return function.value(x); });
      for (std::size_t t = 0; t < all.size(); ++t) {
        std::vector<float> values = xs;
        all[t].of_float.activate(function.activation, values.data(), values.size());
        for (std::size_t i = 0; i < xs.size(); ++i)
          if (const double distance = ulps(values[i], expected[i]); distance > worst[t].ulps)
            worst[t] = {distance, xs[i]};
      }
    });
    for (std::size_t t = 0; t < all.size(); ++t) {
      EXPECT_LE(worst[t].ulps, 2.5) << function.name << " of " << all[t].name << " at " << worst[t].at;
      ::testing::Test::RecordProperty(std::string(function.name) + " " + all[t].name, std::to_string(worst[t].ulps));
      std::cout << function.name << " of " << all[t].name << ": at most " << worst[t].ulps << " ulp\n";
    }
  }
}

TEST(Accuracy, OfDoubleFunctionsIsThatOfDouble) {
  std::vector<double> xs;
  for (int i = -8000; i <= 8000; ++i) xs.push_back(i * 0.01 + i * 1e-9);
  for (int i = -330; i < 300; ++i) xs.push_back((i % 2 == 0 ? -1 : 1) * std::pow(10.0, i));
  while (xs.size() % 8 != 0) xs.push_back(0);
  for (const Table& table : tables()) {
    for (const Exact& function : exact) {
      std::vector<double> values = xs;
      table.of_double.activate(function.activation, values.data(), values.size());
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const double expected = function.value(xs[i]);
        ASSERT_NEAR(values[i], expected, 8e-16 * std::fabs(expected) + 5e-324)
            << function.name << " of " << table.name << " at " << xs[i];
      }
    }
  }
}

TEST(Accuracy, OfPiecewiseLinearFunctions) {
  for (const Table& table : tables()) {
    const auto value = [&](Activation activation, float x) {
      std::vector<float> values(16, x);
      table.of_float.activate(activation, values.data(), values.size());
      return values[15];
    };
    EXPECT_EQ(value({Function::Relu, 0, 0}, -3), 0) << table.name;
    EXPECT_EQ(value({Function::Relu, 0, 0}, 3), 3);
    EXPECT_EQ(value({Function::LeakyRelu, 0.5, 0}, -3), -1.5F);
    EXPECT_EQ(value({Function::ThresholdedRelu, 1, 0}, 1), 1);
    EXPECT_EQ(value({Function::ThresholdedRelu, 1, 0}, 0.999F), 0);
    EXPECT_EQ(value({Function::Affine, 2, 3}, 4), 11);
    EXPECT_EQ(value({Function::HardSigmoid, 0.25, 0.5}, 1), 0.75F);
    EXPECT_EQ(value({Function::HardSigmoid, 0.25, 0.5}, 9), 1);
    EXPECT_EQ(value({Function::HardSigmoid, 0.25, 0.5}, -9), 0);
    for (int function = 0; function <= static_cast<int>(Function::Softplus); ++function)
      EXPECT_TRUE(std::isnan(value({static_cast<Function>(function), 1, 1}, NAN))) << table.name << " " << function;
  }
}

}  // namespace
}  // namespace cellproof::cpu
