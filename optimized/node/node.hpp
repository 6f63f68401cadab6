#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "optimized/node/activations.hpp"
#include "optimized/node/cellproof_node.h"

namespace cellproof::node {

/// Why a call did not do what was asked of it: the status and one line.
class Failure : public std::runtime_error {
 public:
  Failure(cellproof_status status, const std::string& line) : std::runtime_error(line), status_(status) {}
  cellproof_status status() const { return status_; }

 private:
  cellproof_status status_;
};

/// Names what a node or its data break, in one line: what, where, what was expected, and the clause.
class Invalid : public Failure {
 public:
  explicit Invalid(const std::string& line) : Failure(CELLPROOF_INVALID, line) {}
};

struct Sizes {
  std::size_t T;  ///< steps
  std::size_t N;  ///< batch
  std::size_t I;  ///< input size
  std::size_t H;  ///< hidden size
  std::size_t D;  ///< directions
};

/// A node that has been found valid, with every default in place.
struct Node {
  cellproof_operator op = CELLPROOF_LSTM;
  cellproof_type type = CELLPROOF_FLOAT;  ///< of X, of the floating-point inputs and of the outputs
  Sizes size{};
  std::array<bool, 2> reversed{};  ///< by direction
  Activations activations{};
  float clip = 0;  ///< infinity where there is none: it bounds nothing
  bool input_forget = false;
  bool linear_before_reset = false;
  bool batch_first = false;  ///< layout 1
  std::array<cellproof_tensor, CELLPROOF_INPUTS> inputs{};

  bool has(std::size_t input) const { return inputs.at(input).type != CELLPROOF_NONE; }
  bool quantized() const { return op == CELLPROOF_DYNAMIC_QUANTIZE_LSTM; }
  bool has_cell() const { return op == CELLPROOF_LSTM || quantized(); }
  std::size_t gates() const { return op == CELLPROOF_GRU ? 3 : op == CELLPROOF_RNN ? 1 : 4; }
};

/// Checks attributes, types and shapes by the operators' pages. What a library cannot do with a valid node it checks
/// itself. Throws Invalid, and std::bad_alloc where R cannot exist.
Node checked(const cellproof_node& node);

/// Throws std::bad_alloc for sizes whose products no machine has memory for, and no index can count.
void check_countable(const Node& node);

/// Checks the values of sequence_lens against T. Throws Invalid.
void check_lengths(const Node& node, const std::int32_t* lengths);

/// Counts the elements of a checked tensor.
std::size_t element_count(const cellproof_tensor& tensor);

/// Bytes of an element; 0 for NONE and OTHER.
std::size_t size_of(cellproof_type type);

/// "X", "W", ...
const char* input_name(std::size_t input);

}  // namespace cellproof::node
