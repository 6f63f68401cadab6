#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "oracle/step/cell.hpp"
#include "oracle/step/preactivation.hpp"
#include "oracle/step/sums.hpp"

namespace cellproof::oracle {

/// Intervals of many units side by side, without flags.
struct PlainSets {
  std::vector<double> centre, lo, hi;

  explicit PlainSets(std::size_t count) : centre(count), lo(count), hi(count) {}
  Enclosure<double> operator[](std::size_t k) const { return {centre[k], lo[k], hi[k], 0}; }
};

/// All bits or none, as wide as a double, so that it goes beside one into a register.
using PlainMask = std::int64_t;

/// Not a path of its own: of those rows in which nothing is out of the ordinary, the very sets that Step<double>
/// computes one by one, to the last bit, but many rows at once in vector registers. Of the other rows it says that they
/// are not plain, and leaves them to it. Plain is a row of Sigmoid or Tanh whose pre-activation is finite, is
/// certain to be rounded, cannot overflow, lies within clip, and is known well enough for the tangent's cone.
class PlainGates {
 public:
  /// Can a row of a gate whose function is that in `slot` be plain under this arithmetic?
  static bool suits(const Cell& cell, const Arithmetic& arithmetic, int slot);

  PlainGates(const Cell& cell, const Arithmetic& arithmetic, const SumErrors& errors, Tier tier);

  /// Sets `sets` and `plain` of the rows first <= r < last, whose function is that in `slot`. `x`, `h`: the two matrix
  /// products; `x_grid`, `h_grid`: of the vectors in them.
  void compute(int first, int last, int slot, const Sums<double>& x, const Sums<double>& h, int x_grid, int h_grid);

  PlainSets sets;                ///< [rows] the gates
  std::vector<PlainMask> plain;  ///< [rows]

 private:
  const Cell& cell_;
  const Arithmetic& m_;
  const SumErrors& errors_;
  Tier tier_;
  std::vector<double> W_unit_, R_unit_, b_unit_;  ///< [rows] 2^grid of the weights and of the biases; 0: of none
  std::vector<double> argument_;                  ///< [rows] the centres of the pre-activations
};

/// Values of Sigmoid or Tanh for count arguments.
void plain_values(const Activation& function, const double* arguments, double* values, int count);

/// Returns a bound on the magnitude of a plain pre-activation, or cell, below which clip does nothing.
double plain_limit(const Cell& cell, const Arithmetic& arithmetic);

}  // namespace cellproof::oracle
