#include "lab/bench/subjects/bind_tensors.hpp"

namespace cellproof::lab::bench {

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
