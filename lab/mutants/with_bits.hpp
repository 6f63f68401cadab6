#pragma once

#include <cmath>

namespace cellproof::lab::mutants {

/// `value` rounded to this many significant bits, ties to even.
template <class F>
F with_bits(F value, int bits) {
  if (bits == 0 || value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const F fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

/// `value` without what lies beyond so many significant bits.
template <class F>
F cut_to_bits(F value, int bits) {
  if (bits == 0 || value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const F fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

}  // namespace cellproof::lab::mutants
