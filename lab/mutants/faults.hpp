#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

#include "fuzz/guided/resolved_node.hpp"
#include "lab/zoo/plain_outputs.hpp"
#include "lab/zoo/quantized_node.hpp"
#include "spec/problem.hpp"

namespace cellproof::lab::mutants {

using fuzz::ResolvedDirection;
using fuzz::ResolvedFunction;
using fuzz::ResolvedNode;
using zoo::PlainOutputs;

/// Fault of one gate: gates in the order of W, R and B.
struct GateFault {
  int function = -1;            ///< the place of the function that is applied; -1: the gate's own
  std::optional<double> value;  ///< instead of computing it
  bool complemented = false;
  bool unclipped = false;
};

/// A function's argument and right result.
struct EdgeView {
  const ResolvedFunction& function;
  std::optional<float> clip;
  double argument;  ///< not clipped yet
  double value;
};

/// The faults of arithmetic and order, which cannot be told by changing the node: switches that FaultyCell and the
/// driver look at. As they stand here: no fault.
struct Faults {
  // In the cell.
  std::array<GateFault, 4> gates;
  bool output_peephole_sees_old_cell = false;
  bool clip_after_function = false;
  bool clip_upper_side_only = false;
  bool clip_lower_side_only = false;
  bool argument_of_h_unclipped = false;
  bool clip_takes_nan = false;                    ///< its threshold comes of NaN
  bool clip_x_part = false, clip_h_part = false;  ///< x W + Wb, or h R + Rb, before they are added
  bool clip_before_peephole = false;
  bool clip_stored_cell = false;
  bool recurrent_bias_outside_reset = false;
  bool last_product_dropped = false;
  bool sigmoid_saturates_early = false;
  bool literal_softplus = false, literal_tanh = false;  ///< as the pages print them, with their overflows
  int bounded_nan = 0;  ///< NaN in Sigmoid and Tanh is what they give above (1) or below (-1) all numbers; 0: NaN
  double tanh_error = 0;
  int operand_bits = 0;           ///< factors of products rounded to this precision; 0: not at all
  bool operands_are_cut = false;  ///< to those bits, instead of rounded
  int accumulator_bits = 0;
  int cell_bits = 0;
  int state_bits = 0;
  int argument_bits = 0;                        ///< of the gates' pre-activations
  int gate_bits = 0;                            ///< of the gates
  int reciprocal_bits = 0;                      ///< of the division in Sigmoid
  int table_bits = 0;                           ///< Sigmoid and Tanh are looked up at the nearest multiple of 2^-bits
  std::function<double(const EdgeView&)> edge;  ///< what comes of a function instead of its value; may be empty
  bool ties_away = false;                       ///< in the quantiser of X and H
  bool only_in_second_half = false;             ///< the faults above act from step T/2 on
  bool only_in_last_step = false;               ///< or at T - 1 alone

  // In the codes of X and H: DynamicQuantizeLSTM only.
  bool codes_are_cut_off = false;
  bool codes_are_symmetric = false;
  bool pairs_of_products_saturate = false;  ///< in 16 bits, with int8 weights
  bool zero_points_of_codes_ignored = false;
  bool range_may_lack_zero = false;
  bool range_lacks_padding = false;
  bool range_of_first_h = false;
  float steps_of_range = 255;
  int scale_bits = 0, scaled_product_bits = 0;  ///< 0: all

  // In the driver.
  bool reverse_starts_in_padding = false;
  bool reverse_takes_last_steps = false;
  bool Y_in_processing_order = false;
  bool padding_is_computed = false;
  int input_lag = 0;                    ///< the input of so many steps before, or after; 0: the step's own
  int resets_every = 0;                 ///< after so many steps a sequence starts from its initial state; 0: never
  bool directions_are_chained = false;  ///< the backward direction starts where the forward one ended
  bool row_state_leaks = false;         ///< a sequence starts from the last state of the one before
  bool call_state_is_kept = false;  ///< the outputs are a second call's, which starts from where the first one ended
  std::optional<ResolvedNode> call_before;  ///< that call, where it had other inputs
  bool batch_is_time = false;               ///< sequences are taken for steps, and steps for sequences
  bool one_element_off = false;
  std::function<void(const ResolvedNode&, PlainOutputs&)>
      spoil;  ///< what is done to the outputs at the end; may be empty
};

using zoo::QuantizedNode;

/// A fault about to be planted: the node as it will be computed, and the switches.
struct Sowing {
  ResolvedNode& node;
  Faults& faults;
  QuantizedNode* quantized = nullptr;  ///< of DynamicQuantizeLSTM; `node` is its LSTM part, without W and R
};

/// Facts that a mutant's precondition may look at.
struct Facts {
  const ResolvedNode& node;
  const Problem& problem;
};

/// Does what the faults do to outputs that are right.
void spoil_outputs(const ResolvedNode& node, const Faults& faults, PlainOutputs& outputs);

/// Without a fault in either: the plain and right result.
zoo::PlainOutputs compute(const ResolvedNode& node, const Faults& faults);

}  // namespace cellproof::lab::mutants
