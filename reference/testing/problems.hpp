#pragma once

#include <utility>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::reference::testing {

/// A float tensor; the values are written as the tests show them.
inline Tensor floats(Shape shape, const std::vector<double>& values) {
  return Tensor::from_values(ElementType::Float, std::move(shape), values);
}

inline Tensor integers(ElementType type, Shape shape, const std::vector<double>& values) {
  return Tensor::from_values(type, std::move(shape), values);
}

/// A problem with the given tensors by input position and all outputs asked for.
inline Problem problem_of(OperatorVersion version, Attributes attributes,
                          std::vector<std::pair<std::size_t, Tensor>> tensors) {
  Problem problem{.version = version, .attributes = std::move(attributes), .inputs = {}, .outputs = {}};
  const Input empty{.presence = Presence::Empty, .source = Source::GraphInput, .tensor = {}};
  for (auto& [position, tensor] : tensors) {
    if (problem.inputs.size() <= position) problem.inputs.resize(position + 1, empty);
    problem.inputs[position] = {.presence = Presence::Given, .source = Source::GraphInput, .tensor = std::move(tensor)};
  }
  problem.outputs.assign(output_names(version.op).size(), Presence::Given);
  return problem;
}

}  // namespace cellproof::reference::testing
