#include <limits>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> clip_beyond_everything(const Problem& problem) {
  if (problem.attributes.clip || has_cell_state(problem.version.op)) return std::nullopt;
  const Node left(problem);
  Node right(problem);
  right.problem().attributes.clip = std::numeric_limits<float>::max();
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
