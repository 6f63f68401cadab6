#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

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

}  // namespace cellproof::fuzz::law
