#include "corpus/models/function_inliner.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <map>
#include <set>
#include <utility>

#include "corpus/message.hpp"
#include "corpus/recurrent_operator.hpp"

namespace cellproof::corpus {
namespace {

using Names = std::map<std::string, std::string>;
using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Functions call functions only so deep; beyond it one calls itself.
constexpr int deepest = 32;
/// Nodes that functions may stand for.
constexpr int most_nodes = 1 << 15;

std::string key_of(const std::string& domain, const std::string& name) {
  return (domain == "ai.onnx" ? "" : domain) + "::" + name;
}

class Inliner {
 public:
  Inliner(onnx::ModelProto& model, std::string where) : model_(model), where_(std::move(where)) {
    for (const auto& function : model.functions()) functions_[key_of(function.domain(), function.name())] = &function;
  }

  void run() {
    if (!functions_.empty()) expand(*model_.mutable_graph()->mutable_node(), 0);
  }

 private:
  const onnx::FunctionProto* called_by(const onnx::NodeProto& node) const {
    const auto found = functions_.find(key_of(node.domain(), node.op_type()));
    return found == functions_.end() ? nullptr : found->second;
  }

  /// The answer is known of each function that was asked before.
  bool function_holds_recurrent(const onnx::FunctionProto& function, int depth) {
    if (const auto known = holds_.find(&function); known != holds_.end()) return known->second;
    const bool holds = holds_recurrent(function.node(), depth);
    holds_[&function] = holds;
    return holds;
  }

  bool holds_recurrent(const NodeList& nodes, int depth) {
    if (depth > deepest) refuse(where_, "a function that calls itself", "functions without recursion");
    for (const auto& node : nodes) {
      if (recurrent_operator(node)) return true;
      for (const auto& attribute : node.attribute())
        if (attribute.has_g() && holds_recurrent(attribute.g().node(), depth + 1)) return true;
      const auto* function = called_by(node);
      if (function != nullptr && function_holds_recurrent(*function, depth + 1)) return true;
    }
    return false;
  }

  void expand(NodeList& nodes, int depth) {
    if (depth > deepest) refuse(where_, "a function that calls itself", "functions without recursion");
    NodeList expanded;
    for (auto& node : nodes) {
      for (auto& attribute : *node.mutable_attribute())
        if (attribute.has_g()) expand(*attribute.mutable_g()->mutable_node(), depth + 1);
      const auto* function = called_by(node);
      if (function == nullptr || !function_holds_recurrent(*function, 0)) {
        *expanded.Add() = std::move(node);
        continue;
      }
      NodeList body = body_for(node, *function);
      nodes_ += body.size();
      if (nodes_ > most_nodes)
        refuse(where_, "functions in functions that stand for too many nodes", fmt::format("at most {}", most_nodes));
      expand(body, depth + 1);
      for (auto& inner : body) *expanded.Add() = std::move(inner);
    }
    nodes = std::move(expanded);
  }

  NodeList body_for(const onnx::NodeProto& call, const onnx::FunctionProto& function) {
    check_imports(function);
    const std::string prefix = call.name().empty() ? fmt::format("{}#{}", call.op_type(), ++unnamed_) : call.name();
    Names names{{"", ""}};
    for (int k = 0; k < function.input_size(); ++k)
      names[function.input(k)] = k < call.input_size() ? call.input(k) : "";
    for (int k = 0; k < function.output_size(); ++k)
      if (k < call.output_size() && !call.output(k).empty()) names[function.output(k)] = call.output(k);
    std::map<std::string, const onnx::AttributeProto*> values;
    for (const auto& attribute : function.attribute_proto()) values[attribute.name()] = &attribute;
    for (const auto& attribute : call.attribute()) values[attribute.name()] = &attribute;
    NodeList body;
    for (const auto& node : function.node()) *body.Add() = renamed(node, prefix, names, values);
    return body;
  }

  void check_imports(const onnx::FunctionProto& function) {
    for (const auto& wanted : function.opset_import()) {
      bool imported = false;
      for (const auto& import : model_.opset_import()) {
        if (key_of(import.domain(), "") != key_of(wanted.domain(), "")) continue;
        imported = true;
        if (import.version() == wanted.version()) continue;
        refuse(where_,
               fmt::format("function {} imports opset {} of {}", in_quotes(function.name()), wanted.version(),
                           wanted.domain().empty() ? "ai.onnx" : escaped(wanted.domain())),
               fmt::format("opset {} as the model has", import.version()));
      }
      if (!imported) *model_.add_opset_import() = wanted;
    }
  }

  /// Renames what the body defines; what it gets from the call has its name there.
  static std::string renamed(const std::string& name, const std::string& prefix, Names& names) {
    const auto [found, is_new] = names.emplace(name, "");
    if (is_new) found->second = prefix + "/" + name;
    return found->second;
  }

  onnx::NodeProto renamed(const onnx::NodeProto& node, const std::string& prefix, Names& names,
                          const std::map<std::string, const onnx::AttributeProto*>& values) {
    onnx::NodeProto result = node;
    result.set_name(prefix + "/" +
                    (node.name().empty() ? fmt::format("{}#{}", node.op_type(), ++unnamed_) : node.name()));
    for (auto& name : *result.mutable_input()) name = renamed(name, prefix, names);
    for (auto& name : *result.mutable_output()) name = renamed(name, prefix, names);
    result.clear_attribute();
    for (const auto& attribute : node.attribute()) {
      if (attribute.ref_attr_name().empty()) {
        *result.add_attribute() = attribute;
      } else if (const auto found = values.find(attribute.ref_attr_name()); found != values.end()) {
        auto& value = *result.add_attribute();
        value = *found->second;
        value.set_name(attribute.name());
      }
    }
    for (auto& attribute : *result.mutable_attribute())
      if (attribute.has_g()) rename_graph(*attribute.mutable_g(), prefix, names, values);
    return result;
  }

  void rename_graph(onnx::GraphProto& graph, const std::string& prefix, Names& names,
                    const std::map<std::string, const onnx::AttributeProto*>& values) {
    for (auto& tensor : *graph.mutable_initializer()) tensor.set_name(renamed(tensor.name(), prefix, names));
    for (auto* infos : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()})
      for (auto& info : *infos) info.set_name(renamed(info.name(), prefix, names));
    for (auto& node : *graph.mutable_node()) node = renamed(onnx::NodeProto(node), prefix, names, values);
  }

  onnx::ModelProto& model_;
  std::string where_;
  std::map<std::string, const onnx::FunctionProto*> functions_;
  std::map<const onnx::FunctionProto*, bool> holds_;
  int unnamed_ = 0, nodes_ = 0;
};

}  // namespace

void inline_recurrent_functions(onnx::ModelProto& model, const std::string& where) {
  Inliner(model, where).run();
}

}  // namespace cellproof::corpus
