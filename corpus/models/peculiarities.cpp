#include "corpus/models/peculiarities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx-ml.pb.h>

#include <array>
#include <map>
#include <string_view>

#include "corpus/message.hpp"
#include "corpus/models/graph_scope.hpp"
#include "corpus/models/whole_model.hpp"

namespace cellproof::corpus {
namespace {

/// Operators that a recurrence is made of where no recurrent operator is used.
constexpr std::array<std::string_view, 4> parts_of_recurrences{"MatMul", "Gemm", "Sigmoid", "Tanh"};
/// As many of each are in two steps of the smallest gated cell.
constexpr int least_products = 4, least_activations = 2;

std::map<std::string_view, int> parts_in(const onnx::GraphProto& graph) {
  std::map<std::string_view, int> counts;
  for (const auto& node : graph.node()) {
    for (const std::string_view part : parts_of_recurrences) counts[part] += node.op_type() == part;
    for (const auto& attribute : node.attribute())
      if (attribute.has_g())
        for (const auto& [part, count] : parts_in(attribute.g())) counts[part] += count;
  }
  return counts;
}

int nodes_in(const onnx::GraphProto& graph) {
  int count = graph.node_size();
  for (const auto& node : graph.node())
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) count += nodes_in(attribute.g());
  return count;
}

std::string listed(const std::map<std::string_view, int>& counts) {
  std::vector<std::string> texts;
  for (const auto& [part, count] : counts)
    if (count > 0) texts.push_back(fmt::format("{} {}", count, part));
  return fmt::format("{}", fmt::join(texts, ", "));
}

const NodeTensor* given(const RecurrentNode& node, std::size_t position) {
  const bool is_given = position < node.inputs.size() && node.inputs[position].presence == Presence::Given;
  return is_given ? &node.inputs[position] : nullptr;
}

void note_dequantised(const RecurrentNode& node, std::vector<std::string>& notes) {
  const auto names = input_names(node.version.op);
  std::vector<std::string_view> dequantised;
  for (std::size_t k = 0; k < node.inputs.size() && k < names.size(); ++k)
    if (node.inputs[k].is_dequantised) dequantised.push_back(names[k]);
  if (!dequantised.empty()) notes.push_back(fmt::format("dequantised: {}", fmt::join(dequantised, ", ")));
}

}  // namespace

std::vector<std::string> peculiarities_of(const RecurrentNode& node, const GraphScope& scope) {
  std::vector<std::string> notes;
  const auto names = input_names(node.version.op);
  for (const std::size_t position : {input::W, input::R, input::B}) {
    const NodeTensor* weights = given(node, position);
    if (weights == nullptr)
      notes.push_back(fmt::format("no {}", names[position]));
    else if (weights->constant == nullptr)
      notes.push_back(fmt::format("{} computed ({})", names[position], weights->origin));
  }
  note_dequantised(node, notes);
  if (given(node, input::sequence_lens) != nullptr)
    notes.push_back(fmt::format("sequence_lens ({})", node.inputs[input::sequence_lens].origin));
  const NodeTensor *h = given(node, input::initial_h), *c = given(node, input::initial_c);
  if (h != nullptr && c != nullptr && h->name == c->name) notes.emplace_back("initial_h and initial_c are one tensor");
  if (given(node, input::P) != nullptr) notes.emplace_back("peepholes");
  for (std::size_t k = 0; k < node.inputs.size() && k < names.size(); ++k)
    if (given(node, k) != nullptr && node.inputs[k].origin == "not defined")
      notes.push_back(fmt::format("{} is not defined", names[k]));
  if (node.outputs.empty() || !node.outputs[0].used) notes.emplace_back("Y is not used");
  const Attributes& a = node.attributes;
  if (a.direction == "reverse") notes.emplace_back("reverse");
  if (a.layout.value_or(0) != 0) notes.emplace_back("layout=1");
  if (a.clip) notes.push_back(fmt::format("clip={}", *a.clip));
  if (a.input_forget.value_or(0) != 0) notes.emplace_back("input_forget");
  if (a.activations) notes.push_back(fmt::format("activations {}", fmt::join(*a.activations, ",")));
  if (node.version.op == Operator::GRU && a.linear_before_reset.value_or(0) == 0)
    notes.emplace_back("linear_before_reset=0");
  for (const auto& other : a.others) notes.push_back(fmt::format("attribute {} is unknown", in_quotes(other.name)));
  const auto type = given(node, input::X) != nullptr ? scope.type_of(node.inputs[input::X].name) : std::nullopt;
  if (type && *type != ElementType::Float) notes.push_back(fmt::format("type {}", onnx_name(*type)));
  return notes;
}

std::string loop_content(const onnx::GraphProto& body) {
  const std::string parts = listed(parts_in(body));
  return fmt::format("no recurrent operator; {} in its body",
                     parts.empty() ? "no MatMul, Gemm, Sigmoid or Tanh" : parts);
}

std::string unrolled_recurrence(const onnx::GraphProto& graph) {
  auto counts = parts_in(graph);
  const bool is_alike = counts["MatMul"] + counts["Gemm"] >= least_products && counts["Sigmoid"] >= least_activations &&
                        counts["Tanh"] >= least_activations;
  return is_alike ? fmt::format("{} of its {} nodes: perhaps a recurrence written out step by step", listed(counts),
                                nodes_in(graph))
                  : "";
}

}  // namespace cellproof::corpus
