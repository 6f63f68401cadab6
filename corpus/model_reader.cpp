#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "corpus/computed_weights.hpp"
#include "corpus/constant_node.hpp"
#include "corpus/declared_dims.hpp"
#include "corpus/input_binding.hpp"
#include "corpus/message.hpp"
#include "corpus/model.hpp"
#include "corpus/nesting.hpp"
#include "corpus/node_attributes.hpp"
#include "corpus/parse.hpp"
#include "corpus/recurrent_operator.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::string_view wanted_node = "exactly one LSTM, GRU, RNN or DynamicQuantizeLSTM node";
/// Far above what any operator has, so that a node with too many inputs can still be read and judged invalid.
constexpr int most_inputs = 64;

bool is_onnx_domain(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx";
}

std::string describe(const onnx::NodeProto& node) {
  return fmt::format("node {} ({})", in_quotes(node.name()),
                     node.op_type().empty() ? "no op_type" : escaped(node.op_type()));
}

bool is_constant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && is_onnx_domain(node.domain());
}

/// Reads one model; the members are what the graph offers to the node by name.
class Reader {
 public:
  Reader(const onnx::ModelProto& model, std::string where, const std::string& directory)
      : model_(model), graph_(model.graph()), where_(std::move(where)), directory_(directory) {}

  ModelNode read() {
    check_envelope();
    const auto& node = the_node();
    const auto op = *recurrent_operator(node);
    result_.node_name = node.name();
    result_.opset = imported_opset(domain(op));
    result_.problem.version = *version_in_opset(op, result_.opset);
    result_.problem.attributes = read_attributes(node, where_);
    collect_tensors();
    collect_graph_inputs();
    read_inputs(node);
    read_outputs(node);
    result_.problem.presentation.dims = dims_of(graph_, result_);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(std::string_view what, std::string_view expected) const { refuse(where_, what, expected); }

  void check_envelope() const {
    if (!model_.has_ir_version() || model_.ir_version() < 1 || model_.ir_version() > onnx::IR_VERSION) {
      fail(fmt::format("ir_version {}", model_.ir_version()),
           fmt::format("1 to {}", static_cast<int>(onnx::IR_VERSION)));
    }
    if (!model_.has_graph()) fail("no graph", "a graph");
    if (model_.functions_size() > 0) {
      fail(fmt::format("model function {}", in_quotes(model_.functions(0).name())), "no functions");
    }
    if (model_.training_info_size() > 0) fail("training_info", "a model for inference");
    if (graph_.sparse_initializer_size() > 0) {
      fail(fmt::format("sparse initializer {}", in_quotes(graph_.sparse_initializer(0).values().name())),
           "dense initializers");
    }
  }

  const onnx::NodeProto& the_node() const {
    const onnx::NodeProto* found = nullptr;
    for (const auto& node : graph_.node()) {
      if (is_constant(node)) continue;
      if (!recurrent_operator(node) || found != nullptr) fail(describe(node), wanted_node);
      found = &node;
    }
    if (found == nullptr) fail("no node", wanted_node);
    return *found;
  }

  int imported_opset(std::string_view wanted) const {
    std::optional<std::int64_t> version;
    for (const auto& import : model_.opset_import()) {
      if (is_onnx_domain(wanted) ? !is_onnx_domain(import.domain()) : import.domain() != wanted) continue;
      if (version && *version != import.version()) {
        fail(fmt::format("opset {} and {} of one domain", *version, import.version()), "one import for each domain");
      }
      version = import.version();
    }
    if (!version && model_.ir_version() < 3) version = 1;  // opset_import came with IR version 3
    const std::string_view shown = wanted.empty() ? "ai.onnx" : wanted;
    if (!version) fail("no opset_import", fmt::format("one for domain {}", shown));
    const int newest = wanted.empty() ? newest_opset : 1;
    if (*version < 1 || *version > newest) {
      fail(fmt::format("opset {} of domain {}", *version, shown), fmt::format("1 to {}", newest));
    }
    return static_cast<int>(*version);
  }

  void offer_tensor(const std::string& name, Source source, const onnx::TensorProto* proto) {
    if (!tensors_.emplace(name, std::pair(source, proto)).second)
      fail(fmt::format("tensor {} defined twice", in_quotes(name)), "one definition");
  }

  void collect_tensors() {
    for (const auto& proto : graph_.initializer()) offer_tensor(proto.name(), Source::Initializer, &proto);
    for (const auto& node : graph_.node()) {
      if (!is_constant(node)) continue;
      if (node.output_size() != 1)
        fail(fmt::format("{} with {} outputs", describe(node), node.output_size()), "one output");
      constants_.push_back(constant_value(node, fmt::format("{}: {}", where_, describe(node))));
      offer_tensor(node.output(0), Source::ConstantNode, &constants_.back());
    }
  }

  void collect_graph_inputs() {
    std::set<std::string> seen;
    for (const auto& info : graph_.input()) {
      if (!seen.insert(info.name()).second) fail(fmt::format("graph input {} twice", in_quotes(info.name())), "once");
      if (tensors_.contains(info.name())) continue;
      result_.graph_inputs.push_back(info.name());
      result_.declared_inputs.push_back(declared_input(info, where_));
    }
    result_.input_positions.assign(result_.graph_inputs.size(), fed_nothing);
  }

  void read_inputs(const onnx::NodeProto& node) {
    if (node.input_size() > most_inputs) {
      fail(fmt::format("{} with {} inputs", describe(node), node.input_size()), "12 at most");
    }
    for (const auto& name : node.input()) result_.problem.inputs.push_back(read_input(name));
    constexpr int h = static_cast<int>(input::initial_h), c = static_cast<int>(input::initial_c);
    const bool shares = node.input_size() > c && !node.input(h).empty() && node.input(h) == node.input(c);
    if (shares && has_cell_state(result_.problem.version.op)) result_.problem.presentation.states = States::Shared;
    for (std::size_t i = 0; i < result_.graph_inputs.size(); ++i) {
      if (result_.input_positions[i] != fed_nothing) continue;
      fail(fmt::format("graph input {} feeds nothing", in_quotes(result_.graph_inputs[i])), "each to feed the node");
    }
  }

  Input read_input(const std::string& name) {
    if (name.empty()) return {Presence::Empty, Source::GraphInput, std::nullopt};
    if (const auto found = tensors_.find(name); found != tensors_.end()) {
      const auto [source, proto] = found->second;
      const std::string_view kind = source == Source::Initializer ? "initializer" : "Constant";
      const std::string here = fmt::format("{}: {} {}", where_, kind, in_quotes(name));
      return {Presence::Given, source, read_tensor(*proto, here, directory_)};
    }
    const auto& names = result_.graph_inputs;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      fail(fmt::format("node input {} is not defined", in_quotes(name)),
           "an initializer, a Constant node or a graph input");
    }
    auto& position = result_.input_positions[static_cast<std::size_t>(found - names.begin())];
    if (position == fed_nothing)
      position = result_.problem.inputs.size();
    else
      result_.tied_positions.emplace_back(result_.problem.inputs.size(), position);
    return {Presence::Given, Source::GraphInput, std::nullopt};
  }

