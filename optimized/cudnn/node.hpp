#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "optimized/cudnn/cellproof_cudnn.h"

namespace cellproof::cudnn {

/// Why a call did not do what was asked of it: the status and one line.
struct Failure {
  cellproof_cudnn_status status;
  std::string message;
};

struct Sizes {
  std::int64_t T;  ///< steps
  std::int64_t N;  ///< batch
  std::int64_t I;  ///< input size
  std::int64_t H;  ///< hidden size
  std::int64_t D;  ///< directions
};

/// A node that has been found valid, with every default in place; not yet one that cuDNN can express.
struct Node {
  cellproof_cudnn_operator op;
  cellproof_cudnn_type type;  ///< of X, of the floating-point inputs and of the outputs
  Sizes size;
  bool reverse;      ///< the one direction runs backwards
  bool batch_first;  ///< layout 1
  bool clips;
  bool input_forget;
  bool linear_before_reset;
  std::vector<std::string> activations;  ///< in lower case: f, g, h (as many as the operator has) of each direction
  std::array<cellproof_cudnn_tensor, CELLPROOF_CUDNN_INPUTS> inputs;

  bool has(std::size_t input) const { return inputs[input].type != CELLPROOF_CUDNN_NONE; }
  std::int64_t gates() const { return op == CELLPROOF_CUDNN_GRU ? 3 : op == CELLPROOF_CUDNN_RNN ? 1 : 4; }
  std::size_t functions() const { return op == CELLPROOF_CUDNN_GRU ? 2 : op == CELLPROOF_CUDNN_RNN ? 1 : 3; }
};

/// Checks attributes, types and shapes of an LSTM, GRU or RNN. Throws Failure (INVALID).
Node checked(const cellproof_cudnn_node& node);

/// Checks the values of sequence_lens against T. Throws Failure (INVALID).
void check_lengths(const Sizes& size, const std::int32_t* lengths);

/// Number of elements of a checked tensor.
std::int64_t element_count(const cellproof_cudnn_tensor& tensor);

/// Bytes of an element; 0 for NONE and OTHER.
std::size_t size_of(cellproof_cudnn_type type);

/// "X", "W", ...
const char* input_name(std::size_t input);

}  // namespace cellproof::cudnn
