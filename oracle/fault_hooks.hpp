#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "oracle/faulty_step/faulty_cell.hpp"
#include "oracle/faulty_step/quantiser_switches.hpp"
#include "oracle/layout.hpp"
#include "oracle/quantized/weights.hpp"
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
  CellChange cell;       ///< changes one direction's cell; may be empty
  CellChange late_cell;  ///< likewise, but only from input time T/2 on
  using MatrixChange = std::function<void(QuantizedMatrix& W, QuantizedMatrix& R, const CellSource&)>;
  MatrixChange matrices;                        ///< changes one direction's quantised matrices; may be empty
  std::function<void(Arithmetic&)> arithmetic;  ///< changes what arithmetic may do; may be empty
  std::function<void(Layout&)> layout;          ///< changes where things lie; may be empty
  int input_lag = 0;  ///< a step reads the input of so many steps before it, or after it; the first or last their own
  int resets_every = 0;  ///< after so many steps, and so many again, a row starts from its initial state; 0: never
  bool warms_up_in_padding = false;     ///< the reverse direction starts at T - 1, through the padding
  bool state_goes_to_next_row = false;  ///< a row starts from the last state of the row before
  QuantiserSwitches quantiser;          ///< of DynamicQuantizeLSTM

  bool resets(std::int64_t rank) const { return resets_every > 0 && rank > 0 && rank % resets_every == 0; }
  /// The rank whose input a step of a row of so many steps reads.
  std::int64_t input_rank(std::int64_t rank, std::int64_t length) const {
    const std::int64_t read = rank - input_lag;
    return read < 0 ? 0 : read < length ? read : length - 1;
  }
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

/// Lets `change` come before all that `hook` did, as it takes anew what others then change.
template <class... Arguments>
void put_before(std::function<void(Arguments...)>& hook, std::function<void(Arguments...)> change) {
  std::swap(hook, change);
  if (change) add_to(hook, std::move(change));
}

}  // namespace cellproof::oracle
