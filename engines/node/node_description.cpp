#include "engines/node/node_description.hpp"

#include <algorithm>
#include <array>

namespace cellproof::engines {
namespace {

/// As spec's Operator counts.
constexpr std::array node_operators{CELLPROOF_LSTM, CELLPROOF_GRU, CELLPROOF_RNN, CELLPROOF_DYNAMIC_QUANTIZE_LSTM};

cellproof_type type_of(ElementType type) {
  switch (type) {
    case ElementType::Float16:
      return CELLPROOF_FLOAT16;
    case ElementType::BFloat16:
      return CELLPROOF_BFLOAT16;
    case ElementType::Float:
      return CELLPROOF_FLOAT;
    case ElementType::Double:
      return CELLPROOF_DOUBLE;
    case ElementType::Int8:
      return CELLPROOF_INT8;
    case ElementType::UInt8:
      return CELLPROOF_UINT8;
    case ElementType::Int32:
      return CELLPROOF_INT32;
    case ElementType::Int64:
      break;
  }
  return CELLPROOF_OTHER;
}

cellproof_values values_of(const std::optional<std::vector<float>>& list) {
  return list ? cellproof_values{list->data(), list->size()} : cellproof_values{};
}

cellproof_tensor tensor_of(const Tensor& tensor) {
  cellproof_tensor result{type_of(tensor.type()), static_cast<std::int32_t>(tensor.rank()), {}, nullptr};
  const auto dimensions = std::min<std::size_t>(tensor.rank(), std::size(result.shape));
  std::copy_n(tensor.shape().begin(), dimensions, result.shape);
  return result;
}

}  // namespace

NodeDescription::NodeDescription(const Problem& problem) {
  const Attributes& attributes = problem.attributes;
  node_.op = node_operators.at(static_cast<std::size_t>(problem.version.op));
  node_.direction = attributes.direction ? attributes.direction->c_str() : nullptr;
  if (attributes.activations) {
    for (const std::string& name : *attributes.activations) activations_.push_back(name.c_str());
    activations_.push_back(nullptr);  // so that an empty list, too, is one that is written
    node_.activations = {activations_.data(), attributes.activations->size()};
  }
  node_.activation_alpha = values_of(attributes.activation_alpha);
  node_.activation_beta = values_of(attributes.activation_beta);
  node_.has_clip = attributes.clip.has_value();
  node_.clip = attributes.clip.value_or(0);
  node_.has_hidden_size = attributes.hidden_size.has_value();
  node_.hidden_size = attributes.hidden_size.value_or(0);
  node_.input_forget = attributes.input_forget.value_or(0);
  node_.linear_before_reset = attributes.linear_before_reset.value_or(0);
  node_.layout = attributes.layout.value_or(0);
  for (std::size_t i = 0; i < data_.size(); ++i) {
    const Tensor* tensor = problem.input(i);
    if (tensor == nullptr) continue;
    node_.inputs[i] = tensor_of(*tensor);
    const bool constant = problem.inputs[i].source != Source::GraphInput;
    (constant ? node_.inputs[i].data : data_[i]) = tensor->bytes().data();
  }
}

Outputs empty_outputs(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  const Shape state = batch_first ? Shape{N, D, H} : Shape{D, N, H};
  const std::array shapes{batch_first ? Shape{N, T, D, H} : Shape{T, D, N, H}, state, state};
  Outputs outputs(problem.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (problem.asks_for(i)) outputs[i].emplace(problem.input(input::X)->type(), shapes.at(i));
  return outputs;
}

}  // namespace cellproof::engines
