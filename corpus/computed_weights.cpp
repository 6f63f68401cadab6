#include "corpus/computed_weights.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "corpus/message.hpp"
#include "corpus/recurrent_operator.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

/// The first opset in which Unsqueeze takes its axes from an input.
constexpr int axes_are_an_input = 13;
constexpr std::int64_t most_directions = 2;

onnx::NodeProto& add_made(onnx::GraphProto& graph, const char* op, const std::string& output) {
  auto& node = *graph.add_node();
  node.set_op_type(op);
  node.set_name(output + "_" + op);
  node.add_output(output);
  return node;
}

onnx::AttributeProto& add_named(onnx::NodeProto& node, const char* name, onnx::AttributeProto::AttributeType type) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

bool is_onnx_op(const onnx::NodeProto& node, std::string_view op) {
  return node.op_type() == op && (node.domain().empty() || node.domain() == "ai.onnx");
}

bool fit_along_first_axis(const Tensor& a, const Tensor& b) {
  const Shape &one = a.shape(), &other = b.shape();
  return a.type() == b.type() && !one.empty() && one.size() == other.size() &&
         std::equal(one.begin() + 1, one.end(), other.begin() + 1);
}

/// Parts along the first axis as one tensor; nullopt where they do not fit each other.
std::optional<Tensor> joined_parts(const std::vector<const Tensor*>& parts) {
  Shape shape = parts.front()->shape();
  std::int64_t length = 0;
  for (const Tensor* part : parts) {
    if (!fit_along_first_axis(*parts.front(), *part)) return std::nullopt;
    length += part->shape()[0];
  }
  shape[0] = length;
  Tensor whole(parts.front()->type(), shape);
  auto at = whole.bytes().begin();
  for (const Tensor* part : parts) at = std::ranges::copy(part->bytes(), at).out;
  return whole;
}

/// The nodes of a graph that make weights, followed in their order.
class Computed {
 public:
  Computed(const onnx::GraphProto& graph, const std::string& where, const std::string& directory)
      : where_(where), directory_(directory) {
    for (const auto& tensor : graph.initializer()) stored_.emplace(tensor.name(), &tensor);
  }

  /// False for a node that makes no weights.
  bool take(const onnx::NodeProto& node) {
    std::optional<Tensor> made;
    if (is_onnx_op(node, "Unsqueeze")) made = unsqueezed(node);
    if (is_onnx_op(node, "Concat")) made = concatenated(node);
    if (!made || node.output_size() != 1) return false;
    return made_.emplace(node.output(0), std::move(*made)).second;
  }

  const std::map<std::string, Tensor>& made() const { return made_; }

 private:
  std::optional<Tensor> initializer(const std::string& name) const {
    const auto found = stored_.find(name);
    if (found == stored_.end()) return std::nullopt;
    return read_tensor(*found->second, fmt::format("{}: initializer {}", where_, in_quotes(name)), directory_);
  }

  std::optional<Tensor> unsqueezed(const onnx::NodeProto& node) const {
    std::optional<std::int64_t> axis;
    for (const auto& attribute : node.attribute())
      if (attribute.name() == "axes" && attribute.ints_size() == 1) axis = attribute.ints(0);
    if (node.input_size() == 2) {
      const std::optional<Tensor> axes = initializer(node.input(1));
      if (axes && axes->size() == 1) axis = static_cast<std::int64_t>(axes->value(0));
    }
    if (axis != 0 || node.input_size() < 1) return std::nullopt;
    std::optional<Tensor> part = initializer(node.input(0));
    if (!part) return std::nullopt;
    Shape shape = part->shape();
    shape.insert(shape.begin(), 1);
    Tensor made(part->type(), shape);
    std::ranges::copy(part->bytes(), made.bytes().begin());
    return made;
  }

  std::optional<Tensor> concatenated(const onnx::NodeProto& node) const {
    if (node.attribute_size() != 1 || node.attribute(0).i() != 0 || node.input_size() == 0) return std::nullopt;
    std::vector<const Tensor*> parts;
    for (const auto& name : node.input()) {
      const auto found = made_.find(name);
      if (found == made_.end()) return std::nullopt;
      parts.push_back(&found->second);
    }
    return joined_parts(parts);
  }

  const std::string &where_, &directory_;
  std::map<std::string, const onnx::TensorProto*> stored_;
  std::map<std::string, Tensor> made_;
};

}  // namespace

bool can_be_computed(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  return shape.size() >= 2 && shape[0] >= 1 && shape[0] <= most_directions && tensor.size() > 0;
}

void write_computed(const Tensor& tensor, const std::string& name, int opset, onnx::GraphProto& graph) {
  const std::int64_t directions = tensor.shape()[0];
  const Shape of_one(tensor.shape().begin() + 1, tensor.shape().end());
  const std::size_t bytes = tensor.bytes().size() / static_cast<std::size_t>(directions);
  std::vector<std::string> parts;
  for (std::int64_t d = 0; d < directions; ++d) {
    Tensor part(tensor.type(), of_one);
    std::ranges::copy(tensor.bytes().subspan(static_cast<std::size_t>(d) * bytes, bytes), part.bytes().begin());
    const std::string stored = fmt::format("{}_{}", name, d);
    write_tensor(part, stored, *graph.add_initializer());
    parts.push_back(directions == 1 ? name : stored + "_unsqueezed");
    auto& unsqueeze = add_made(graph, "Unsqueeze", parts.back());
    unsqueeze.add_input(stored);
    if (opset < axes_are_an_input) {
      add_named(unsqueeze, "axes", onnx::AttributeProto::INTS).add_ints(0);
      continue;
    }
    unsqueeze.add_input(stored + "_axes");
    write_tensor(Tensor(ElementType::Int64, {1}), stored + "_axes", *graph.add_initializer());
  }
  if (directions == 1) return;
  auto& concat = add_made(graph, "Concat", name);
  for (const std::string& part : parts) concat.add_input(part);
  add_named(concat, "axis", onnx::AttributeProto::INT).set_i(0);
}

Weights store_computed(onnx::ModelProto& model, const std::string& where, const std::string& directory) {
  if (!model.has_graph()) return Weights::Stored;
  auto& graph = *model.mutable_graph();
  Computed computed(graph, where, directory);
  std::vector<onnx::NodeProto> others;
  std::map<std::string, int> uses;
  for (const auto& node : graph.node()) {
    for (const auto& name : node.input()) ++uses[name];
    const bool stays = recurrent_operator(node) || is_onnx_op(node, "Constant");
    if (!stays && !computed.take(node)) return Weights::Stored;
    if (stays) others.push_back(node);
  }
  if (computed.made().empty()) return Weights::Stored;
  std::map<std::string, bool> needed;
  for (const auto& node : others)
    for (const auto& name : node.input()) needed[name] = true;
  auto& initializers = *graph.mutable_initializer();
  for (int k = initializers.size(); k-- > 0;)
    if (uses.contains(initializers.Get(k).name()) && !needed.contains(initializers.Get(k).name()))
      initializers.DeleteSubrange(k, 1);
  for (const auto& [name, tensor] : computed.made())
    if (needed.contains(name)) write_tensor(tensor, name, *graph.add_initializer());
  graph.clear_node();
  for (auto& node : others) *graph.add_node() = std::move(node);
  return Weights::Computed;
}

}  // namespace cellproof::corpus
