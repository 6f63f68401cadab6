#pragma once

#include <algorithm>

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/real.hpp"

namespace cellproof::oracle {

/// By how much a result of elementwise operations can miss: their roundings amount to those of `intermediates` (a sum
/// of magnitudes) and of the result, whose magnitude is given; the judge's own are in it. What storing the result costs
/// is not.
template <class Real>
double elementwise_error(double intermediates, double magnitude, const Arithmetic& m) {
  const double u = m.u_elementwise;
  return u * (intermediates + magnitude) * (1 + 4 * u) + slack<Real> * std::max(intermediates, magnitude) +
         2 * m.eta_elementwise;
}

/// By how much a function's result of this magnitude can miss by its own `error`; the judge's is in it.
template <class Real>
double function_error(double error, double magnitude, const Arithmetic& m) {
  return error + slack<Real> * magnitude + m.eta_elementwise;
}

}  // namespace cellproof::oracle
