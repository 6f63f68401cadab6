#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> zero_peepholes(const Problem& problem) {
  const Node left_with(problem);
  Node left = left_with;
  if (!has_cell_state(left.op())) return std::nullopt;
  left.set(input::P, left.tensor({left.sizes().D, 3 * left.sizes().H}));
  Node right = left_with;
  right.remove(input::P);
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
