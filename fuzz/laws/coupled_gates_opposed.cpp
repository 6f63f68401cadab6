#include <algorithm>
#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {
namespace {

/// Blocks of H rows in W, R and B: i, o, f, c; in P: i, o, f.
constexpr std::int64_t gate_i = 0, gate_f = 2;

/// Block `gate_f` of a tensor of so many blocks in each half of each direction becomes the negated block `gate_i`.
void oppose(Tensor& tensor, std::int64_t halves, std::int64_t blocks) {
  const auto block = static_cast<std::int64_t>(tensor.size()) / (halves * blocks);
  for (std::int64_t half = 0; half < halves; ++half) {
    for (std::int64_t k = 0; k < block; ++k) {
      const auto at = [&](std::int64_t gate) { return static_cast<std::size_t>((half * blocks + gate) * block + k); };
      tensor.set_value(at(gate_f), -tensor.value(at(gate_i)));
    }
  }
}

}  // namespace

std::optional<Experiment> coupled_gates_opposed(const Problem& problem) {
  Node left(problem);
  if (left.op() != Operator::LSTM || left.problem().attributes.clip) return std::nullopt;
  if (const auto& names = left.problem().attributes.activations) {
    for (std::size_t k = 0; k < names->size(); k += 3) {
      if ((*names)[k] != "Sigmoid") return std::nullopt;
    }
  }
  const std::int64_t D = left.sizes().D;
  oppose(left.mutable_input(input::W), D, 4);
  oppose(left.mutable_input(input::R), D, 4);
  if (left.has(input::B)) oppose(left.mutable_input(input::B), 2 * D, 4);
  if (left.has(input::P)) oppose(left.mutable_input(input::P), D, 3);
  left.problem().attributes.input_forget.reset();
  Node right = left;
  right.problem().attributes.input_forget = 1;
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
