#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {
namespace {

/// B is given. Of a GRU with linear_before_reset the candidate gate keeps its halves: there one of them is multiplied.
std::optional<Experiment> bias_halves_exchanged(const Problem& problem) {
  const Node left(problem);
  if (!left.has(input::B)) return std::nullopt;
  Node right(problem);
  const std::int64_t half = left.gates() * left.sizes().H;
  const bool keeps_last = problem.attributes.linear_before_reset.value_or(0) != 0;
  const std::int64_t exchanged = keeps_last ? half - left.sizes().H : half;
  for (std::int64_t d = 0; d < left.sizes().D; ++d) {
    for (std::int64_t k = 0; k < exchanged; ++k) {
      const auto w = static_cast<std::size_t>(d * 2 * half + k);
      const std::size_t r = w + static_cast<std::size_t>(half);
      copy_element(left.input(input::B), w, right.mutable_input(input::B), r);
      copy_element(left.input(input::B), r, right.mutable_input(input::B), w);
    }
  }
  return compare(left, right);
}

/// B is given; its second half is made like the first, so that the sum is exact in every type. Not of a GRU with
/// linear_before_reset.
std::optional<Experiment> bias_halves_merged(const Problem& problem) {
  Node left(problem);
  if (!left.has(input::B) || problem.attributes.linear_before_reset.value_or(0) != 0) return std::nullopt;
  Node right(problem);
  const std::int64_t half = left.gates() * left.sizes().H;
  for (std::int64_t d = 0; d < left.sizes().D; ++d) {
    for (std::int64_t k = 0; k < half; ++k) {
      const auto w = static_cast<std::size_t>(d * 2 * half + k);
      const std::size_t r = w + static_cast<std::size_t>(half);
      const double value = problem.input(input::B)->value(w);
      left.mutable_input(input::B).set_value(r, value);
      right.mutable_input(input::B).set_value(w, 2 * value);
      right.mutable_input(input::B).set_value(r, 0);
    }
  }
  return compare(left, right);
}

/// Block `to` of a tensor of so many blocks in each half of each direction becomes the negated block `from`.
void oppose(Tensor& tensor, std::int64_t halves, std::int64_t blocks, std::int64_t from, std::int64_t to) {
  const auto block = static_cast<std::int64_t>(tensor.size()) / (halves * blocks);
  for (std::int64_t half = 0; half < halves; ++half) {
    for (std::int64_t k = 0; k < block; ++k) {
      const auto at = [&](std::int64_t gate) { return static_cast<std::size_t>((half * blocks + gate) * block + k); };
      tensor.set_value(at(to), -tensor.value(at(from)));
    }
  }
}

/// The node not coupled, with the opposite of gate `from` for gate `to`.
Node opposed(const Node& coupled, std::int64_t from, std::int64_t to) {
  Node node = coupled;
  node.problem().attributes.input_forget.reset();
  const std::int64_t D = node.sizes().D;
  oppose(node.mutable_input(input::W), D, 4, from, to);
  oppose(node.mutable_input(input::R), D, 4, from, to);
  if (node.has(input::B)) oppose(node.mutable_input(input::B), 2 * D, 4, from, to);
  if (node.has(input::P)) oppose(node.mutable_input(input::P), D, 3, from, to);
  return node;
}

/// LSTM whose function f is Sigmoid everywhere, coupled, whatever the weights are: sigmoid(-x) = 1 - sigmoid(x), so it
/// computes what a node that is not coupled computes where the weights, biases and peepholes of one of the two gates
/// are the opposite of the other's. Which gate is computed is a matter of reading: either will do, in all elements. A
/// clip bounds both sides alike.
std::optional<Experiment> coupled_gates_opposed(const Problem& problem) {
  Node coupled(problem);
  if (coupled.op() != Operator::LSTM) return std::nullopt;
  if (const auto& names = coupled.problem().attributes.activations) {
    for (std::size_t k = 0; k < names->size(); k += 3) {
      if ((*names)[k] != "Sigmoid") return std::nullopt;
    }
  }
  coupled.problem().attributes.input_forget = 1;
  Experiment experiment = compare(coupled, opposed(coupled, gate_i, gate_f));
  Experiment other = compare(coupled, opposed(coupled, gate_f, gate_i));
  experiment.problems.push_back(std::move(other.problems.back()));
  experiment.otherwise = std::move(other.equations);
  for (Equation& equation : experiment.otherwise) equation.right.run = 2;
  return experiment;
}

/// GRU from opset 3 on; the rows of R and the recurrent biases of the candidate gate are set to zero.
std::optional<Experiment> linear_before_reset_without_recurrence(const Problem& problem) {
  if (problem.version.op != Operator::GRU || problem.version.since_version < 3) return std::nullopt;
  Node left(problem);
  const std::int64_t H = left.sizes().H;
  for (std::int64_t d = 0; d < left.sizes().D; ++d) {
    for (std::int64_t k = 0; k < H * H; ++k)
      left.mutable_input(input::R).set_value(static_cast<std::size_t>((d * 3 + 2) * H * H + k), 0);
    for (std::int64_t k = 0; left.has(input::B) && k < H; ++k)
      left.mutable_input(input::B).set_value(static_cast<std::size_t>((d * 6 + 5) * H + k), 0);
  }
  left.problem().attributes.linear_before_reset = 0;
  Node right = left;
  right.problem().attributes.linear_before_reset = 1;
  return compare(left, right);
}

}  // namespace

std::span<const Law> gates_laws() {
  static const std::vector<Law> list = {
      {"bias-halves-exchanged", "the two halves of B are added, in either order", bias_halves_exchanged},
      {"bias-halves-merged", "one half of B with twice the number is as good as two with the same", bias_halves_merged},
      {"coupled-gates-opposed",
       "coupled gates compute what gates do that are not coupled, where one has the opposite of the other's weights",
       coupled_gates_opposed,
       false,
       {},
       {"input.P=graph input.B=graph", "direction=bidirectional"}},
      {"linear-before-reset-without-recurrence",
       "linear_before_reset does not matter where the candidate has no recurrence",
       linear_before_reset_without_recurrence},
  };
  return list;
}

}  // namespace cellproof::fuzz
