#pragma once

#include <cmath>

#include "optimized/cuda/host_device.hpp"
#include "optimized/node/activation.hpp"

namespace cellproof::cuda {

using node::Activation;
using node::Function;

/// 1 / (1 + e^-x) without overflow: e^-|x| is at most 1.
template <class Real>
CELLPROOF_HD Real logistic(Real x) {
  const Real small = std::exp(-std::fabs(x));
  const Real of_magnitude = Real(1) / (Real(1) + small);
  return x < 0 ? small * of_magnitude : of_magnitude;
}

/// x / (1 + |x|), which at infinity is its limit.
template <class Real>
CELLPROOF_HD Real softsign(Real x) {
  const Real magnitude = std::fabs(x);
  if (magnitude > Real(1e30)) return x < 0 ? Real(-1) : Real(1);
  return x / (Real(1) + magnitude);
}

/// log(1 + e^x) without overflow.
template <class Real>
CELLPROOF_HD Real softplus(Real x) {
  const Real rest = std::log1p(std::exp(-std::fabs(x)));
  return x > 0 ? x + rest : rest;
}

/// The function's value. A NaN gives NaN. A cell has up to five places for a function, and each may be any of them.
template <class Real>
CELLPROOF_HD_CALLED Real activated(Activation activation, Real x) {
  const Real alpha = static_cast<Real>(activation.alpha), beta = static_cast<Real>(activation.beta);
  switch (activation.function) {
    case Function::Relu:
      return x < 0 ? Real(0) : x;
    case Function::Tanh:
      return std::tanh(x);
    case Function::Sigmoid:
      return logistic(x);
    case Function::Affine:
      return std::fma(alpha, x, beta);
    case Function::LeakyRelu:
      return x < 0 ? alpha * x : x;
    case Function::ThresholdedRelu:
      return x < alpha ? Real(0) : x;
    case Function::ScaledTanh:
      return alpha * std::tanh(beta * x);
    case Function::HardSigmoid: {
      const Real line = std::fma(alpha, x, beta);
      if (line < 0) return 0;
      return line > 1 ? Real(1) : line;
    }
    case Function::Elu:
      return x < 0 ? alpha * std::expm1(x) : x;
    case Function::Softsign:
      return softsign(x);
    case Function::Softplus:
      return softplus(x);
  }
  return x;
}

/// Constants that all steps of a direction share. clip is infinite where there is none.
template <class Real>
struct Functions {
  Activation f, g, h;
  Real clip;

  /// Attribute clip: the argument of every function is bounded. NaN stays NaN.
  CELLPROOF_HD Real apply(const Activation& activation, Real x) const {
    if (x > clip) {
      x = clip;
    } else if (x < -clip) {
      x = -clip;
    }
    return activated(activation, x);
  }
};

/// GRU, equation Ht.
template <class Real>
CELLPROOF_HD Real gru_state(Real z, Real candidate, Real before) {
  return (Real(1) - z) * candidate + z * before;
}

}  // namespace cellproof::cuda
