#include "corpus/surroundings/graph_walk.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "corpus/message.hpp"
#include "corpus/parse.hpp"
#include "corpus/recurrent_operator.hpp"
#include "corpus/surroundings/known_values.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

/// In the place of names that the node left empty.
constexpr std::string_view own_prefix = "cellproof:";

std::string words_for(const onnx::NodeProto& node) {
  return fmt::format("node {} ({})", in_quotes(node.name()), escaped(node.op_type()));
}

bool is_untold(const Operand* operand) {
  return operand != nullptr && !operand->is_told();
}

/// Operands of which a move takes elements; it takes known numbers, or elements of the recurrent node, but not both.
bool can_move(const Move& move, const Operands& operands) {
  if (move.from.empty()) return true;
  const auto is_known = [&](const auto& place) { return operands.at(place.first)->known.has_value(); };
  return std::ranges::all_of(move.from,
                             [&](const auto& place) { return is_known(place) == is_known(move.from.front()); });
}

Tensor moved_numbers(const Move& move, const Operands& operands, const std::string& where) {
  const ElementType type = operands.at(0)->known->type();
  const std::size_t size = size_of(type);
  Tensor result(type, move.shape);
  auto at = result.bytes().begin();
  for (const auto& [from, element] : move.from) {
    const Tensor& source = *operands[from]->known;
    if (source.type() != type) refuse(where, "tensors of several types in one", "one type");
    at = std::ranges::copy(source.bytes().subspan(element * size, size), at).out;
  }
  return result;
}

}  // namespace

void GraphWalk::begin_with(const std::string& name, Tensor value, bool is_input) {
  Operand operand;
  operand.shape = value.shape();
  operand.known = std::move(value);
  operand.depends_on_inputs = is_input;
  if (!values_.emplace(name, std::move(operand)).second)
    refuse(where_, fmt::format("tensor {} defined twice", in_quotes(name)), "one definition");
}

void GraphWalk::run() {
  for (const auto& node : model_.graph().node()) {
    if (recurrent_operator(node))
      meet_recurrent(node);
    else
      meet(node);
  }
}

const Operand& GraphWalk::value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) refuse(where_, fmt::format("tensor {} is not defined", in_quotes(name)), "a definition");
  return found->second;
}

std::vector<Shape> GraphWalk::output_shapes(std::size_t node) const {
  const Problem& problem = nodes_.at(node).problem;
  Dimensions of_problem{};
  try {
    of_problem = dimensions_of(problem);
  } catch (const std::invalid_argument& error) {
    refuse(where_, error.what(), "X and R of three dimensions");
  }
  const auto [T, N, I, H, D] = of_problem;
  const bool batchwise = problem.attributes.layout.value_or(0) != 0;
  const Shape of_state = batchwise ? Shape{N, D, H} : Shape{D, N, H};
  std::vector<Shape> shapes(output_names(problem.version.op).size(), of_state);
  shapes[output::Y] = batchwise ? Shape{N, T, D, H} : Shape{T, D, N, H};
  return shapes;
}

Problem GraphWalk::problem_with(std::size_t node, const std::vector<bool>& asked) const {
  return read_alone(*protos_.at(node), asked, *nodes_.at(node).problem.input(input::X)).problem;
}

ModelNode GraphWalk::read_alone(const onnx::NodeProto& proto, const std::vector<bool>& asked, const Tensor& X) const {
  onnx::ModelProto alone;
  alone.set_ir_version(model_.ir_version());
  *alone.mutable_opset_import() = model_.opset_import();
  auto& graph = *alone.mutable_graph();
  auto& node = *graph.add_node();
  node = proto;
  std::set<std::string> written;
  for (const auto& name : node.input()) {
    if (name.empty() || !written.insert(name).second) continue;
    const auto& known = value(name).known;
    write_tensor(known ? *known : X, name, *graph.add_initializer());
  }
  for (int k = 0; k < static_cast<int>(asked.size()); ++k) {
    if (!asked[static_cast<std::size_t>(k)]) continue;
    while (node.output_size() <= k) node.add_output("");
    auto& name = *node.mutable_output(k);
    if (name.empty()) name = fmt::format("{}{}", own_prefix, k);
    graph.add_output()->set_name(name);
  }
  ModelNode read = from_model(serialize(alone), where_);
  for (int k = 0; k < node.input_size(); ++k)
    if (!node.input(k).empty() && value(node.input(k)).depends_on_inputs)
      read.problem.inputs.at(static_cast<std::size_t>(k)).source = Source::GraphInput;
  return read;
}

