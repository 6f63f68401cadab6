#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "corpus/message.hpp"
#include "corpus/models/whole_model.hpp"
#include "corpus/tensor_proto.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::size_t rank_of_x = 3;

/// The part of a tapped tensor that belongs to one trip of the loops around the node.
Tensor part_of(const Tensor& tensor, std::size_t loops, std::size_t trip) {
  if (loops == 0) return tensor;
  Shape shape(tensor.shape().begin() + static_cast<std::ptrdiff_t>(loops), tensor.shape().end());
  const std::size_t size = element_count(shape) * size_of(tensor.type());
  const auto bytes = tensor.bytes().subspan(trip * size, size);
  return {tensor.type(), std::move(shape), {bytes.begin(), bytes.end()}};
}

std::size_t trips_of(const Tensor& tensor, std::size_t loops) {
  return element_count({tensor.shape().begin(), tensor.shape().begin() + static_cast<std::ptrdiff_t>(loops)});
}

class Calls {
 public:
  Calls(const WholeModel& model, const RecurrentNode& node, const Outputs& values)
      : model_(model), node_(node), values_(values) {}

  std::size_t count() const {
    const NodeTensor* x = node_.inputs.empty() ? nullptr : &node_.inputs[input::X];
    if (x == nullptr || !x->tap) return 1;
    const Tensor& tapped = value_at(*x->tap, *x);
    // A branch that is not taken gives a tensor without dimensions to speak of, and none of X has so few.
    if (tapped.rank() < node_.loops + rank_of_x && tapped.size() == 0) return 0;
    if (tapped.rank() < node_.loops) refuse_shape(*x, tapped);
    return trips_of(tapped, node_.loops);
  }

  NodeCall call(std::size_t trip) const {
    NodeCall made;
    made.problem.version = node_.version;
    made.problem.attributes = node_.attributes;
    for (const NodeTensor& tensor : node_.inputs) {
      Input in{tensor.presence, tensor.source, std::nullopt};
      if (tensor.constant != nullptr)
        in.tensor = read_tensor(*tensor.constant, where(tensor), model_.directory);
      else if (tensor.tap)
        in.tensor = part_at(tensor.tap, tensor, trip);
      made.problem.inputs.push_back(std::move(in));
      made.unquantised.push_back(part_at(tensor.unquantised_tap, tensor, trip));
    }
    for (const NodeTensor& tensor : node_.outputs) {
      made.problem.outputs.push_back(tensor.presence);
      made.outputs.push_back(part_at(tensor.tap, tensor, trip));
    }
    return made;
  }

 private:
  const Tensor& value_at(std::size_t tap, const NodeTensor& tensor) const {
    const auto& value = values_.at(tap);
    if (!value) refuse(where(tensor), "no value", "one from the engine");
    return *value;
  }

  /// The trip's part of what a tap of the tensor gave.
  std::optional<Tensor> part_at(std::optional<std::size_t> tap, const NodeTensor& tensor, std::size_t trip) const {
    if (!tap) return std::nullopt;
    const Tensor& value = value_at(*tap, tensor);
    if (value.rank() < node_.loops || trips_of(value, node_.loops) <= trip) refuse_shape(tensor, value);
    return part_of(value, node_.loops, trip);
  }

  [[noreturn]] void refuse_shape(const NodeTensor& tensor, const Tensor& value) const {
    refuse(where(tensor), fmt::format("shape {}", to_string(value.shape())),
           fmt::format("{} dimensions of the loops around it, alike for all tensors of the node", node_.loops));
  }

  std::string where(const NodeTensor& tensor) const {
    return fmt::format("{}: node {}: tensor {}", model_.path.string(), in_quotes(node_.path), in_quotes(tensor.name));
  }

  const WholeModel& model_;
  const RecurrentNode& node_;
  const Outputs& values_;
};

}  // namespace

std::size_t count_calls(const WholeModel& model, const RecurrentNode& node, const Outputs& tap_values) {
  return Calls(model, node, tap_values).count();
}

NodeCall call_of(const WholeModel& model, const RecurrentNode& node, const Outputs& tap_values, std::size_t number) {
  return Calls(model, node, tap_values).call(number);
}

}  // namespace cellproof::corpus
