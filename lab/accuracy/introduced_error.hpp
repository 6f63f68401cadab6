#pragma once

#include <vector>

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/cell.hpp"

namespace cellproof::lab {

/// The greatest distance of an honest step from the exact one, by unit: of the state as it stands in Y, and of an
/// LSTM's cell as it stands in Y_c.
struct IntroducedError {
  std::vector<double> H, C;
};

/// Returns the formulas of docs/accuracy/, evaluated at one row of numbers: h (and c) are known exactly before the
/// step. Cells of the default functions without clip, coupling and faults alone. `c`: [units], or null but for LSTM.
IntroducedError introduced_error(const oracle::Cell& cell, const oracle::Arithmetic& arithmetic, const double* x,
                                 const double* h, const double* c);

}  // namespace cellproof::lab
