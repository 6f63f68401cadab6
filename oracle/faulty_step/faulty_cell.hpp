#pragma once

#include "oracle/faulty_step/switches.hpp"
#include "oracle/step/cell.hpp"

namespace cellproof::oracle {

/// A cell under the hypothesis of faults (oracle/fault.hpp). Most of them change the cell itself.
struct FaultyCell : Cell {
  StepSwitches switches;  ///< what the others change of its steps

  bool narrow_to(int unit) {
    const int before = units;
    if (!Cell::narrow_to(unit)) return false;
    for (std::vector<double>* biases : {&switches.late_Wb, &switches.late_Rb}) {
      if (biases->empty()) continue;
      for (int gate = 0; gate < gates; ++gate)
        (*biases)[static_cast<std::size_t>(gate)] = (*biases)[static_cast<std::size_t>(gate * before + unit)];
      biases->resize(static_cast<std::size_t>(gates));
    }
    return true;
  }
};

}  // namespace cellproof::oracle
