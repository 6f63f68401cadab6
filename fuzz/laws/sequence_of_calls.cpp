#include <optional>
#include <utility>

#include "fuzz/laws/all_elements.hpp"
#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> sequence_of_calls(const Problem& problem) {
  Problem other = problem;
  Tensor& x = *other.inputs[input::X].tensor;
  for (std::size_t k = 0; k < x.size(); ++k) x.set_value(k, k % 2 == 0 ? 1 : -2);
  Experiment experiment;
  experiment.problems = {problem, std::move(other), problem};
  experiment.same_bits = true;
  add_all_elements(problem, 0, 2, experiment);
  return experiment;
}

}  // namespace cellproof::fuzz::law
