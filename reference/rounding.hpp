#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/real.hpp"
#include "spec/element_type.hpp"

namespace cellproof::reference {

/// `x` rounded once to the format, nearest and ties to even, as the double that holds the result exactly. Never by way
/// of another format: a value just beside a tie of the narrow format would round to the tie first and then to the wrong
/// side. Subnormal results are exact multiples of min_subnormal; beyond the largest finite value by half a unit or
/// more: infinity.
template <class Real>
double round_once(const Real& x, const FloatFormat& format) {
  using std::floor, std::frexp, std::ldexp;  // the multiprecision ones are found by argument-dependent lookup
  using F = Functions<Real>;
  const double sign = F::is_negative(x) ? -1.0 : 1.0;
  if (F::is_nan(x)) return std::numeric_limits<double>::quiet_NaN();
  if (F::is_infinite(x)) return sign * std::numeric_limits<double>::infinity();
  if (x == 0) return sign * 0.0;

  const Real magnitude = F::is_negative(x) ? Real(-x) : x;
  int exponent = 0;  // magnitude = m * 2^exponent with m in [1/2, 1)
  frexp(magnitude, &exponent);
  // The spacing of the format's numbers around x is 2^quantum.
  const int quantum = std::max(exponent - 1, format.min_exponent) - (format.precision - 1);
  const Real scaled = ldexp(magnitude, -quantum);  // below 2^precision
  const Real below = floor(scaled);
  const Real rest = scaled - below;  // exact
  double count = static_cast<double>(below);
  const bool odd = std::fmod(count, 2.0) != 0;
  if (rest > 0.5 || (rest == 0.5 && odd)) count += 1;
  const double result = std::ldexp(count, quantum);
  return sign * (result > format.max_finite ? std::numeric_limits<double>::infinity() : result);
}

}  // namespace cellproof::reference
