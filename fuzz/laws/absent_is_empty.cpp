#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> absent_is_empty(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;
  const Node left(problem);
  Experiment experiment = compare(left, left);
  Problem& longer = experiment.problems[1];
  const std::size_t before = longer.inputs.size();
  longer.inputs.resize(input_names(left.op()).size(), {Presence::Empty, Source::GraphInput, std::nullopt});
  return longer.inputs.size() > before ? std::optional(experiment) : std::nullopt;
}

}  // namespace cellproof::fuzz::law
