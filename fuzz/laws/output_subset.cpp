#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> output_subset(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;
  Node left(problem);
  const std::size_t count = output_names(left.op()).size();
  left.problem().outputs.assign(count, Presence::Given);
  Node right = left;
  for (std::size_t k = 0; k + 1 < count; ++k) right.problem().outputs[k] = Presence::Empty;
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
