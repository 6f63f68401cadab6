#include "corpus/surroundings/node_among_moves.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <set>

#include "corpus/computed_weights.hpp"
#include "corpus/input_binding.hpp"
#include "corpus/message.hpp"
#include "corpus/parse.hpp"
#include "corpus/recurrent_operator.hpp"
#include "corpus/surroundings/graph_walk.hpp"
#include "corpus/surroundings/seen_outputs.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

bool is_constant_node(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && (node.domain().empty() || node.domain() == "ai.onnx");
}

/// Does every row last to the last step?
bool has_full_rows(const Problem& problem) {
  const Tensor* lengths = problem.input(input::sequence_lens);
  if (lengths == nullptr) return true;
  const auto steps = static_cast<double>(dimensions_of(problem).T);
  for (std::size_t k = 0; k < lengths->size(); ++k)
    if (lengths->value(k) != steps) return false;
  return true;
}

/// Takes what was seen of the node's outputs. Returns which of them the graph shows.
std::vector<bool> take_seen_of(JoinedNode& node, std::size_t number, SeenOutputs& seen) {
  const Attributes& attributes = node.problem.attributes;
  const auto direction = attributes.direction ? direction_named(*attributes.direction) : Direction::Forward;
  if (direction && has_full_rows(node.problem))
    seen.take_last_step_for_state(number, *direction, attributes.layout.value_or(0) != 0);
  std::vector<bool> asked;
  for (std::size_t k = 0; k < output_names(node.problem.version.op).size(); ++k) {
    asked.push_back(seen.shows(number, k));
    node.outputs.push_back(seen.value(number, k));
  }
  return asked;
}

}  // namespace

std::optional<NodesAmongMoves> NodesAmongMoves::read(std::string_view serialized, const std::string& where,
                                                     const std::string& directory) {
  auto model = std::make_shared<onnx::ModelProto>();
  if (!parse(serialized, *model)) return std::nullopt;
  store_computed(*model, where, directory);
  std::size_t recurrent = 0, others = 0;
  for (const auto& node : model->graph().node()) {
    recurrent += recurrent_operator(node).has_value() ? 1 : 0;
    others += recurrent_operator(node) || is_constant_node(node) ? 0 : 1;
  }
  if (recurrent == 0 || (recurrent == 1 && others == 0)) return std::nullopt;
  return NodesAmongMoves(std::move(model), where, directory);
}

NodesAmongMoves::NodesAmongMoves(std::shared_ptr<const onnx::ModelProto> model, std::string where,
                                 std::string directory)
    : model_(std::move(model)), where_(std::move(where)), directory_(std::move(directory)) {
  std::set<std::string> initializers;
  for (const auto& tensor : model_->graph().initializer()) initializers.insert(tensor.name());
  for (const auto& info : model_->graph().input()) {
    if (initializers.contains(info.name())) continue;
    graph_inputs_.push_back(info.name());
    declared_.push_back(declared_input(info, where_));
  }
  for (const auto& info : model_->graph().output()) graph_outputs_.push_back(info.name());
}

std::vector<JoinedNode> NodesAmongMoves::seen(const std::vector<Tensor>& inputs, const Outputs& outputs,
                                              const std::string& where) const {
  GraphWalk walk(*model_, where_, directory_);
  for (const auto& tensor : model_->graph().initializer())
    walk.begin_with(
        tensor.name(),
        read_tensor(tensor, fmt::format("{}: initializer {}", where_, in_quotes(tensor.name())), directory_), false);
  for (std::size_t k = 0; k < graph_inputs_.size(); ++k) {
    refuse_unlike(declared_[k], graph_inputs_[k], inputs.at(k), where);
    walk.begin_with(graph_inputs_[k], inputs[k], true);
  }
  walk.run();

  std::vector<std::vector<Shape>> shapes;
  for (std::size_t k = 0; k < walk.nodes().size(); ++k) shapes.push_back(walk.output_shapes(k));
  SeenOutputs seen(shapes);
  std::string trouble;
  for (std::size_t k = 0; k < graph_outputs_.size(); ++k) {
    const Operand& operand = walk.value(graph_outputs_[k]);
    if (!operand.is_told())
      trouble = fmt::format("; output {} rests on {}", in_quotes(graph_outputs_[k]), operand.trouble);
    if (operand.is_told() && !operand.known) seen.add(graph_outputs_[k], operand, outputs.at(k), where);
  }
  std::vector<JoinedNode> nodes = walk.nodes();
  bool shows_any = false;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const std::vector<bool> asked = take_seen_of(nodes[node], node, seen);
    const bool shows = std::ranges::find(asked, true) != asked.end();
    shows_any = shows_any || shows;
    if (shows) nodes[node].problem = walk.problem_with(node, asked);
    nodes[node].outputs.resize(nodes[node].problem.outputs.size());
  }
  if (!shows_any) {
    const std::string part = seen.part_text();
    refuse(where_,
           (part.empty() ? "the outputs show nothing of the recurrent node" : "the outputs show " + part) + trouble,
           "all of Y, of Y_h or of Y_c, through nodes that only move elements");
  }
  return nodes;
}

}  // namespace cellproof::corpus
