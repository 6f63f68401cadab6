#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/one_direction.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> forward_half(const Problem& problem) {
  const Node left(problem);
  if (left.direction() != Direction::Bidirectional) return std::nullopt;
  return compare(left, one_direction(left, 0), [](At at) {
    const bool is_it = at.d == 0;
    at.d = 0;
    return is_it ? std::optional(at) : std::nullopt;
  });
}

}  // namespace cellproof::fuzz::law
