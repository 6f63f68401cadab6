#pragma once

#include <bit>
#include <cstdint>

namespace cellproof::oracle {

/// Exponent of the lowest set bit, of numbers that are exact multiples of a power of two: sums and products of such
/// numbers are not rounded as long as they are short enough, in whatever order they are formed.
inline constexpr int any_grid = 1 << 20;    ///< of 0, a multiple of every power of two
inline constexpr int no_grid = -(1 << 20);  ///< of NaN, of infinities, and of balls with a radius

inline int lowest_bit(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const auto biased = static_cast<int>((bits >> 52) & 0x7ff);
  if (biased == 0x7ff) return no_grid;
  if (biased == 0) return fraction == 0 ? any_grid : std::countr_zero(fraction) - 1074;
  return (fraction == 0 ? 52 : std::countr_zero(fraction)) + biased - 1075;
}

/// The coarsest grid that holds every product of a number on grid a with one on grid b.
inline int product_grid(int a, int b) {
  if (a == any_grid || b == any_grid) return any_grid;
  return a == no_grid || b == no_grid ? no_grid : a + b;
}

}  // namespace cellproof::oracle
