#include "fuzz/laws/scaled.hpp"

#include <algorithm>
#include <cmath>

namespace cellproof::fuzz {

bool is_rnn_of(const Problem& problem, std::initializer_list<std::string_view> functions) {
  if (problem.version.op != Operator::RNN) return false;
  const auto is_one = [&](std::string_view name) { return std::ranges::find(functions, name) != functions.end(); };
  const auto& written = problem.attributes.activations;
  return written ? std::ranges::all_of(*written, is_one) : is_one("Tanh");
}

bool is_within(double value, double smallest) {
  const double magnitude = std::abs(value);
  return magnitude == 0 || (magnitude >= smallest && magnitude <= 1 / smallest);
}

bool is_within(const Tensor& tensor, double smallest) {
  for (std::size_t k = 0; k < tensor.size(); ++k) {
    if (!is_within(tensor.value(k), smallest)) return false;
  }
  return true;
}

Node scaled(const Node& node, double factor) {
  Node result = node;
  for (const std::size_t position : {input::X, input::B, input::initial_h}) {
    if (!node.has(position)) continue;
    Tensor& tensor = result.mutable_input(position);
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, factor * tensor.value(k));
  }
  return result;
}

}  // namespace cellproof::fuzz
