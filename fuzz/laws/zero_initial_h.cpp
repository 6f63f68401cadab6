#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> zero_initial_h(const Problem& problem) {
  const Node left_with(problem);
  Node left = left_with;
  left.set(input::initial_h, left.tensor(left.state_shape(left.sizes().N)));
  Node right = left_with;
  right.remove(input::initial_h);
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
