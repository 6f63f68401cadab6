#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> zero_bias(const Problem& problem) {
  const Node left_with(problem);
  Node left = left_with;
  left.set(input::B, left.tensor({left.sizes().D, 2 * left.gates() * left.sizes().H}));
  Node right = left_with;
  right.remove(input::B);
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
