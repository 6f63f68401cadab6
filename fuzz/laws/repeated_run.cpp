#include <optional>

#include "fuzz/laws/all_elements.hpp"
#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> repeated_run(const Problem& problem) {
  Experiment experiment;
  experiment.problems = {problem, problem};
  experiment.same_bits = true;
  add_all_elements(problem, 0, 1, experiment);
  return experiment;
}

}  // namespace cellproof::fuzz::law
