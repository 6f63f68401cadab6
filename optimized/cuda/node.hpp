#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "optimized/cuda/cell.hpp"
#include "optimized/cuda/cellproof_cuda.h"
#include "optimized/cuda/elements.hpp"

namespace cellproof::cuda {

/// What a node or its data break, in one line: what, where, what was expected, and the clause.
class Invalid : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Steps, batch, input size, hidden size, directions, gates; and where a row of a tensor begins, in elements.
struct Geometry {
  Index T = 0, N = 0, I = 0, H = 0, D = 1, G = 1;
  bool batch_first = false;  ///< layout 1

  Index in_x(Index t, Index n) const { return (batch_first ? n * T + t : t * N + n) * I; }
  Index in_y(Index t, Index d, Index n) const { return (batch_first ? (n * T + t) * D + d : (t * D + d) * N + n) * H; }
  Index in_state(Index d, Index n) const { return (batch_first ? n * D + d : d * N + n) * H; }
};

using DirectionActivations = std::array<Activation, 3>;

/// A node that has been found valid, with every default in place.
struct Node {
  cellproof_cuda_operator op = CELLPROOF_CUDA_LSTM;
  Storage storage = Storage::Float;  ///< of X, of the floating-point inputs and of the outputs
  Geometry geometry;
  std::array<bool, 2> reversed{};                     ///< by direction
  std::array<DirectionActivations, 2> activations{};  ///< by direction: f, g, h as far as the operator has them
  float clip = 0;                                     ///< infinity where there is none: it bounds nothing
  bool input_forget = false;
  bool linear_before_reset = false;
  std::array<cellproof_cuda_tensor, CELLPROOF_CUDA_INPUTS> inputs{};

  bool has(std::size_t input) const { return inputs.at(input).type != CELLPROOF_CUDA_NONE; }
  bool quantized() const { return op == CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM; }
  bool has_cell() const { return op == CELLPROOF_CUDA_LSTM || quantized(); }
};

/// Checks attributes, types and shapes. Throws Invalid, and std::bad_alloc for sizes whose indices would overflow.
Node checked(const cellproof_cuda_node& node);

/// Checks the values of sequence_lens against T. Throws Invalid.
void check_lengths(const Node& node, const std::int32_t* lengths);

/// Each direction's functions with the parameters that they take from the streams activation_alpha and activation_beta.
/// Throws Invalid.
std::array<DirectionActivations, 2> activations_of(const cellproof_cuda_node& node, Index directions);

/// Number of elements of a checked tensor.
Index element_count(const cellproof_cuda_tensor& tensor);

/// Bytes of an element; 0 for NONE and OTHER.
std::size_t size_of(cellproof_cuda_type type);

/// "X", "W", ...
const char* input_name(std::size_t input);

}  // namespace cellproof::cuda
