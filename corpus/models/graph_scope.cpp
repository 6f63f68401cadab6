#include "corpus/models/graph_scope.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "corpus/constant_node.hpp"
#include "corpus/message.hpp"
#include "corpus/model.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

/// Operators that only present their first input in another form.
constexpr std::array<std::string_view, 10> presenting{"Unsqueeze",        "Squeeze", "Transpose", "Reshape",
                                                      "Identity",         "Slice",   "Concat",    "Cast",
                                                      "DequantizeLinear", "Expand"};
/// Operators whose first output has another type than their first input.
constexpr std::array<std::string_view, 11> of_another_type{
    "Shape", "Size",   "ConstantOfShape", "Equal",          "Greater", "Less",
    "Where", "ArgMax", "NonZero",         "QuantizeLinear", "If"};
constexpr int most_steps_back = 32;

bool is_among(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string described(const onnx::NodeProto& node) {
  return node.name().empty() ? escaped(node.op_type())
                             : fmt::format("{} {}", escaped(node.op_type()), escaped(node.name()));
}

void note_used(const onnx::GraphProto& graph, std::set<std::string>& used) {
  for (const auto& info : graph.output()) used.insert(info.name());
  for (const auto& node : graph.node()) {
    used.insert(node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) note_used(attribute.g(), used);
  }
}

}  // namespace

GraphScope::GraphScope(const onnx::GraphProto& graph, const GraphScope* outer, std::list<onnx::TensorProto>& constants)
    : outer_(outer) {
  note_used(graph, used_);
  for (const auto& tensor : graph.initializer()) constants_[tensor.name()] = &tensor;
  for (const auto& info : graph.input()) {
    inputs_.insert(info.name());
    infos_[info.name()] = &info;
  }
  for (const auto& info : graph.value_info()) infos_[info.name()] = &info;
  for (const auto& info : graph.output()) infos_[info.name()] = &info;
  for (const auto& node : graph.node()) {
    for (const auto& name : node.output())
      if (!name.empty()) producers_[name] = &node;
    if (node.op_type() != "Constant" || node.output_size() != 1) continue;
    try {
      constants.push_back(constant_value(node, ""));
      constants_[node.output(0)] = &constants.back();
      of_constant_nodes_.insert(node.output(0));
    } catch (const CorpusError&) {  // text, or sparse: no input of a recurrent node
    }
  }
}

const onnx::TensorProto* GraphScope::constant(const std::string& name) const {
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (const auto found = scope->constants_.find(name); found != scope->constants_.end()) return found->second;
    if (scope->producers_.contains(name) || scope->inputs_.contains(name)) return nullptr;
  }
  return nullptr;
}

bool GraphScope::is_of_constant_node(const std::string& name) const {
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->outer_)
    if (scope->of_constant_nodes_.contains(name)) return true;
  return false;
}

const onnx::NodeProto* GraphScope::producer(const std::string& name) const {
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->outer_)
    if (const auto found = scope->producers_.find(name); found != scope->producers_.end()) return found->second;
  return nullptr;
}

std::string GraphScope::origin_of(const std::string& name) const {
  if (constant(name) != nullptr) return is_of_constant_node(name) ? "Constant" : "initializer";
  if (const auto* node = producer(name)) {
    std::string_view by = node->op_type();
    for (int step = 0; step < most_steps_back && is_among(presenting, node->op_type()) && node->input_size() > 0;
         ++step) {
      const std::string& source = node->input(0);
      if (constant(source) != nullptr)
        return fmt::format("{} of {}", escaped(by), is_of_constant_node(source) ? "a Constant" : "an initializer");
      const auto* before = producer(source);
      if (before == nullptr) break;
      node = before;
    }
    return described(*producer(name));
  }
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->outer_)
    if (scope->inputs_.contains(name))
      return scope->outer_ == nullptr ? fmt::format("graph input {}", escaped(name)) : "carried by a loop";
  return "not defined";
}

std::optional<ElementType> GraphScope::type_of(const std::string& name, int depth) const {
  if (depth > most_steps_back) return std::nullopt;
  if (const auto* tensor = constant(name)) return element_type_of(tensor->data_type());
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->infos_.find(name);
    if (found != scope->infos_.end() && found->second->type().tensor_type().elem_type() != 0)
      return element_type_of(found->second->type().tensor_type().elem_type());
  }
  const auto* node = producer(name);
  if (node == nullptr) return std::nullopt;
  if (node->op_type() == "Cast") {
    for (const auto& attribute : node->attribute())
      if (attribute.name() == "to") return element_type_of(static_cast<int>(attribute.i()));
  }
  if (node->op_type() == "DequantizeLinear" && node->input_size() > 1) return type_of(node->input(1), depth + 1);
  if (is_among(of_another_type, node->op_type()) || node->input_size() == 0 || node->output(0) != name)
    return std::nullopt;
  return type_of(node->input(0), depth + 1);
}

}  // namespace cellproof::corpus
