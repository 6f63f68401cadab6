#pragma once

#include <string>

#include "lab/bench/gpu/grid.hpp"

namespace cellproof::lab::bench::gpu {

/// Work that a row takes at the very least, whoever computes it. Padding is left out, and the first step's product with
/// an initial state of zeros, too.
struct Work {
  double operations = 0;  ///< additions and multiplications of X with W and of H with R
  double bytes = 0;       ///< X, W, R and B read once, Y and the last states written once; nothing is read twice
};
Work work_of(const Row& row);

/// Rates of the device in a second, measured in the same process.
struct Rates {
  double bytes = 0;             ///< read and written by a copy that is larger than any cache
  double operations = 0;        ///< by a matrix product of floats, without tensor cores
  double operations_of_16 = 0;  ///< by one of float16, summed in float
};

/// The time in seconds below which the device cannot come: max(operations / their rate, bytes / theirs). It says
/// nothing of how long steps have to wait for each other.
double floor_of(const Row& row, const Rates& rates);

/// Which of the two it is: "operations" or "bytes".
std::string bound_of(const Row& row, const Rates& rates);

}  // namespace cellproof::lab::bench::gpu
