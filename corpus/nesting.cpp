#include "corpus/nesting.hpp"

#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "corpus/recurrent_operator.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

/// Beginning of the name of everything that is added.
constexpr std::string_view mark = "nesting_";
constexpr std::string_view function_domain = "cellproof.nesting";

bool is_added(std::string_view name) {
  return name.starts_with(mark);
}
std::string added(std::string_view name) {
  return std::string(mark) + std::string(name);
}

std::int64_t opset_of(const onnx::ModelProto& model) {
  for (const auto& import : model.opset_import())
    if (import.domain().empty()) return import.version();
  return 1;
}

onnx::NodeProto& add_node(onnx::GraphProto& graph, const char* op_type, const std::string& output,
                          std::initializer_list<std::string> inputs) {
  auto& node = *graph.add_node();
  node.set_name(output);
  node.set_op_type(op_type);
  for (const auto& name : inputs) node.add_input(name);
  node.add_output(output);
  return node;
}

onnx::AttributeProto& add_attribute(onnx::NodeProto& node, const char* name, onnx::AttributeProto::AttributeType type) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

onnx::GraphProto& add_graph(onnx::NodeProto& node, const char* name) {
  auto& graph = *add_attribute(node, name, onnx::AttributeProto::GRAPH).mutable_g();
  graph.set_name(added(name));
  return graph;
}

std::string add_number(onnx::GraphProto& graph, const char* name, onnx::TensorProto::DataType type,
                       std::int64_t value) {
  auto& tensor = *graph.add_initializer();
  tensor.set_name(added(name));
  tensor.set_data_type(type);
  if (type == onnx::TensorProto::INT64)
    tensor.add_int64_data(value);
  else
    tensor.add_int32_data(static_cast<std::int32_t>(value));
  return tensor.name();
}

/// True, computed of the last size of X; a constant where X is not there or has no such size.
std::string add_condition(onnx::GraphProto& graph, const std::string& x, std::int64_t rank, std::int64_t opset) {
  if (rank == 0) return add_number(graph, "true", onnx::TensorProto::BOOL, 1);
  constexpr std::int64_t first_cast_to_number = 6;
  const std::string last = add_number(graph, "last", onnx::TensorProto::INT64, rank - 1);
  add_node(graph, "Shape", added("shape"), {x});
  add_node(graph, "Gather", added("size"), {added("shape"), last});
  auto& cast = add_node(graph, "Cast", added("condition"), {added("size")});
  if (opset < first_cast_to_number)
    add_attribute(cast, "to", onnx::AttributeProto::STRING).set_s("BOOL");
  else
    add_attribute(cast, "to", onnx::AttributeProto::INT).set_i(onnx::TensorProto::BOOL);
  return cast.output(0);
}

using Infos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

/// Puts the node into an inner graph, which gives the node's outputs under names that begin with `prefix`.
void put_into(onnx::GraphProto& inner, const onnx::NodeProto& node, const Infos& outputs, const std::string& prefix) {
  auto& moved = *inner.add_node();
  moved = node;
  for (auto& name : *moved.mutable_output())
    if (!name.empty()) name.insert(0, prefix);
  for (const auto& info : outputs) {
    auto& own = *inner.add_output();
    own = info;
    own.set_name(prefix + info.name());
  }
}

/// Declarations of the graph's outputs, and the shapes that these have in truth.
struct Results {
  const Infos& infos;
  const std::vector<Shape>& shapes;
};

