#pragma once

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "fuzz/guided/resolved_node.hpp"
#include "lab/zoo/zoo.hpp"

namespace cellproof::lab::zoo {

/// The activation functions in the arithmetic of F, evaluated as the style says.
template <class F>
class HonestFunctions {
 public:
  HonestFunctions(Evaluation evaluation, std::uint64_t seed) : evaluation_(evaluation), engine_(seed) {}

  F operator()(const fuzz::ResolvedFunction& function, F x) {
    const std::string_view name = function.name;
    const F alpha = function.alpha, beta = function.beta;
    if (name == "Relu") return x < 0 ? F(0) : x;
    if (name == "Tanh") return tanh(x);
    if (name == "Sigmoid") return sigmoid(x);
    if (name == "Affine") return alpha * x + beta;
    if (name == "LeakyRelu") return x < 0 ? alpha * x : x;
    if (name == "ThresholdedRelu") return x < alpha ? F(0) : x;
    if (name == "ScaledTanh") return alpha * tanh(beta * x);
    if (name == "HardSigmoid") return hard_sigmoid(alpha * x + beta);
    if (name == "Elu") return x < 0 ? elu_below_zero(alpha, x) : x;
    if (name == "Softsign") return softsign(x);
    if (name == "Softplus") return softplus(x);
    throw std::invalid_argument("the zoo has no function " + std::string(name));
  }

 private:
  F tanh(F x) {
    if (evaluation_ == Evaluation::Rational) return rational_tanh(x);
    if (evaluation_ == Evaluation::Clamped) return clamped_tanh(x);
    if (evaluation_ == Evaluation::Literal) {
      const F e = std::exp(-2 * std::abs(x));
      return std::copysign((1 - e) / (1 + e), x);
    }
    return disturbed(std::tanh(x));
  }
  F sigmoid(F x) {
    if (evaluation_ == Evaluation::Rational) return F(0.5) + F(0.5) * rational_tanh(F(0.5) * x);
    if (evaluation_ == Evaluation::Clamped) return F(0.5) + F(0.5) * clamped_tanh(F(0.5) * x);
    return disturbed(1 / (1 + std::exp(-x)));
  }
  /// x / (1 + x^2 / (3 + x^2 / (5 + ...))), bounded to where tanh is 1 after rounding.
  static F rational_tanh(F x) {
    constexpr bool single = std::is_same_v<F, float>;
    constexpr F bound = single ? F(9.02) : F(19.1);
    constexpr int last = single ? 37 : 99;
    const F bounded = x > bound ? bound : x < -bound ? -bound : x;
    const F square = bounded * bounded;
    F denominator = last;
    for (int odd = last - 2; odd > 0; odd -= 2) denominator = F(odd) + square / denominator;
    return bounded / denominator;
  }
  /// x P(x^2) / Q(x^2), fitted to tanh on +-9 by least squares, weighted until the largest error was the least: a tenth
  /// of a roundoff before the roundings of float.
  static F clamped_tanh(F x) {
    if constexpr (!std::is_same_v<F, float>) return std::tanh(x);
    constexpr std::array P = {-8.29056229e-14, 5.19241531e-11, -2.00290253e-08, 1.1101703e-05,
                              0.0030986438,    0.130791546,    0.999999969};
    constexpr std::array Q = {0.000253858522, 0.0244737208, 0.464124749, 1.0};
    constexpr F bound = 9;
    const F bounded = x > bound ? bound : x < -bound ? -bound : x;
    const auto horner = [square = bounded * bounded](const auto& coefficients) {
      F value = 0;
      for (const double c : coefficients) value = std::fma(value, square, static_cast<F>(c));
      return value;
    };
    return bounded * horner(P) / horner(Q);
  }
  static F hard_sigmoid(F line) {
    const F above = line < 0 ? F(0) : line;
    return above > 1 ? F(1) : above;
  }
  F elu_below_zero(F alpha, F x) {
    if (evaluation_ == Evaluation::Literal) return alpha * (std::exp(x) - 1);
    return disturbed(alpha * std::expm1(x));
  }
  F softsign(F x) {
    if (std::isinf(x)) return std::copysign(F(1), x);
    return disturbed(x / (1 + std::abs(x)));
  }
  F softplus(F x) {
    if (evaluation_ == Evaluation::Literal && x < 80) return std::log(1 + std::exp(x));
    return disturbed((x > 0 ? x : F(0)) + std::log1p(std::exp(-std::abs(x))));
  }

  /// Up to 2.5 units in the last place away, on top of libm's own error.
  F disturbed(F value) {
    if (evaluation_ != Evaluation::Noisy || !std::isfinite(value)) return value;
    const F unit = std::is_same_v<F, float> ? F(0x1p-23) : F(0x1p-52);
    const F uniform = static_cast<F>(static_cast<std::int64_t>(engine_() % 2001) - 1000) / F(1000);
    return value + value * (uniform * F(2.5) * unit / 2);
  }

  Evaluation evaluation_;
  std::mt19937_64 engine_;
};

}  // namespace cellproof::lab::zoo
