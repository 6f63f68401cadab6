#include "lab/bench/subjects/output_tensors.hpp"

#include <array>

namespace cellproof::lab::bench {

Outputs output_tensors(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  const Shape state = batch_first ? Shape{N, D, H} : Shape{D, N, H};
  const std::array shapes{batch_first ? Shape{N, T, D, H} : Shape{T, D, N, H}, state, state};
  Outputs outputs(problem.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (problem.asks_for(i)) outputs[i].emplace(problem.input(input::X)->type(), shapes.at(i));
  return outputs;
}

}  // namespace cellproof::lab::bench
