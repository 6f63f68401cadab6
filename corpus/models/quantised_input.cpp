#include "corpus/models/quantised_input.hpp"

#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <vector>

#include "corpus/models/graph_scope.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::array<std::string_view, 6> only_moving{"Identity",  "Transpose", "Reshape",
                                                      "Unsqueeze", "Squeeze",   "Flatten"};
constexpr std::size_t longest_way_back = 32;

/// The node that gives the tensor, where it is behind others that only move elements, which are put into `moves`.
const onnx::NodeProto* source_of(const std::string& name, const GraphScope& scope,
                                 std::vector<const onnx::NodeProto*>& moves) {
  const onnx::NodeProto* node = scope.producer(name);
  while (node != nullptr && std::ranges::find(only_moving, node->op_type()) != only_moving.end()) {
    if (node->input_size() == 0 || moves.size() == longest_way_back) return nullptr;
    moves.push_back(node);
    node = scope.producer(node->input(0));
  }
  return node;
}

bool is_named(const onnx::NodeProto* node, std::string_view type) {
  return node != nullptr && node->op_type() == type && node->input_size() > 0;
}

}  // namespace

std::optional<QuantisedInput> quantised_input(const std::string& name, const GraphScope& scope, onnx::GraphProto& graph,
                                              const std::function<std::string()>& fresh_name) {
  std::vector<const onnx::NodeProto*> moves;
  const onnx::NodeProto* dequantise = source_of(name, scope, moves);
  if (!is_named(dequantise, "DequantizeLinear")) return std::nullopt;
  const onnx::NodeProto* quantise = source_of(dequantise->input(0), scope, moves);
  if (!is_named(quantise, "QuantizeLinear")) return QuantisedInput{};
  std::string made = quantise->input(0);
  for (const onnx::NodeProto* move : std::views::reverse(moves)) {
    onnx::NodeProto copy = *move;
    const std::string output = fresh_name();
    copy.set_name(output);
    copy.set_input(0, made);
    copy.set_output(0, output);
    *graph.add_node() = std::move(copy);
    made = output;
  }
  return QuantisedInput{std::move(made)};
}

}  // namespace cellproof::corpus
