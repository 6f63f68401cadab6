#pragma once

#include <cstddef>

#include "engines/zoo/plain_node.hpp"
#include "spec/problem.hpp"

namespace cellproof::engines::mutants {

using zoo::PlainDirection;
using zoo::PlainFunction;
using zoo::PlainNode;

/// The faults of arithmetic and order, which cannot be told by changing the node: switches that FaultyCell and the
/// driver look at. All off: no fault.
struct Faults {
  // In the cell.
  bool output_peephole_sees_old_cell = false;
  bool forget_gate_takes_g = false;
  bool clip_after_function = false;
  bool clip_upper_side_only = false;
  bool clip_forgets_g = false;  ///< the cell gate (GRU: the hidden gate) is not clipped
  bool recurrent_bias_outside_reset = false;
  bool update_gate_complemented = false;
  bool reset_gate_ignored = false;
  bool last_product_dropped = false;
  bool sigmoid_saturates_early = false;
  double tanh_error = 0;
  int operand_bits = 0;  ///< factors of products rounded to this precision; 0: not at all
  int accumulator_bits = 0;
  int cell_bits = 0;
  int state_bits = 0;
  bool only_in_second_half = false;  ///< the faults above act from step T/2 on

  // In the driver.
  bool reverse_starts_in_padding = false;
  bool Y_in_processing_order = false;
  bool Y_h_is_last_row_of_Y = false;
  bool padding_is_computed = false;
  bool previous_input = false;   ///< from the second step on, the input of the step before
  bool row_state_leaks = false;  ///< a sequence starts from the last state of the one before
  bool directions_swapped_in_states = false;
  bool layout_ignored_in_Y = false;
  bool one_element_off = false;
};

/// A fault about to be planted: the node as it will be computed, and the switches.
struct Sowing {
  PlainNode& node;
  Faults& faults;
};

/// What a mutant's precondition may look at.
struct Facts {
  const PlainNode& node;
  const Problem& problem;
};

/// Without a fault in either: the plain and right result.
zoo::PlainOutputs compute(const PlainNode& node, const Faults& faults);

}  // namespace cellproof::engines::mutants
