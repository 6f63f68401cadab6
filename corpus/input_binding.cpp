#include "corpus/input_binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>

#include "corpus/message.hpp"
#include "corpus/tensor_proto.hpp"

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

DeclaredInput declared_input(const onnx::ValueInfoProto& info, const std::string& where) {
  const std::string here = fmt::format("graph input {}", in_quotes(info.name()));
  if (!info.type().has_tensor_type()) refuse(where, here + " is no tensor", "a tensor");
  const auto& proto = info.type().tensor_type();
  const auto type = element_type_of(proto.elem_type());
  if (!type) {
    refuse(where, fmt::format("{} of element type {}", here, data_type_name(proto.elem_type())),
           "FLOAT16, BFLOAT16, FLOAT, DOUBLE, INT8, UINT8, INT32 or INT64");
  }
  DeclaredInput result{*type, std::nullopt};
  if (!proto.has_shape()) return result;
  result.shape.emplace();
  for (const auto& dim : proto.shape().dim()) {
    result.shape->push_back(dim.has_dim_value() ? std::optional(dim.dim_value()) : std::nullopt);
  }
  return result;
}

void refuse_unlike(const DeclaredInput& declared, const std::string& name, const Tensor& tensor,
                   const std::string& where) {
  if (tensor.type() == declared.type && fits(tensor.shape(), declared.shape)) return;
  refuse(where, fmt::format("input {} is {} {}", in_quotes(name), onnx_name(tensor.type()), to_string(tensor.shape())),
         describe(declared) + " as the graph declares");
}

Problem bind_inputs(const ModelNode& model, std::vector<Tensor> tensors, const std::string& where) {
  if (tensors.size() != model.graph_inputs.size()) {
    refuse(where, fmt::format("{} input tensors", tensors.size()), fmt::format("{}", model.graph_inputs.size()));
  }
  Problem problem = model.problem;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    refuse_unlike(model.declared_inputs.at(i), model.graph_inputs[i], tensors[i], where);
    problem.inputs.at(model.input_positions.at(i)).tensor = std::move(tensors[i]);
  }
  for (const auto& [position, first] : model.tied_positions)
    problem.inputs.at(position).tensor = problem.inputs.at(first).tensor;
  return problem;
}

}  // namespace cellproof::corpus
