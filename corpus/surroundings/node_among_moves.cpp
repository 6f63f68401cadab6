#include "corpus/surroundings/node_among_moves.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <set>

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

}  // namespace

std::optional<NodeAmongMoves> NodeAmongMoves::read(std::string_view serialized, const std::string& where,
                                                   const std::string& directory) {
  auto model = std::make_shared<onnx::ModelProto>();
  if (!parse(serialized, *model)) return std::nullopt;
  std::size_t recurrent = 0, others = 0;
  for (const auto& node : model->graph().node()) {
    recurrent += recurrent_operator(node).has_value() ? 1 : 0;
    others += recurrent_operator(node) || is_constant_node(node) ? 0 : 1;
  }
  if (recurrent != 1 || others == 0) return std::nullopt;
  return NodeAmongMoves(std::move(model), where, directory);
}

NodeAmongMoves::NodeAmongMoves(std::shared_ptr<const onnx::ModelProto> model, std::string where, std::string directory)
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

SeenNode NodeAmongMoves::seen(const std::vector<Tensor>& inputs, const Outputs& outputs,
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

  SeenOutputs seen(walk.output_shapes());
  std::string trouble;
  for (std::size_t k = 0; k < graph_outputs_.size(); ++k) {
    const Operand& operand = walk.value(graph_outputs_[k]);
    if (!operand.is_told())
      trouble = fmt::format("; output {} rests on {}", in_quotes(graph_outputs_[k]), operand.trouble);
    if (operand.is_told() && !operand.known) seen.add(graph_outputs_[k], operand, outputs.at(k), where);
  }
  const Attributes& attributes = walk.problem().attributes;
  const auto direction = attributes.direction ? direction_named(*attributes.direction) : Direction::Forward;
  if (direction && has_full_rows(walk.problem()))
    seen.take_last_step_for_state(*direction, attributes.layout.value_or(0) != 0);

  std::vector<bool> asked;
  Outputs values;
  for (std::size_t k = 0; k < output_names(walk.problem().version.op).size(); ++k) {
    asked.push_back(seen.shows(k));
    values.push_back(seen.value(k));
  }
  if (std::ranges::find(asked, true) == asked.end()) {
    const std::string part = seen.part_text();
    refuse(where_,
           (part.empty() ? "the outputs show nothing of the recurrent node" : "the outputs show " + part) + trouble,
           "all of Y, of Y_h or of Y_c, through nodes that only move elements");
  }
  SeenNode result;
  result.problem = walk.problem_with(asked, result.opset);
  values.resize(result.problem.outputs.size());
  result.outputs = std::move(values);
  return result;
}

}  // namespace cellproof::corpus
