#include "corpus/models/node_taps.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <list>
#include <utility>

#include "corpus/message.hpp"
#include "corpus/models/graph_scope.hpp"
#include "corpus/models/peculiarities.hpp"
#include "corpus/models/quantised_input.hpp"
#include "corpus/models/whole_model.hpp"
#include "corpus/node_attributes.hpp"
#include "corpus/recurrent_operator.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

/// A tensor on its way out of inner graphs.
struct Exposed {
  std::size_t tap = 0;  ///< its place among the model's taps
  std::string name;     ///< in the graph that it has come to
  ElementType type = ElementType::Float;
};

struct Place {
  std::string path;       ///< "If_3.then/", "" at the top
  std::size_t loops = 0;  ///< around it
};

constexpr int first_version_with_y = 7;  // before it Y was an output only where an attribute asked for it
constexpr int deepest_graph = 32;

onnx::AttributeProto* graph_attribute(onnx::NodeProto& node, std::string_view name) {
  for (auto& attribute : *node.mutable_attribute())
    if (attribute.name() == name && attribute.has_g()) return &attribute;
  return nullptr;
}

class Tapper {
 public:
  Tapper(onnx::ModelProto& model, std::string where, WholeModel& result)
      : model_(model), where_(std::move(where)), result_(result) {}

  void run() {
    for (const Exposed& out : tap(*model_.mutable_graph(), nullptr, {})) {
      model_.mutable_graph()->add_output()->set_name(out.name);
      result_.taps[out.tap] = out.name;
    }
    import_onnx();
    result_.constants = std::move(constants_);
  }

 private:
  /// The copies are made by nodes of ai.onnx.
  void import_onnx() {
    if (result_.taps.empty() || result_.opset != 0 || model_.ir_version() < 3) return;
    model_.add_opset_import()->set_version(companion_opset);
  }

  std::vector<Exposed> tap(onnx::GraphProto& graph, const GraphScope* outer, const Place& place) {
    if (std::ranges::count(place.path, '/') > deepest_graph) refuse(where_, "graphs in graphs too deep", "at most 32");
    const GraphScope scope(graph, outer, *constants_);
    std::vector<Exposed> exposed;
    const int own = graph.node_size();  // the copies come behind
    for (int k = 0; k < own; ++k) {
      onnx::NodeProto& node = *graph.mutable_node(k);
      const std::string name =
          place.path + (node.name().empty() ? fmt::format("{}#{}", node.op_type(), k) : node.name());
      if (const auto op = recurrent_operator(node)) {
        tap_node(graph, k, *op, name, scope, place, exposed);
      } else if (node.op_type() == "If") {
        tap_if(node, name, scope, place, exposed);
      } else if (node.op_type() == "Loop" || node.op_type() == "Scan") {
        tap_loop(node, name, scope, place, exposed);
      }
    }
    return exposed;
  }

  std::string fresh_name() { return fmt::format("cellproof_tap_{}", ++names_); }

  /// A copy of a tensor: an inner graph may not give out what is not its own.
  Exposed expose(onnx::GraphProto& graph, const std::string& name, ElementType type) {
    const Exposed exposed{result_.taps.size(), fresh_name(), type};
    result_.taps.emplace_back();
    auto& copy = *graph.add_node();
    copy.set_op_type("Identity");
    copy.set_name(exposed.name);
    copy.add_input(name);
    copy.add_output(exposed.name);
    return exposed;
  }

  int opset_of(Operator op, const std::string& path) const {
    for (const auto& import : model_.opset_import())
      if ((import.domain() == "ai.onnx" ? "" : import.domain()) == domain(op))
        return static_cast<int>(import.version());
    if (model_.ir_version() < 3) return 1;
    refuse(fmt::format("{}: node {}", where_, in_quotes(path)), "no opset_import", "one for the node's domain");
  }

  void tap_node(onnx::GraphProto& graph, int place_in_graph, Operator op, const std::string& path,
                const GraphScope& scope, const Place& place, std::vector<Exposed>& exposed) {
    RecurrentNode found;
    found.path = path;
    found.opset = opset_of(op, path);
    found.loops = place.loops;
    const auto version = version_in_opset(op, found.opset);
    const std::string here = fmt::format("{}: node {}", where_, in_quotes(path));
    if (!version) refuse(here, fmt::format("opset {}", found.opset), "1 or more");
    found.version = *version;
    found.attributes = read_attributes(graph.node(place_in_graph), here);
    ask_for_y(*graph.mutable_node(place_in_graph), found.version);

    const onnx::NodeProto node = graph.node(place_in_graph);  // copies are added to the graph
    const ElementType type = type_of_numbers(node, scope);
    for (int k = 0; k < node.input_size(); ++k) {
      NodeTensor tensor;
      tensor.presence = node.input(k).empty() ? Presence::Empty : Presence::Given;
      tensor.name = node.input(k);
      if (tensor.presence == Presence::Given) {
        tensor.origin = scope.origin_of(tensor.name);
        tensor.constant = scope.constant(tensor.name);
        if (tensor.constant != nullptr)
          tensor.source = scope.is_of_constant_node(tensor.name) ? Source::ConstantNode : Source::Initializer;
        else
          exposed.push_back(expose(graph, tensor.name, scope.type_of(tensor.name).value_or(type_at(op, k, type))));
        if (tensor.constant == nullptr) {
          tensor.tap = exposed.back().tap;
          tap_unquantised(graph, scope, type, tensor, exposed);
        }
      }
      found.inputs.push_back(std::move(tensor));
    }
    for (int k = 0; k < node.output_size(); ++k) {
      NodeTensor tensor;
      tensor.presence = Presence::Empty;
      tensor.name = node.output(k);
      tensor.used = scope.is_used(tensor.name);
      if (!tensor.name.empty()) {
        tensor.presence = Presence::Given;
        exposed.push_back(expose(graph, tensor.name, type));
        tensor.tap = exposed.back().tap;
      }
      found.outputs.push_back(std::move(tensor));
    }
    set_sizes(found);
    found.unusual = peculiarities_of(found, scope);
    result_.nodes.push_back(std::move(found));
  }

