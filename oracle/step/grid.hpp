#pragma once

#include <algorithm>
#include <cmath>

#include "oracle/lowest_bit.hpp"
#include "oracle/step/arithmetic.hpp"

namespace cellproof::oracle {

/// Is a multiple of 2^grid, with a magnitude (or with partial sums) of at most `magnitude`, never rounded? However
/// short: beyond the largest number it would be, to infinity.
inline bool never_rounded(int grid, double magnitude, const Arithmetic& arithmetic) {
  if (arithmetic.exact_bits == 0 || grid < arithmetic.exact_grid) return false;
  const double largest = std::min(arithmetic.largest_accumulated, arithmetic.largest_elementwise);
  return grid == any_grid || magnitude <= std::min(largest, std::ldexp(1.0, grid + arithmetic.exact_bits));
}

}  // namespace cellproof::oracle
