#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> zero_initial_c(const Problem& problem) {
  const Node left_with(problem);
  Node left = left_with;
  if (!has_cell_state(left.op())) return std::nullopt;
  left.set(input::initial_c, left.tensor(left.state_shape(left.sizes().N)));
  Node right = left_with;
  right.remove(input::initial_c);
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
