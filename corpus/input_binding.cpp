#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "corpus/message.hpp"
#include "corpus/model.hpp"

namespace cellproof::corpus {
namespace {

bool fits(const Shape& shape, const std::optional<std::vector<std::optional<std::int64_t>>>& declared) {
  if (!declared) return true;
  return std::equal(
      shape.begin(), shape.end(), declared->begin(), declared->end(),
      [](std::int64_t dim, const std::optional<std::int64_t>& wanted) { return !wanted || *wanted == dim; });
}

std::string describe(const DeclaredInput& declared) {
  if (!declared.shape) return std::string(onnx_name(declared.type));
  std::vector<std::string> dims;
  for (const auto& dim : *declared.shape) dims.push_back(dim ? fmt::format("{}", *dim) : "?");
  return fmt::format("{} [{}]", onnx_name(declared.type), fmt::join(dims, ","));
}

}  // namespace

Problem bind_inputs(const ModelNode& model, std::vector<Tensor> tensors, const std::string& where) {
  if (tensors.size() != model.graph_inputs.size()) {
    refuse(where, fmt::format("{} input tensors", tensors.size()), fmt::format("{}", model.graph_inputs.size()));
  }
  Problem problem = model.problem;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& declared = model.declared_inputs.at(i);
    if (tensors[i].type() != declared.type || !fits(tensors[i].shape(), declared.shape)) {
      refuse(where,
             fmt::format("input {} is {} {}", in_quotes(model.graph_inputs[i]), onnx_name(tensors[i].type()),
                         to_string(tensors[i].shape())),
             describe(declared) + " as the graph declares");
    }
    problem.inputs.at(model.input_positions.at(i)).tensor = std::move(tensors[i]);
  }
  for (const auto& [position, first] : model.tied_positions)
    problem.inputs.at(position).tensor = problem.inputs.at(first).tensor;
  return problem;
}

}  // namespace cellproof::corpus
