#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> padding_contents(const Problem& problem) {
  const Node left(problem);
  Node right(problem);
  const std::vector<std::int64_t> lengths = left.lengths();
  bool changed = false;
  for (std::int64_t n = 0; n < left.sizes().N; ++n) {
    for (std::int64_t t = lengths[static_cast<std::size_t>(n)]; t < left.sizes().T; ++t) {
      for (std::int64_t i = 0; i < left.sizes().I; ++i) right.mutable_input(input::X).set_value(left.x_at(t, n, i), 3);
      changed = true;
    }
  }
  if (!changed) return std::nullopt;
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
