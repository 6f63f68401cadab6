#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

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

}  // namespace cellproof::fuzz::law
