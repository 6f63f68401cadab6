#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <stdexcept>

#include "corpus/computed_weights.hpp"
#include "corpus/declared_dims.hpp"
#include "corpus/model.hpp"
#include "corpus/nesting.hpp"
#include "corpus/node_attributes.hpp"
#include "corpus/parse.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

/// Every runtime that was tried accepts 8 with every opset from 1 to 26; 4 would be the least that has initializers
/// which are no graph inputs, and bfloat16.
constexpr int ir_version = 8;
/// Runtimes expect ai.onnx to be imported even where no node is of it; this one is old enough for all that know
/// DynamicQuantizeLSTM.
constexpr int companion_opset = 13;

std::string formal_name(std::span<const std::string_view> names, std::size_t position, std::string_view kind) {
  if (position < names.size()) return std::string(names[position]);
  return fmt::format("{}_{}", kind, position);
}

void declare(onnx::ValueInfoProto& info, const Problem& problem, const DeclaredPlace& place, ElementType type,
             const Shape& shape) {
  info.set_name(place.name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx_data_type(type));
  if (place.is_output && problem.presentation.dims == Dims::Unranked) return;
  const std::vector<std::string> symbols = symbols_of(problem, place, shape.size());
  auto& dims = *tensor.mutable_shape();
  for (std::size_t k = 0; k < shape.size(); ++k) {
    auto& proto = *dims.add_dim();
    if (!symbols[k].empty())
      proto.set_dim_param(symbols[k]);
    else if (shape[k] >= 0)
      proto.set_dim_value(shape[k]);
  }
}

constexpr std::int64_t unknown_size = -1;

Dimensions dimensions_or_unknown(const Problem& problem) {
  try {
    return dimensions_of(problem);
  } catch (const std::invalid_argument&) {  // only for problems that are invalid in themselves
    return {unknown_size, unknown_size, unknown_size, unknown_size, unknown_size};
  }
}

Shape output_shape(const Problem& problem, const Dimensions& d, std::size_t position) {
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  if (position == output::Y) return batch_first ? Shape{d.N, d.T, d.D, d.H} : Shape{d.T, d.D, d.N, d.H};
  return batch_first ? Shape{d.N, d.D, d.H} : Shape{d.D, d.N, d.H};
}

/// Length of a list of which the trailing absent ones are not written.
template <typename List, typename IsAbsent>
std::size_t written_length(const List& list, IsAbsent is_absent) {
  std::size_t length = list.size();
  while (length > 0 && is_absent(list[length - 1])) --length;
  return length;
}

void write_constant(const Tensor& tensor, const std::string& name, onnx::NodeProto& node) {
  node.set_op_type("Constant");
  node.add_output(name);
  auto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  write_tensor(tensor, "", *value.mutable_t());
}

/// Is the input a weight that other nodes make?
bool is_computed(const Problem& problem, std::size_t position) {
  const bool is_weight = position == input::W || position == input::R || position == input::B || position == input::P;
  return problem.presentation.weights == Weights::Computed && is_weight &&
         can_be_computed(*problem.inputs[position].tensor);
}

/// `opset`: of ai.onnx.
void write_inputs(const Problem& problem, int opset, onnx::NodeProto& node, onnx::GraphProto& graph) {
  const auto names = input_names(problem.version.op);
  const auto length = written_length(problem.inputs, [](const Input& i) { return i.presence == Presence::Absent; });
  for (std::size_t i = 0; i < length; ++i) {
    const Input& input = problem.inputs[i];
    if (input.presence != Presence::Given) {
      node.add_input("");
      continue;
    }
    const std::string name = formal_name(names, i, "input");
    if (!input.tensor) throw std::invalid_argument(fmt::format("input {} is given, but has no tensor", name));
    if (i == input::initial_c && shares_states(problem)) {
      node.add_input(formal_name(names, input::initial_h, "input"));
      continue;
    }
    node.add_input(name);
    switch (input.source) {
      case Source::Initializer:
        if (is_computed(problem, i))
          write_computed(*input.tensor, name, opset, graph);
        else
          write_tensor(*input.tensor, name, *graph.add_initializer());
        break;
      case Source::ConstantNode:
        write_constant(*input.tensor, name, *graph.add_node());
        break;
      case Source::GraphInput:
        declare(*graph.add_input(), problem, {false, i, name}, input.tensor->type(), input.tensor->shape());
        break;
    }
  }
}

/// Returns the shapes of the graph's outputs; sizes that cannot be told are 1.
std::vector<Shape> write_outputs(const Problem& problem, onnx::NodeProto& node, onnx::GraphProto& graph) {
  std::vector<Shape> shapes;
  const auto names = output_names(problem.version.op);
  const auto dimensions = dimensions_or_unknown(problem);
  const Tensor* x = problem.input(input::X);
  const ElementType type = x != nullptr ? x->type() : ElementType::Float;
  const auto length = written_length(problem.outputs, [](Presence p) { return p == Presence::Absent; });
  for (std::size_t i = 0; i < length; ++i) {
    if (problem.outputs[i] != Presence::Given) {
      node.add_output("");
      continue;
    }
    const std::string name = formal_name(names, i, "output");
    node.add_output(name);
    Shape shape = output_shape(problem, dimensions, i);
    declare(*graph.add_output(), problem, {true, i, name}, type, shape);
    std::ranges::replace(shape, unknown_size, 1);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

void import_opset(onnx::ModelProto& model, std::string_view domain, int version) {
  auto& import = *model.add_opset_import();
  import.set_domain(domain.data(), domain.size());
  import.set_version(version);
}

}  // namespace

int lowest_opset(OperatorVersion version) {
  return version.since_version;
}

std::string to_model(const Problem& problem) {
  const auto [op, since_version] = problem.version;
  onnx::ModelProto model;
  model.set_ir_version(ir_version);
  model.set_producer_name("cellproof");
  import_opset(model, domain(op), lowest_opset(problem.version));
  if (!domain(op).empty()) import_opset(model, "", companion_opset);

  auto& graph = *model.mutable_graph();
  graph.set_name(to_string(problem.version));
  onnx::NodeProto node;
  node.set_name(std::string(name(op)));
  node.set_op_type(std::string(name(op)));
  node.set_domain(std::string(domain(op)));
  write_inputs(problem, domain(op).empty() ? lowest_opset(problem.version) : companion_opset, node, graph);
  const std::vector<Shape> shapes = write_outputs(problem, node, graph);
  write_attributes(problem.attributes, node);
  *graph.add_node() = std::move(node);  // behind the Constant nodes: a graph's nodes stand in the order of their use
  nest_node(model, problem.presentation.nesting, shapes);
  return serialize(model);
}

}  // namespace cellproof::corpus
