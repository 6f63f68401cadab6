#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "oracle/ball/ball.hpp"

namespace cellproof::oracle {

// A step is computed in one of two kinds of number: `double`, fast, with allowances added by hand for what it rounds;
// or `Ball`, which carries what it rounds with it. Both know these functions by the same names.
using std::abs, std::exp, std::expm1, std::log1p, std::tanh;
using std::isfinite, std::isinf, std::isnan;
using std::max, std::min;

template <class Real>
inline constexpr bool carries_its_error = std::is_same_v<Real, Ball>;

/// Relative error of one operation of a Real that does not carry it.
template <class Real>
inline constexpr double own_roundoff = carries_its_error<Real> ? 0 : std::numeric_limits<double>::epsilon() / 2;

/// Relative slack that covers the evaluation of a centre and its bound in Real itself: a chain of a few operations and
/// library functions of a few ulps each. None for balls.
template <class Real>
inline constexpr double slack = 128 * own_roundoff<Real>;

/// A radius that a chain of double operations (sums of up to a million magnitudes) has given, rounded up: no less than
/// what exact arithmetic would have given. In `double`, the slack of the centre covers that, too.
template <class Real>
double rounded_up(double radius) {
  if constexpr (!carries_its_error<Real>) return radius;
  return radius == 0 ? 0 : radius * (1 + 0x1p-32) + 4 * std::numeric_limits<double>::denorm_min();
}

inline double upper(double x) {
  return x;
}
inline double lower(double x) {
  return x;
}
inline double midpoint(double x) {
  return x;
}
inline double to_odd(double x) {
  return x;
}
inline bool surely_less(double a, double b) {
  return a < b;
}
inline bool surely_at_most(double a, double b) {
  return a <= b;
}
inline double by_sign(double x, double at_least, double below) {
  return x >= 0 ? at_least : below;
}
inline bool is_exact(double) {
  return true;
}
inline bool is_exact(const Ball& x) {
  return x.is_exact();
}

/// NaN stays NaN.
template <class Real>
Real clamped(const Real& x, const Real& least, const Real& greatest) {
  return isnan(x) ? x : max(least, min(greatest, x));
}

}  // namespace cellproof::oracle
