#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

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

}  // namespace cellproof::fuzz::law
