#pragma once

#include <vector>

#include "oracle/step/plain_gates.hpp"

namespace cellproof::oracle {

/// The units of an LSTM side by side (oracle/step/plain_gates.hpp says what is plain): gates that are neither coupled
/// nor look at the cell, and tanh as the function of the cell.
class PlainLstm {
 public:
  /// Can a unit of this cell be plain under this arithmetic?
  static bool suits(const Cell& cell, const Arithmetic& arithmetic);

  PlainLstm(const Cell& cell, const Arithmetic& arithmetic, const SumErrors& errors, Tier tier);

  /// Takes all units from the sets of their cells before the step to what is below. `x`, `h`, `x_grid`, `h_grid`: as
  /// for the gates.
  void step(const Sums<double>& x, const Sums<double>& h, int x_grid, int h_grid,
            const std::vector<Enclosure<double>>& before);

  std::vector<PlainMask> plain;  ///< [units] of the other units the rest says nothing
  PlainSets cells, outputs;      ///< [units] C and H after the step
  std::vector<double> rise;      ///< [units] how fast H rises with C at least; 0 where that is not known

 private:
  const Cell& cell_;
  const Arithmetic& m_;
  PlainGates gates_;
  PlainSets before_;
  std::vector<double> squashed_;  ///< [units] tanh of the cells' centres
};

}  // namespace cellproof::oracle
