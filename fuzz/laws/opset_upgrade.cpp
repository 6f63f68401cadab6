#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> opset_upgrade(const Problem& problem) {
  const int version = problem.version.since_version;
  if (version != 7 && version != 14) return std::nullopt;
  const Node left(problem);
  Node right(problem);
  right.problem().version.since_version = 22;
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
