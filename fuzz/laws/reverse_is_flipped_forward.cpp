#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> reverse_is_flipped_forward(const Problem& problem) {
  const Node left(problem);
  if (left.direction() != Direction::Reverse) return std::nullopt;
  Node right(problem);
  right.problem().attributes.direction.reset();
  const std::vector<std::int64_t> lengths = left.lengths();
  for (std::int64_t n = 0; n < left.sizes().N; ++n) {
    const std::int64_t length = lengths[static_cast<std::size_t>(n)];
    for (std::int64_t t = 0; t < length; ++t) {
      for (std::int64_t i = 0; i < left.sizes().I; ++i)
        copy_element(left.input(input::X), left.x_at(t, n, i), right.mutable_input(input::X),
                     left.x_at(length - 1 - t, n, i));
    }
  }
  return compare(left, right, [lengths](At at) {
    at.t = lengths[static_cast<std::size_t>(at.n)] - 1 - at.t;
    return std::optional(at);
  });
}

}  // namespace cellproof::fuzz::law
