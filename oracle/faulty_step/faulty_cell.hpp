#pragma once

#include <cstddef>
#include <vector>

#include "oracle/faulty_step/switches.hpp"
#include "oracle/step/cell.hpp"

namespace cellproof::oracle {

/// A cell under the hypothesis of faults (oracle/fault.hpp). Most of them change the cell itself.
struct FaultyCell : Cell {
  StepSwitches switches;  ///< what the others change of its steps

  /// Narrows the cell with its switches.
  void narrow_all_to(int unit) {
    const auto before = static_cast<std::size_t>(units), kept = static_cast<std::size_t>(unit);
    if (!narrow_to(unit)) return;
    for (std::vector<double>* biases : {&switches.late_Wb, &switches.late_Rb}) {
      if (biases->empty()) continue;
      const std::size_t left = biases->size() / before;
      for (std::size_t gate = 0; gate < left; ++gate) (*biases)[gate] = (*biases)[gate * before + kept];
      biases->resize(left);
    }
  }

  bool operator==(const FaultyCell&) const = default;
};

}  // namespace cellproof::oracle