  void tap_unquantised(onnx::GraphProto& graph, const GraphScope& scope, ElementType type, NodeTensor& tensor,
                       std::vector<Exposed>& exposed) {
    const auto quantised = quantised_input(tensor.name, scope, graph, [this] { return fresh_name(); });
    tensor.is_dequantised = quantised.has_value();
    if (!quantised || !quantised->unquantised) return;
    exposed.push_back(expose(graph, *quantised->unquantised, type));
    tensor.unquantised_tap = exposed.back().tap;
  }

  /// Sizes that stand in the model: of W or of the attribute.
  static void set_sizes(RecurrentNode& node) {
    node.hidden_size = node.attributes.hidden_size;
    const auto* w = node.inputs.size() > input::W ? node.inputs[input::W].constant : nullptr;
    if (w == nullptr || w->dims_size() != 3) return;
    const bool is_turned = is_quantised(node.version.op);
    node.input_size = w->dims(is_turned ? 1 : 2);
    node.hidden_size = w->dims(is_turned ? 2 : 1) / gate_count(node.version.op);
  }

  void ask_for_y(onnx::NodeProto& node, OperatorVersion version) {
    if (version.since_version < first_version_with_y && domain(version.op).empty()) return;
    if (node.output_size() == 0) node.add_output("");
    if (node.output(0).empty()) node.set_output(0, fresh_name());
  }

  static ElementType type_of_numbers(const onnx::NodeProto& node, const GraphScope& scope) {
    for (const int k : {0, 1, 2, 3, 5, 6}) {
      const auto type = k < node.input_size() && !node.input(k).empty() ? scope.type_of(node.input(k)) : std::nullopt;
      if (type && is_floating_point(*type)) return *type;
    }
    return ElementType::Float;
  }

  /// The type of an input that nothing in the model tells.
  static ElementType type_at(Operator op, int position, ElementType numbers) {
    if (position == static_cast<int>(input::sequence_lens)) return ElementType::Int32;
    const bool is_weight = position == static_cast<int>(input::W) || position == static_cast<int>(input::R);
    return is_quantised(op) && is_weight ? ElementType::UInt8 : numbers;
  }

  void tap_if(onnx::NodeProto& node, const std::string& name, const GraphScope& scope, const Place& place,
              std::vector<Exposed>& exposed) {
    auto* then_branch = graph_attribute(node, "then_branch");
    auto* else_branch = graph_attribute(node, "else_branch");
    if (then_branch == nullptr || else_branch == nullptr) return;
    for (const bool is_then : {true, false}) {
      auto& taken = *(is_then ? then_branch : else_branch)->mutable_g();
      auto& other = *(is_then ? else_branch : then_branch)->mutable_g();
      const Place inside{name + (is_then ? ".then/" : ".else/"), place.loops};
      for (Exposed out : tap(taken, &scope, inside)) {
        taken.add_output()->set_name(out.name);
        other.add_output()->set_name(add_nothing(other, out.type));
        out.name = fresh_name();
        node.add_output(out.name);
        exposed.push_back(std::move(out));
      }
    }
  }

  /// The output of a branch that has no such tensor: of its type, without elements.
  std::string add_nothing(onnx::GraphProto& branch, ElementType type) {
    auto& constant = *branch.add_node();
    constant.set_op_type("Constant");
    constant.add_output(fresh_name());
    auto& value = *constant.add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    write_tensor(Tensor(type, {0}), "", *value.mutable_t());
    return constant.output(0);
  }

  void tap_loop(onnx::NodeProto& node, const std::string& name, const GraphScope& scope, const Place& place,
                std::vector<Exposed>& exposed) {
    auto* body = graph_attribute(node, "body");
    if (body == nullptr) return;
    const std::size_t before = result_.nodes.size();
    const auto inner = tap(*body->mutable_g(), &scope, {name + ".body/", place.loops + 1});
    if (result_.nodes.size() == before) {
      result_.other_recurrences.push_back(
          fmt::format("{} {}: {}", node.op_type(), in_quotes(name), loop_content(body->g())));
      return;
    }
    const bool is_loop = node.op_type() == "Loop";  // whose body gives its condition first
    while (node.output_size() < body->g().output_size() - (is_loop ? 1 : 0)) node.add_output(fresh_name());
    for (Exposed out : inner) {
      body->mutable_g()->add_output()->set_name(out.name);
      for (auto& attribute : *node.mutable_attribute())
        if (attribute.name() == "scan_output_axes" || attribute.name() == "scan_output_directions")
          attribute.add_ints(0);
      out.name = fresh_name();
      node.add_output(out.name);
      exposed.push_back(std::move(out));
    }
  }

  static constexpr int companion_opset = 13;

  onnx::ModelProto& model_;
  std::string where_;
  WholeModel& result_;
  std::shared_ptr<std::list<onnx::TensorProto>> constants_ = std::make_shared<std::list<onnx::TensorProto>>();
  int names_ = 0;
};

}  // namespace

void tap_recurrent_nodes(onnx::ModelProto& model, const std::string& where, WholeModel& result) {
  Tapper(model, where, result).run();
  if (const std::string unrolled = unrolled_recurrence(model.graph());
      result.nodes.empty() && result.other_recurrences.empty() && !unrolled.empty())
    result.other_recurrences.push_back(unrolled);
}

}  // namespace cellproof::corpus
