#pragma once

#include <optional>

#include "fuzz/law.hpp"

/// One function for each law, in a file of its own; fuzz/laws/table.cpp lists them. Each returns nothing where its
/// precondition does not hold. Unless a comment says "bit by bit", the two runs may differ by what certified bounds of
/// honest rounding leave open.
namespace cellproof::fuzz::law {

/// From opset 7 on; trailing inputs that are absent become "".
std::optional<Experiment> absent_is_empty(const Problem& problem);

/// Directions share nothing but X and the lengths.
std::optional<Experiment> backward_half(const Problem& problem);

/// Rows share nothing but the weights. At least two rows.
std::optional<Experiment> batch_permutation(const Problem& problem);

/// Rows share nothing but the weights. At least two rows; the last one alone.
std::optional<Experiment> batch_split(const Problem& problem);

/// B is given. Of a GRU with linear_before_reset the candidate gate keeps its halves: there one of them is multiplied.
std::optional<Experiment> bias_halves_exchanged(const Problem& problem);

/// B is given; its second half is made like the first, so that the sum is exact in every type. Not of a GRU with
/// linear_before_reset.
std::optional<Experiment> bias_halves_merged(const Problem& problem);

/// No clip is written, and the largest number of float is: whatever a clip bounds, it bounds nothing. Double only of
/// the default functions: others can go beyond float.
std::optional<Experiment> clip_beyond_everything(const Problem& problem);

/// LSTM whose function f is Sigmoid everywhere, coupled, whatever the weights are: sigmoid(-x) = 1 - sigmoid(x), so it
/// computes what a node that is not coupled computes where the weights, biases and peepholes of one of the two gates
/// are the opposite of the other's. Which gate is computed is a matter of reading: either will do, in all elements. A
/// clip bounds both sides alike.
std::optional<Experiment> coupled_gates_opposed(const Problem& problem);

/// Those that are not written are written with the default of the version table: direction, layout, input_forget,
/// linear_before_reset.
std::optional<Experiment> defaults_written(const Problem& problem);

/// At least two features.
std::optional<Experiment> feature_permutation(const Problem& problem);

/// Directions share nothing but X and the lengths.
std::optional<Experiment> forward_half(const Problem& problem);

/// Whatever the problem has for them is replaced by T, and left out.
std::optional<Experiment> full_lengths(const Problem& problem);

/// `activations` is not written; it is written with the defaults of the version table, for each direction.
std::optional<Experiment> functions_written(const Problem& problem);

/// Over the real numbers both are the same recurrence. From opset 14 on, layout 0.
std::optional<Experiment> layout(const Problem& problem);

/// GRU from opset 3 on; the rows of R and the recurrent biases of the candidate gate are set to zero.
std::optional<Experiment> linear_before_reset_without_recurrence(const Problem& problem);

/// RNN of Tanh or Softsign: X, B and the initial state change their signs.
std::optional<Experiment> odd_function(const Problem& problem);

/// Versions 7 and 14, float or half or double: the same node in version 22.
std::optional<Experiment> opset_upgrade(const Problem& problem);

/// All outputs against the last of them alone; from opset 7 on, where nothing else says which there are.
std::optional<Experiment> output_subset(const Problem& problem);

/// Some row is shorter than T; its padding is replaced by other numbers, by infinities and by NaN.
std::optional<Experiment> padding_contents(const Problem& problem);

/// RNN, all of whose functions become Relu: X, B, the initial state and the clip are doubled, and so is whatever is
/// computed of them, its rounding included: exactly, where nothing is near to under- or overflow. An engine that rounds
/// the factors of products, or quantises them by a scale of their own, moves its rounding along, too.
std::optional<Experiment> power_of_two(const Problem& problem);

/// DynamicQuantizeLSTM of the default functions without clip, and LSTM-14 with the weights that the integers stand for:
/// as far apart as the steps of the quantisation can bring them.
std::optional<Experiment> quantised_dequantised(const Problem& problem);

/// The first row that is shorter than T and has a step, computed as a batch of its own with T its length.
std::optional<Experiment> ragged_is_dense(const Problem& problem);

/// Any problem; bit by bit.
std::optional<Experiment> repeated_run(const Problem& problem);

/// The steps are the same ones in the same order; only where they are read and written differs.
std::optional<Experiment> reverse_is_flipped_forward(const Problem& problem);

/// Rows share nothing but the weights. The first row is repeated behind the last.
std::optional<Experiment> row_repeated(const Problem& problem);

/// Any problem with a step and a row; bit by bit. In between: the same node with other numbers in X, and then with
/// another step and another row.
std::optional<Experiment> sequence_of_calls(const Problem& problem);

/// X and W get one more column: of zeros and of twos.
std::optional<Experiment> silent_feature(const Problem& problem);

/// A step, a row and a unit, and an engine that can be told with how many threads to compute: one and three. The rows
/// are repeated, so that there is work to share.
std::optional<Experiment> thread_counts(const Problem& problem);

/// Forward, at least two steps, no lengths, opset 7 or later: without its last step a sequence gives the same Y up to
/// there.
std::optional<Experiment> time_prefix(const Problem& problem);

/// One direction, at least two steps, no lengths, opset 7 or later, float or double: the second half of the steps begun
/// from the states that the first half ended with.
std::optional<Experiment> time_split(const Problem& problem);

/// At least two units: rows of every gate, columns of R, states, biases and peepholes move together.
std::optional<Experiment> unit_permutation(const Problem& problem);

/// W, R and B change from the one to the other.
std::optional<Experiment> weights_by_either_way(const Problem& problem);

/// X times 4 and W (of DynamicQuantizeLSTM its scale) divided by 4; bit by bit. Every product of the two is the same
/// number, so what comes behind it is the same, whatever the operator, the functions and the order of sums. Where
/// factors are rounded (TF32) or quantised before, both are by a power of two, as long as they are normal numbers: so
/// are those of which the law speaks.
std::optional<Experiment> weights_rescaled(const Problem& problem);

/// Whatever the problem has for B is replaced by zeros, and left out.
std::optional<Experiment> zero_bias(const Problem& problem);

/// LSTM. Whatever the problem has for it is replaced by zeros, and left out.
std::optional<Experiment> zero_initial_c(const Problem& problem);

/// Whatever the problem has for it is replaced by zeros, and left out.
std::optional<Experiment> zero_initial_h(const Problem& problem);

/// LSTM. Whatever the problem has for P is replaced by zeros, and left out.
std::optional<Experiment> zero_peepholes(const Problem& problem);

}  // namespace cellproof::fuzz::law
