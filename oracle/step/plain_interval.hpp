#pragma once

#include <cmath>

#include "oracle/step/activation.hpp"
#include "oracle/step/rounding.hpp"

namespace cellproof::oracle {

// Work of loops over many rows, done for each row without a branch, so that the compiler can use vector registers.

/// As std::min and std::max, but of values: references hinder the compiler there.
constexpr double plain_lesser(double a, double b) {
  return b < a ? b : a;
}
constexpr double plain_greater(double a, double b) {
  return a < b ? b : a;
}

struct PlainInterval {
  double lo, hi;

  double magnitude() const { return plain_greater(std::abs(lo), std::abs(hi)); }
  PlainInterval widened(double by) const { return {lo - by, hi + by}; }
};

inline PlainInterval operator+(const PlainInterval& a, const PlainInterval& b) {
  return {a.lo + b.lo, a.hi + b.hi};
}

inline PlainInterval operator*(const PlainInterval& a, const PlainInterval& b) {
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {plain_lesser(plain_lesser(p, q), plain_lesser(r, s)),
          plain_greater(plain_greater(p, q), plain_greater(r, s))};
}

/// Distance that an interval reaches from a centre in it.
inline double plain_reach(double centre, const PlainInterval& x) {
  return plain_greater(x.hi - centre, centre - x.lo);
}

/// As image() has it for Sigmoid and Tanh over an interval around a centre, with the value `y` there. Only for
/// intervals within longest_sloped_reach.
template <ActivationKind kind>
PlainInterval plain_image(double y, double centre, const PlainInterval& x, const Arithmetic& m) {
  const double steepest = steepest_slope<kind>(y, plain_reach(centre, x));
  const PlainInterval exact{y - steepest * (centre - x.lo), y + steepest * (x.hi - centre)};
  const double magnitude = exact.magnitude();
  return exact.widened(function_error<double>(m.activation_relative * magnitude + m.activation_floor, magnitude, m));
}

}  // namespace cellproof::oracle
