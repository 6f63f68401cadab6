#pragma once

#include "optimized/cuda/host_device.hpp"

// Bodies of groups of sums that a warp makes together: of one unit, all gates of a phase for up to a few ranks.
// Each has
// - Part: LaneSums, what one lane gathers of every sum of a group;
// - count(), the groups, and sections, the kinds of terms, one after the other, of which there are length<section>();
// - terms_of_load: how many terms a lane loads at once: k, k + lanes and so on;
// - Terms, load<section>(i, k) and take<section>(part, terms): these of group i from memory, then into the sums;
// - finishes(row): whether that row of a group is wanted;
// - Ready and ready(i, row, gate): what a gate needs from memory besides its sum;
// - value(i, row, gate, ready, sum): what becomes of a gate's sum before it meets the other gates';
// - closing: the gate that does so;
// - finish(i, row, ready, values): does something with the values of a row's gates; `ready` is the closing gate's.
//
// Lane k % lanes takes term k. The lanes then exchange halves of what they have: at each of the first distances every
// lane gives one half of its sums to the lane that far away and takes that lane's other half, until each has one; so
// that sixteen sums cost no more than a few single ones. Every sum is merged as one alone would be (products.hpp). Each
// gate's value is then computed by the lane that has its sum: one activation takes as long as those of all gates.

namespace cellproof::cuda {

/// The power of two that a count is filled up to.
CELLPROOF_HD constexpr int filled_up(int count) {
  int power = 1;
  while (power < count) power *= 2;
  return power;
}

template <class Real, int row_count, int gate_count>
struct LaneSums {
  using Value = Real;
  static constexpr int rows = row_count, gates = gate_count;
  static constexpr int width = filled_up(gates);
  static constexpr int places = rows * width;
  static_assert(filled_up(rows) == rows && places <= lanes, "every place must have a lane of its own in the end");

  Real values[places] = {};  ///< [row][gate]

  CELLPROOF_HD Real& at(int row, int gate) { return values[row * width + gate]; }
};

/// Place j of the half that a lane keeps, of twice `half` values, in the exchange over a distance.
template <class Real>
CELLPROOF_HD Real kept_half(const Real* values, int half, int lane, int distance, int j) {
  return (lane & distance) != 0 ? values[half + j] : values[j];
}

/// Place j of the half that it gives away.
template <class Real>
CELLPROOF_HD Real given_half(const Real* values, int half, int lane, int distance, int j) {
  return (lane & distance) != 0 ? values[j] : values[half + j];
}

/// Lanes that have the whole sum of a place after all exchanges, one behind the other.
CELLPROOF_HD constexpr int lanes_of_place(int places) {
  return lanes / places;
}
/// The first of them.
CELLPROOF_HD constexpr int lane_of_place(int place, int places) {
  return place * lanes_of_place(places);
}

}  // namespace cellproof::cuda
