#pragma once

#include <cmath>

#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// Rounded to this many significant bits, ties to even; 0: not at all.
inline double with_bits(double x, int bits) {
  if (bits == 0 || x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

/// The enclosure of what is left of its members with so many significant bits; 0: with all.
template <class Real>
Enclosure<Real> kept_with(const Enclosure<Real>& e, int bits) {
  if (bits == 0) return e;
  return {with_bits(e.centre, bits), with_bits(e.lo, bits), with_bits(e.hi, bits), e.flags};
}

}  // namespace cellproof::oracle
