#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "optimized/cpu/cellproof_cpu.h"

namespace cellproof::cpu {

/// What a node or its data break, in one line: what, where, what was expected, and the clause.
class Invalid : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The eleven functions that the operators' pages list, in their order.
enum class Function {
  Relu,
  Tanh,
  Sigmoid,
  Affine,
  LeakyRelu,
  ThresholdedRelu,
  ScaledTanh,
  HardSigmoid,
  Elu,
  Softsign,
  Softplus
};

/// A function with its parameters (0 where it takes none).
struct Activation {
  Function function = Function::Tanh;
  float alpha = 0;
  float beta = 0;
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
  cellproof_cpu_operator op;
  cellproof_cpu_type type;  ///< of X, of the floating-point inputs and of the outputs
  Sizes size;
  std::array<bool, 2> reversed;                          ///< by direction
  std::array<std::array<Activation, 3>, 2> activations;  ///< by direction: f, g, h (as many as the operator has)
  float clip;                                            ///< infinity where there is none: it bounds nothing
  bool input_forget;
  bool linear_before_reset;
  bool batch_first;  ///< layout 1
  std::array<cellproof_cpu_tensor, CELLPROOF_CPU_INPUTS> inputs;

  bool has(std::size_t input) const { return inputs[input].type != CELLPROOF_CPU_NONE; }
  std::size_t gates() const { return op == CELLPROOF_CPU_GRU ? 3 : op == CELLPROOF_CPU_RNN ? 1 : 4; }
};

/// Checks attributes, types and shapes. Throws Invalid.
Node checked(const cellproof_cpu_node& node);

/// Checks the values of sequence_lens against T. Throws Invalid.
void check_lengths(const Node& node, const int* lengths);

/// Number of elements of a checked tensor.
std::size_t element_count(const cellproof_cpu_tensor& tensor);

/// Bytes of an element; 0 for NONE and OTHER.
std::size_t size_of(cellproof_cpu_type type);

/// "X", "W", ...
const char* input_name(std::size_t input);

}  // namespace cellproof::cpu
