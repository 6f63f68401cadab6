#pragma once

#include "reference/real.hpp"

namespace cellproof::reference {

/// The eleven activation functions that the operator pages list.
enum class Function {
  Relu,
  Tanh,
  Sigmoid,
  Affine,
  LeakyRelu,
  ThresholdedRelu,
  ScaledTanh,
  HardSigmoid,
  Elu,
  Softsign,
  Softplus,
};

/// A function of the list with its parameters: one entry of `activations`, resolved.
struct Activation {
  Function function = Function::Tanh;
  double alpha = 0;          ///< 0 where the function takes none
  double beta = 0;           ///< 0 where the function takes none
  bool equal_passes = true;  ///< ThresholdedRelu at x == alpha: x (clause thresholdedrelu-equality, ge) or 0 (gt)
};

/// Each function is the one that the page's formula defines, in a form that computes it wherever the formula as written
/// would overflow or cancel (clause mathematical-value). A NaN argument gives NaN in every one of them. Infinite
/// arguments give the limit, except where the parameters make it an IEEE invalid operation (0 * infinity).

/// max(0, x)
template <class Real>
Real relu(const Real& x) {
  return x > 0 ? x : Real(0);
}

/// (1 - e^{-2x}) / (1 + e^{-2x}), with e^{-2|x|} so that nothing overflows, and 1 - e^{-2|x|} = -expm1(-2|x|).
template <class Real>
Real tanh_of(const Real& x) {
  const Real magnitude = x < 0 ? Real(-x) : x;
  const Real e = Functions<Real>::expm1(Real(-2 * magnitude));
  const Real result = -e / (2 + e);
  return x < 0 ? Real(-result) : result;
}

/// 1 / (1 + e^{-x}); for x < 0 numerator and denominator are multiplied by e^x.
template <class Real>
Real sigmoid(const Real& x) {
  using F = Functions<Real>;
  if (x < 0) return F::exp(x) / (1 + F::exp(x));
  return 1 / (1 + F::exp(Real(-x)));
}

/// alpha * x + beta
template <class Real>
Real affine(const Real& x, const Real& alpha, const Real& beta) {
  return alpha * x + beta;
}

/// x if x >= 0 else alpha * x
template <class Real>
Real leaky_relu(const Real& x, const Real& alpha) {
  return x >= 0 ? x : Real(alpha * x);
}

/// x if x >= alpha else 0
template <class Real>
Real thresholded_relu(const Real& x, const Real& alpha, bool equal_passes) {
  const bool passes = equal_passes ? x >= alpha : x > alpha;
  return passes ? x : Real(0);
}

/// alpha * Tanh(beta * x)
template <class Real>
Real scaled_tanh(const Real& x, const Real& alpha, const Real& beta) {
  return alpha * tanh_of(Real(beta * x));
}

/// min(max(alpha * x + beta, 0), 1)
template <class Real>
Real hard_sigmoid(const Real& x, const Real& alpha, const Real& beta) {
  Real line = alpha * x + beta;
  if (line < 0) return Real(0);
  if (line > 1) return Real(1);
  return line;
}

/// x if x >= 0 else alpha * (e^x - 1)
template <class Real>
Real elu(const Real& x, const Real& alpha) {
  return x >= 0 ? x : Real(alpha * Functions<Real>::expm1(x));
}

/// x / (1 + |x|)
template <class Real>
Real softsign(const Real& x) {
  if (Functions<Real>::is_infinite(x)) return x < 0 ? Real(-1) : Real(1);
  const Real magnitude = x < 0 ? Real(-x) : x;
  return x / (1 + magnitude);
}

/// log(1 + e^x) = max(x, 0) + log(1 + e^{-|x|})
template <class Real>
Real softplus(const Real& x) {
  using F = Functions<Real>;
  const Real minus_magnitude = x < 0 ? x : Real(-x);
  return relu(x) + F::log1p(F::exp(minus_magnitude));
}

template <class Real>
Real apply(const Activation& activation, const Real& x) {
  if (Functions<Real>::is_nan(x)) return x;
  const Real alpha(activation.alpha), beta(activation.beta);
  switch (activation.function) {
    case Function::Relu:
      return relu(x);
    case Function::Tanh:
      return tanh_of(x);
    case Function::Sigmoid:
      return sigmoid(x);
    case Function::Affine:
      return affine(x, alpha, beta);
    case Function::LeakyRelu:
      return leaky_relu(x, alpha);
    case Function::ThresholdedRelu:
      return thresholded_relu(x, alpha, activation.equal_passes);
    case Function::ScaledTanh:
      return scaled_tanh(x, alpha, beta);
    case Function::HardSigmoid:
      return hard_sigmoid(x, alpha, beta);
    case Function::Elu:
      return elu(x, alpha);
    case Function::Softsign:
      return softsign(x);
    case Function::Softplus:
      return softplus(x);
  }
  return x;
}

}  // namespace cellproof::reference
