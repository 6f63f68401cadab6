#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "oracle/faulty_step/faulty_cell.hpp"
#include "oracle/faulty_step/quantiser_switches.hpp"
#include "oracle/layout.hpp"
#include "oracle/step/arithmetic.hpp"

namespace cellproof::oracle {

/// One direction of a problem, as something that cells are made of.
struct CellSource {
  const Problem& problem;
  const Readings& readings;
  int direction = 0;
};

/// Fault hooks of a faulty implementation from the specification's steps; as it stands here, it does not.
/// A fault adds to what is there: changes of several faults are made one after the other.
struct FaultHooks {
  using CellChange = std::function<void(FaultyCell&, const CellSource&)>;
  CellChange cell;                              ///< changes one direction's cell; may be empty
  CellChange late_cell;                         ///< likewise, but only from input time T/2 on
  std::function<void(Arithmetic&)> arithmetic;  ///< changes what arithmetic may do; may be empty
  std::function<void(Layout&)> layout;          ///< changes where things lie; may be empty
  int input_lag = 0;                 ///< a step reads the input of so many steps before it, the first steps their own
  bool warms_up_in_padding = false;  ///< the reverse direction starts at T - 1, through the padding
  bool state_goes_to_next_row = false;  ///< a row starts from the last state of the row before
  QuantiserSwitches quantiser;          ///< of DynamicQuantizeLSTM
};

/// Lets `change` follow what `hook` did before.
template <class... Arguments>
void add_to(std::function<void(Arguments...)>& hook, std::type_identity_t<std::function<void(Arguments...)>> change) {
  if (!hook) {
    hook = std::move(change);
    return;
  }
  hook = [before = std::move(hook), change = std::move(change)](Arguments... arguments) {
    before(arguments...);
    change(arguments...);
  };
}

}  // namespace cellproof::oracle
