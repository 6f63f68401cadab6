#pragma once

#include <functional>

#include "oracle/frame.hpp"
#include "oracle/quantized/switches.hpp"
#include "oracle/step/arithmetic.hpp"
#include "oracle/step/cell.hpp"

namespace cellproof::oracle {

/// One direction of a problem, as something that cells are made of.
struct CellSource {
  const Problem& problem;
  const Readings& readings;
  int direction = 0;
};

/// How a faulty implementation goes through the steps otherwise than the specification; as it stands here, it does not.
struct Departures {
  std::function<void(Cell&, const CellSource&)> cell;  ///< changes one direction's cell; may be empty
  std::function<void(Arithmetic&)> arithmetic;         ///< changes what arithmetic may do; may be empty
  std::function<void(Frame&)> frame;                   ///< changes where things lie; may be empty
  int input_lag = 0;                 ///< a step reads the input of so many steps before it, the first steps their own
  bool warms_up_in_padding = false;  ///< the reverse direction starts at T - 1, through the padding
  bool state_goes_to_next_row = false;  ///< a row starts from the last state of the row before
  QuantiserSwitches quantiser;          ///< of DynamicQuantizeLSTM
  bool only_in_second_half = false;     ///< the cell is the changed one from input time T/2 on only
};

}  // namespace cellproof::oracle
