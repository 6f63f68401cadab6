#include "fuzz/laws/all_elements.hpp"

namespace cellproof::fuzz {

void add_all_elements(const Problem& problem, std::size_t left_run, std::size_t right_run, Experiment& experiment) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  for (std::size_t output = 0; output < problem.outputs.size(); ++output) {
    if (!problem.asks_for(output)) continue;
    const std::int64_t count = (output == output::Y ? T : 1) * N * D * H;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      experiment.equations.push_back({{left_run, output, k}, {right_run, output, k}, 1});
  }
}

}  // namespace cellproof::fuzz