  void read_outputs(const onnx::NodeProto& node) {
    if (node.output_size() > most_inputs) {
      fail(fmt::format("{} with {} outputs", describe(node), node.output_size()), "3 at most");
    }
    std::map<std::string, std::size_t> position_of;
    for (int i = 0; i < node.output_size(); ++i) {
      const auto& name = node.output(i);
      if (name.empty()) continue;
      const bool is_new = !tensors_.contains(name) && position_of.emplace(name, i).second;
      if (!is_new) fail(fmt::format("tensor {} defined twice", in_quotes(name)), "one definition");
    }
    result_.problem.outputs.assign(static_cast<std::size_t>(node.output_size()), Presence::Empty);
    for (const auto& info : graph_.output()) {
      const auto found = position_of.find(info.name());
      if (found == position_of.end()) {
        fail(fmt::format("graph output {}", in_quotes(info.name())), "an output of the recurrent node");
      }
      auto& presence = result_.problem.outputs[found->second];
      if (presence == Presence::Given) fail(fmt::format("graph output {} twice", in_quotes(info.name())), "once");
      presence = Presence::Given;
      result_.graph_outputs.push_back(info.name());
      result_.output_positions.push_back(found->second);
    }
  }

  static constexpr std::size_t fed_nothing = std::numeric_limits<std::size_t>::max();

  const onnx::ModelProto& model_;
  const onnx::GraphProto& graph_;
  std::string where_;
  const std::string& directory_;
  std::map<std::string, std::pair<Source, const onnx::TensorProto*>> tensors_;
  std::list<onnx::TensorProto> constants_;
  ModelNode result_;
};

}  // namespace

ModelNode from_model(std::string_view serialized, const std::string& where, const std::string& directory) {
  onnx::ModelProto model;
  if (!parse(serialized, model)) {
    refuse(where, fmt::format("{} bytes that are no protobuf", serialized.size()), "a serialised ModelProto");
  }
  const Nesting nesting = unnest_node(model);
  const Weights weights = store_computed(model, where, directory);
  ModelNode result = Reader(model, where, directory).read();
  result.problem.presentation.nesting = nesting;
  result.problem.presentation.weights = weights;
  return result;
}

}  // namespace cellproof::corpus
