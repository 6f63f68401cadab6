#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {
namespace {

/// Blocks of H rows in W, R and B: i, o, f, c; in P: i, o, f.
constexpr std::int64_t gate_i = 0, gate_f = 2;

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

}  // namespace

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

}  // namespace cellproof::fuzz::law
