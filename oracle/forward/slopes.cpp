#include "oracle/forward/slopes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cellproof::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The greatest second derivatives there are, rounded up.
constexpr double most_bent_tanh = 0.7699, most_bent_sigmoid = 0.09623, most_bent_softplus = 0.25;

/// 1 - tanh(x)^2, without cancellation.
double tanh_slope(double x) {
  const double e = std::exp(-2 * std::abs(x));
  return 4 * e / ((1 + e) * (1 + e));
}

double sigmoid_slope(double x) {
  const double e = std::exp(-std::abs(x));
  return e / ((1 + e) * (1 + e));
}

/// The second derivative within the reach, from the slope in the middle, where |f''| <= bend |f'|.
double curvature(double most, double slope, double bend, double reach) {
  const double near = bend * slope * std::exp(bend * reach) * (1 + 0x1p-40);
  return near < most ? near : most;
}

/// Is the piece's end at `knee` out of reach, for sure?
bool stays_clear_of(double knee, double x, double reach) {
  return std::abs(x - knee) > reach + 0x1p-40 * (std::abs(x) + std::abs(knee) + reach);
}

/// A bound on the second derivative over the reach.
double second_derivative(const Activation& a, double x, double reach) {
  switch (a.kind) {
    case ActivationKind::Affine:
      return 0;
    case ActivationKind::Tanh:
      return curvature(most_bent_tanh, tanh_slope(x), 2, reach);
    case ActivationKind::Sigmoid:
      return curvature(most_bent_sigmoid, sigmoid_slope(x), 1, reach);
    case ActivationKind::Softplus:  // f'' is Sigmoid's slope, whose own slope is no greater
      return curvature(most_bent_softplus, sigmoid_slope(x), 1, reach);
    case ActivationKind::ScaledTanh: {
      const double b = std::abs(a.beta);
      return std::abs(a.alpha) * b * b * curvature(most_bent_tanh, tanh_slope(b * x), 2, b * reach) * (1 + 0x1p-40);
    }
    case ActivationKind::Softsign: {
      const double nearest = 1 + std::max(0.0, std::abs(x) - reach);
      return 2 / (nearest * nearest * nearest) * (1 + 0x1p-40);
    }
    case ActivationKind::Elu:
      if (!stays_clear_of(0, x, reach)) return infinity;
      return x > 0 ? 0 : std::abs(a.alpha) * std::exp(std::min(0.0, x + reach)) * (1 + 0x1p-40);
    case ActivationKind::Relu:
    case ActivationKind::LeakyRelu:
      return stays_clear_of(0, x, reach) ? 0 : infinity;
    case ActivationKind::ThresholdedRelu:
      return stays_clear_of(a.alpha, x, reach) ? 0 : infinity;
    case ActivationKind::HardSigmoid: {
      const double line = a.alpha * x + a.beta, change = std::abs(a.alpha) * reach;
      const double allowance = 0x1p-40 * (std::abs(a.alpha * x) + std::abs(a.beta) + change);
      return line - change > allowance && 1 - line - change > allowance ? 0 : infinity;
    }
    default:
      return infinity;
  }
}

}  // namespace

double slope_of(const Activation& a, double x) {
  switch (a.kind) {
    case ActivationKind::Relu:
      return x > 0 ? 1 : 0;
    case ActivationKind::Tanh:
      return tanh_slope(x);
    case ActivationKind::Sigmoid:
      return sigmoid_slope(x);
    case ActivationKind::Affine:
      return a.alpha;
    case ActivationKind::LeakyRelu:
      return x >= 0 ? 1 : a.alpha;
    case ActivationKind::ThresholdedRelu:
      return x >= a.alpha ? 1 : 0;
    case ActivationKind::ScaledTanh:
      return a.alpha * a.beta * tanh_slope(a.beta * x);
    case ActivationKind::HardSigmoid: {
      const double line = a.alpha * x + a.beta;
      return line > 0 && line < 1 ? a.alpha : 0;
    }
    case ActivationKind::Elu:
      return x >= 0 ? 1 : a.alpha * std::exp(x);
    case ActivationKind::Softsign:
      return 1 / ((1 + std::abs(x)) * (1 + std::abs(x)));
    case ActivationKind::Softplus:
      return 1 / (1 + std::exp(-x));
    default:
      return 0;
  }
}

double bend_of(const Activation& a, double x, double reach) {
  const double own = 0x1p-47 * (1 + std::abs(x) * std::max(1.0, std::abs(a.beta))) * std::abs(slope_of(a, x)) * reach;
  const double bend = second_derivative(a, x, reach);
  return bend == 0 ? own : 0.5 * bend * reach * reach * (1 + 0x1p-40) + own;
}

double steepening_of(const Activation& a, double reach) {
  return a.kind == ActivationKind::ScaledTanh ? std::exp(4 * std::abs(a.beta) * reach) : 1;
}

}  // namespace cellproof::oracle
