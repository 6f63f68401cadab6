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

std::vector<Tensor> bind_tensors(const Problem& problem, Outputs& outputs, const BindTensor& bind_input,
                                 const BindTensor& bind_output) {
  const auto names = input_names(problem.version.op), names_of_outputs = output_names(problem.version.op);
  std::vector<Tensor> inputs;
  inputs.reserve(problem.inputs.size());
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
    const Input& input = problem.inputs[i];
    if (input.presence == Presence::Given && input.source == Source::GraphInput)
      bind_input(names[i].data(), inputs.emplace_back(*input.tensor));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i]) bind_output(names_of_outputs[i].data(), *outputs[i]);
  return inputs;
}

}  // namespace cellproof::lab::bench
