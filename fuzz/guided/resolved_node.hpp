#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::fuzz {

/// A function of the activations list with its parameters.
struct ResolvedFunction {
  std::string_view name;  ///< as the pages spell it
  float alpha = 0, beta = 0;
};

/// One direction of a node: its rows of every parameter, as flat arrays, and its initial states by [batch][unit].
struct ResolvedDirection {
  bool reverse = false;
  std::vector<double> W, R;    ///< [gate * H + unit][column]
  std::vector<double> Wb, Rb;  ///< [gate * H + unit]
  std::vector<double> P;       ///< [peephole * H + unit]; empty where absent
  std::vector<double> h, c;    ///< [batch * H + unit]
  std::vector<ResolvedFunction> functions;
};

/// A node of LSTM, GRU or RNN taken apart under the default readings: no layout, no optional inputs, no defaults left.
struct ResolvedNode {
  Operator op = Operator::RNN;
  ElementType type = ElementType::Float;
  std::size_t T = 0, N = 0, I = 0, H = 0;
  bool batch_first = false;
  std::vector<double> X;             ///< [time][batch][input]
  std::vector<std::size_t> lengths;  ///< by batch
  std::optional<float> clip;
  bool coupled = false;  ///< input_forget
  bool linear_before_reset = false;
  std::vector<ResolvedDirection> directions;
};

/// Throws std::invalid_argument for DynamicQuantizeLSTM and for activations that cannot be resolved.
ResolvedNode resolve(const Problem& problem);

/// Returns values of [outer][middle][inner] as [middle][outer][inner].
std::vector<double> with_axes_swapped(const std::vector<double>& values, std::size_t outer, std::size_t middle,
                                      std::size_t inner);

}  // namespace cellproof::fuzz
