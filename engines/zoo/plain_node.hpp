#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::engines::zoo {

/// A function of the activations list with its parameters.
struct PlainFunction {
  std::string_view name;  ///< as the pages spell it
  float alpha = 0, beta = 0;
};

/// One direction of a node: its rows of every parameter, as flat arrays, and its initial states by [batch][unit].
struct PlainDirection {
  bool reverse = false;
  std::vector<double> W, R;    ///< [gate * H + unit][column]
  std::vector<double> Wb, Rb;  ///< [gate * H + unit]
  std::vector<double> P;       ///< [peephole * H + unit]; empty where absent
  std::vector<double> h, c;    ///< [batch * H + unit]
  std::vector<PlainFunction> functions;
};

/// A node of LSTM, GRU or RNN taken apart under the default readings: no layout, no optional inputs, no defaults left.
struct PlainNode {
  Operator op = Operator::RNN;
  ElementType type = ElementType::Float;
  std::size_t T = 0, N = 0, I = 0, H = 0;
  bool batch_first = false;
  std::vector<double> X;             ///< [time][batch][input]
  std::vector<std::size_t> lengths;  ///< by batch
  std::optional<float> clip;
  bool coupled = false;  ///< input_forget
  bool linear_before_reset = false;
  std::vector<PlainDirection> directions;
};

/// Throws std::invalid_argument for DynamicQuantizeLSTM and for activations that cannot be resolved.
PlainNode take_apart(const Problem& problem);

/// What a node computes, still without layout; values need not be rounded to the type yet.
struct PlainOutputs {
  std::vector<double> Y;         ///< [time][direction][batch][unit]
  std::vector<double> Y_h, Y_c;  ///< [direction][batch][unit]

  explicit PlainOutputs(const PlainNode& node);
  double* y(const PlainNode& node, std::size_t t, std::size_t d, std::size_t n);
  double* h(const PlainNode& node, std::size_t d, std::size_t n);
  double* c(const PlainNode& node, std::size_t d, std::size_t n);
};

/// The tensors that the problem asks for, in the node's layout, each value rounded to its type.
std::vector<std::optional<Tensor>> put_together(const Problem& problem, const PlainNode& node,
                                                const PlainOutputs& outputs);

}  // namespace cellproof::engines::zoo
