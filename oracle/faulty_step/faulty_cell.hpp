#pragma once

#include "oracle/faulty_step/switches.hpp"
#include "oracle/step/cell.hpp"

namespace cellproof::oracle {

/// A cell under the hypothesis of faults (oracle/fault.hpp). Most of them change the cell itself.
struct FaultyCell : Cell {
  StepSwitches switches;  ///< what the others change of its steps
};

}  // namespace cellproof::oracle