void GraphWalk::define(const std::string& name, Operand operand) {
  if (!name.empty() && !values_.emplace(name, std::move(operand)).second)
    refuse(where_, fmt::format("tensor {} defined twice", in_quotes(name)), "one definition");
}

Operands GraphWalk::operands_of(const onnx::NodeProto& node) const {
  Operands operands;
  for (const auto& name : node.input()) operands.push_back(name.empty() ? nullptr : &value(name));
  return operands;
}

void GraphWalk::meet(const onnx::NodeProto& node) {
  const Operands operands = operands_of(node);
  const auto untold = std::ranges::find_if(operands, is_untold);
  std::string trouble = untold == operands.end() ? words_for(node) : (*untold)->trouble;
  std::vector<Operand> results;
  try {
    if (untold == operands.end()) results = results_of(node, operands);
  } catch (const CorpusError& error) {
    trouble = error.what();
  }
  const bool depends =
      std::ranges::any_of(operands, [](const Operand* o) { return o != nullptr && o->depends_on_inputs; });
  results.resize(static_cast<std::size_t>(node.output_size()), Operand{{}, {}, {}, trouble, false});
  for (int k = 0; k < node.output_size(); ++k) {
    Operand& result = results[static_cast<std::size_t>(k)];
    result.depends_on_inputs = depends;
    define(node.output(k), std::move(result));
  }
}

std::vector<Operand> GraphWalk::results_of(const onnx::NodeProto& node, const Operands& operands) const {
  std::vector<Operand> results;
  if (!node.domain().empty() && node.domain() != "ai.onnx") return results;
  if (const auto moves = moves_of(node, operands, where_)) {
    for (const Move& move : *moves) results.push_back(moved(move, operands));
  } else if (auto known = known_value_of(node, operands, where_, directory_)) {
    results.emplace_back();
    results.back().shape = known->shape();
    results.back().known = std::move(known);
  }
  return results;
}

Operand GraphWalk::moved(const Move& move, const Operands& operands) const {
  if (!can_move(move, operands)) refuse(where_, "known numbers beside some of the recurrent node", "either");
  const bool is_known =
      move.from.empty() ? operands.at(0)->known.has_value() : operands[move.from.front().first]->known.has_value();
  Operand result;
  result.shape = move.shape;
  if (is_known)
    result.known = moved_numbers(move, operands, where_);
  else
    for (const auto& [from, element] : move.from) result.origins.push_back(operands[from]->origins.at(element));
  return result;
}

void GraphWalk::meet_recurrent(const onnx::NodeProto& node) {
  for (int k = 0; k < node.input_size(); ++k) {
    const std::string& name = node.input(k);
    if (name.empty()) continue;
    const Operand& operand = value(name);
    if (!operand.is_told())
      refuse(where_, fmt::format("{} takes {}, which rests on {}", words_for(node), in_quotes(name), operand.trouble),
             "nodes before it that only move elements");
    if (k != 0 && !operand.known)
      refuse(where_, fmt::format("{} takes {} from another recurrent node", words_for(node), in_quotes(name)),
             "X alone from there");
  }
  JoinedNode joined;
  joined.name = node.name();
  const Tensor X = stand_in_for_X(node, joined);
  ModelNode alone = read_alone(node, {}, X);
  joined.problem = std::move(alone.problem);
  joined.opset = alone.opset;
  const std::size_t number = nodes_.size();
  protos_.push_back(&node);
  nodes_.push_back(std::move(joined));
  const std::vector<Shape> shapes = output_shapes(number);
  for (int k = 0; k < std::min(static_cast<int>(shapes.size()), node.output_size()); ++k) {
    Operand given;
    given.shape = shapes[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < element_count(given.shape); ++i)
      given.origins.push_back({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(k), i});
    given.depends_on_inputs = true;
    define(node.output(k), std::move(given));
  }
}

/// Zeros of the right shape and type where X is what other nodes give, and its own numbers elsewhere.
Tensor GraphWalk::stand_in_for_X(const onnx::NodeProto& node, JoinedNode& joined) const {
  if (node.input_size() == 0 || node.input(0).empty()) return Tensor(ElementType::Float, {0});
  const Operand& operand = value(node.input(0));
  if (operand.known) return *operand.known;
  joined.X_from = operand.origins;
  const Tensor* before = operand.origins.empty() ? nullptr : nodes_.at(operand.origins[0].node).problem.input(input::X);
  return Tensor(before ? before->type() : ElementType::Float, operand.shape);
}

}  // namespace cellproof::corpus
