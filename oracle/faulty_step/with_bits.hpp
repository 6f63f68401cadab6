#pragma once

#include <cmath>
#include <limits>

#include "oracle/faulty_step/switches.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// Infinite, where a number of float's range was rounded to one beyond it.
inline double in_range_of_float(double x, double rounded) {
  constexpr double end = 0x1p128;
  const bool is_beyond = std::abs(x) < end && std::abs(rounded) >= end;
  return is_beyond ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

/// Rounded to this many significant bits, ties to even; 0: not at all.
inline double with_bits(double x, int bits) {
  if (bits == 0 || x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return in_range_of_float(x, std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits));
}

/// The same of a factor, in one of the ways that processors have.
inline double factor_with_bits(double x, int bits, FactorRounding rounding) {
  if (rounding == FactorRounding::ToEven || bits == 0 || x == 0 || !std::isfinite(x)) return with_bits(x, bits);
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(x, &exponent), bits);
  const double kept = rounding == FactorRounding::CutOff ? std::trunc(scaled) : std::round(scaled);
  return in_range_of_float(x, std::ldexp(kept, exponent - bits));
}

inline Ball factor_with_bits(const Ball& x, int bits, FactorRounding rounding) {
  if (rounding == FactorRounding::ToEven || bits == 0) return with_bits(x, bits);
  return Ball(factor_with_bits(static_cast<double>(x), bits, rounding));
}

/// The enclosure of what is left of its members with so many significant bits; 0: with all.
template <class Real>
Enclosure<Real> kept_with(const Enclosure<Real>& e, int bits) {
  if (bits == 0) return e;
  return {with_bits(e.centre, bits), with_bits(e.lo, bits), with_bits(e.hi, bits), e.flags};
}

}  // namespace cellproof::oracle