/// The branch that is not taken. Its shapes are the right ones: before opset 11 both branches must have the same.
void fill_other_branch(onnx::GraphProto& branch, const Results& results, const std::string& prefix) {
  for (int k = 0; k < results.infos.size(); ++k) {
    const auto& info = results.infos.Get(k);
    const std::string name = prefix + "other_" + info.name();
    auto& constant = add_node(branch, "Constant", name, {});
    const int data_type = info.type().tensor_type().elem_type();
    const Shape& shape = results.shapes.at(static_cast<std::size_t>(k));
    write_tensor(Tensor(element_type_of(data_type).value_or(ElementType::Float), shape), "",
                 *add_attribute(constant, "value", onnx::AttributeProto::TENSOR).mutable_t());
    auto& output = *branch.add_output();
    output.set_name(name);
    auto& type = *output.mutable_type()->mutable_tensor_type();
    type.set_elem_type(data_type);
    auto& sizes = *type.mutable_shape();
    for (const std::int64_t size : shape) sizes.add_dim()->set_dim_value(size);
  }
}

/// An If with the node in the branch that is taken; its outputs have the names that the node's had.
onnx::NodeProto in_if(const onnx::NodeProto& node, const Results& results, const std::string& condition,
                      const std::string& prefix) {
  onnx::NodeProto result;
  result.set_name(added("if"));
  result.set_op_type("If");
  result.add_input(condition);
  for (const auto& info : results.infos) result.add_output(info.name());
  put_into(add_graph(result, "then_branch"), node, results.infos, prefix);
  fill_other_branch(add_graph(result, "else_branch"), results, prefix);
  return result;
}

void declare_scalar(onnx::ValueInfoProto& info, const std::string& name, onnx::TensorProto::DataType type) {
  info.set_name(name);
  info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
  info.mutable_type()->mutable_tensor_type()->mutable_shape();
}

/// Adds a Loop of one trip. It carries a number, as before opset 11 a Loop must. It collects what each trip gives, so
/// that the outputs have a dimension to be taken away.
void add_loop(onnx::GraphProto& graph, const onnx::NodeProto& node, const Infos& outputs, std::int64_t opset) {
  const std::string trips = add_number(graph, "trips", onnx::TensorProto::INT64, 1);
  const std::string go_on = add_number(graph, "true", onnx::TensorProto::BOOL, 1);
  onnx::NodeProto loop;
  loop.set_name(added("loop"));
  loop.set_op_type("Loop");
  loop.add_input(trips);
  loop.add_input(go_on);
  loop.add_input(trips);
  auto& body = add_graph(loop, "body");
  declare_scalar(*body.add_input(), added("trip"), onnx::TensorProto::INT64);
  for (const auto& [name, type] : {std::pair("go", onnx::TensorProto::BOOL), {"carried", onnx::TensorProto::INT64}}) {
    const std::string in = added(name) + "_in", out = added(name) + "_out";
    declare_scalar(*body.add_input(), in, type);
    add_node(body, "Identity", out, {in});
    declare_scalar(*body.add_output(), out, type);
  }
  put_into(body, node, outputs, added(""));
  loop.add_output(added("carried"));
  for (const auto& info : outputs) loop.add_output(added("collected_" + info.name()));
  *graph.add_node() = std::move(loop);

  constexpr std::int64_t first_axes_as_input = 13;
  const bool as_input = opset >= first_axes_as_input;
  if (as_input) {
    add_number(graph, "axes", onnx::TensorProto::INT64, 0);
    graph.mutable_initializer(graph.initializer_size() - 1)->add_dims(1);
  }
  for (const auto& info : outputs) {
    auto& squeeze = add_node(graph, "Squeeze", info.name(), {added("collected_" + info.name())});
    squeeze.set_name(added("squeeze_" + info.name()));
    if (as_input)
      squeeze.add_input(added("axes"));
    else
      add_attribute(squeeze, "axes", onnx::AttributeProto::INTS).add_ints(0);
  }
}

/// Adds a function with the node for its body, and a call of it.
void add_call(onnx::ModelProto& model, const onnx::NodeProto& node) {
  auto& function = *model.add_functions();
  function.set_name("Recurrence");
  function.set_domain(std::string(function_domain));
  *function.mutable_opset_import() = model.opset_import();
  *function.add_node() = node;
  onnx::NodeProto call;
  call.set_name(added("call"));
  call.set_op_type(function.name());
  call.set_domain(function.domain());
  for (const auto& name : node.input()) {
    // A tensor that feeds the node twice is one parameter.
    if (name.empty() || std::ranges::find(function.input(), name) != function.input().end()) continue;
    function.add_input(name);
    call.add_input(name);
  }
  for (const auto& name : node.output()) {
    if (name.empty()) continue;
    function.add_output(name);
    call.add_output(name);
  }
  *model.mutable_graph()->add_node() = std::move(call);
  auto& import = *model.add_opset_import();
  import.set_domain(std::string(function_domain));
  import.set_version(1);
}

