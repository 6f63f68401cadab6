#pragma once

#include <cmath>

namespace cellproof::reference {

/// Gives what the equations need beyond + - * / and comparison, for one number type. Infinities and NaN go through as
/// in IEEE 754.
template <class Real>
struct Functions;

template <>
struct Functions<double> {
  static bool is_nan(double x) { return std::isnan(x); }
  static bool is_infinite(double x) { return std::isinf(x); }
  static bool is_negative(double x) { return std::signbit(x); }
  static double exp(double x) { return std::exp(x); }
  static double expm1(double x) { return std::expm1(x); }
  static double log1p(double x) { return std::log1p(x); }
};

}  // namespace cellproof::reference