/// The last node that an inner graph of this name has.
const onnx::NodeProto* last_of(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name && attribute.g().node_size() > 0)
      return &attribute.g().node(attribute.g().node_size() - 1);
  return nullptr;
}

struct Found {
  Nesting nesting = Nesting::Flat;
  const onnx::NodeProto* node = nullptr;
};

Found within(const onnx::ModelProto& model, const onnx::NodeProto& outer) {
  if (outer.op_type() == "Loop") return {Nesting::Loop, last_of(outer, "body")};
  if (outer.op_type() == "If") {
    const auto* node = last_of(outer, "then_branch");
    const bool again = node != nullptr && node->op_type() == "If";
    return again ? Found{Nesting::NestedIf, last_of(*node, "then_branch")} : Found{Nesting::If, node};
  }
  if (outer.domain() == function_domain && model.functions_size() == 1 && model.functions(0).node_size() == 1)
    return {Nesting::Function, &model.functions(0).node(0)};
  return {};
}

Found find_nested(const onnx::ModelProto& model) {
  for (const auto& node : model.graph().node()) {
    if (!is_added(node.name())) continue;
    const Found found = within(model, node);
    if (found.node != nullptr && recurrent_operator(*found.node)) return found;
  }
  return {};
}

template <typename List>
void erase_added(List& list) {
  for (int k = list.size(); k-- > 0;)
    if (is_added(list.Get(k).name())) list.DeleteSubrange(k, 1);
}

}  // namespace

void nest_node(onnx::ModelProto& model, Nesting nesting, const std::vector<Shape>& shapes) {
  auto& graph = *model.mutable_graph();
  // Without outputs there is nothing that an If, a Loop or a call could give.
  if (nesting == Nesting::Flat || graph.output_size() == 0) return;
  const onnx::NodeProto node = graph.node(graph.node_size() - 1);
  graph.mutable_node()->RemoveLast();
  if (nesting == Nesting::Function) return add_call(model, node);
  if (nesting == Nesting::Loop) return add_loop(graph, node, graph.output(), opset_of(model));
  std::int64_t rank = 0;
  const std::string x = node.input_size() > 0 ? node.input(0) : "";
  for (const auto& info : graph.input())
    if (info.name() == x) rank = info.type().tensor_type().shape().dim_size();
  const std::string condition = add_condition(graph, x, rank, opset_of(model));
  const Results results{graph.output(), shapes};
  onnx::NodeProto inner = node;
  if (nesting == Nesting::NestedIf) inner = in_if(node, results, condition, added(mark));
  *graph.add_node() = in_if(inner, results, condition, added(""));
}

Nesting unnest_node(onnx::ModelProto& model) {
  const Found found = find_nested(model);
  if (found.nesting == Nesting::Flat) return Nesting::Flat;
  onnx::NodeProto node = *found.node;
  for (auto& name : *node.mutable_output())
    while (is_added(name)) name.erase(0, mark.size());
  auto& graph = *model.mutable_graph();
  erase_added(*graph.mutable_node());
  erase_added(*graph.mutable_initializer());
  *graph.add_node() = std::move(node);
  if (found.nesting == Nesting::Function) {
    model.clear_functions();
    auto& imports = *model.mutable_opset_import();
    for (int k = imports.size(); k-- > 0;)
      if (imports.Get(k).domain() == function_domain) imports.DeleteSubrange(k, 1);
  }
  return found.nesting;
}

}  // namespace cellproof::corpus
