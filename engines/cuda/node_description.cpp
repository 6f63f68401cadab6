#include "engines/cuda/node_description.hpp"

#include <algorithm>
#include <utility>

namespace cellproof::engines {
namespace {

cellproof_operator cuda_operator(Operator op) {
  switch (op) {
    case Operator::LSTM:
      return CELLPROOF_LSTM;
    case Operator::GRU:
      return CELLPROOF_GRU;
    case Operator::RNN:
      return CELLPROOF_RNN;
    case Operator::DynamicQuantizeLSTM:
      break;
  }
  return CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
}

cellproof_type cuda_type(ElementType type) {
  constexpr std::pair<ElementType, cellproof_type> types[] = {
      {ElementType::Float16, CELLPROOF_FLOAT16}, {ElementType::BFloat16, CELLPROOF_BFLOAT16},
      {ElementType::Float, CELLPROOF_FLOAT},     {ElementType::Double, CELLPROOF_DOUBLE},
      {ElementType::Int8, CELLPROOF_INT8},       {ElementType::UInt8, CELLPROOF_UINT8},
      {ElementType::Int32, CELLPROOF_INT32}};
  const auto* const row = std::ranges::find(types, type, &std::pair<ElementType, cellproof_type>::first);
  return row == std::end(types) ? CELLPROOF_OTHER : row->second;
}

cellproof_values cuda_values(const std::optional<std::vector<float>>& list) {
  if (!list) return {nullptr, 0};
  return {list->data(), list->size()};
}

}  // namespace

CudaNodeDescription::CudaNodeDescription(const Problem& problem) {
  node_.op = cuda_operator(problem.version.op);
  set_attributes(problem.attributes);
  set_inputs(problem);
}

void CudaNodeDescription::set_attributes(const Attributes& attributes) {
  if (attributes.direction) node_.direction = attributes.direction->c_str();
  if (attributes.activations) {
    for (const std::string& name : *attributes.activations) names_.push_back(name.c_str());
    const std::size_t count = names_.size();
    names_.push_back(nullptr);  // an empty list is written, too, and must not be a null pointer
    node_.activations = {names_.data(), count};
  }
  node_.activation_alpha = cuda_values(attributes.activation_alpha);
  node_.activation_beta = cuda_values(attributes.activation_beta);
  if (attributes.clip) {
    node_.has_clip = 1;
    node_.clip = *attributes.clip;
  }
  if (attributes.hidden_size) {
    node_.has_hidden_size = 1;
    node_.hidden_size = *attributes.hidden_size;
  }
  node_.input_forget = attributes.input_forget.value_or(0);
  node_.linear_before_reset = attributes.linear_before_reset.value_or(0);
  node_.layout = attributes.layout.value_or(0);
}

void CudaNodeDescription::set_inputs(const Problem& problem) {
  for (std::size_t i = 0; i < data_.size(); ++i) {
    const Tensor* tensor = problem.input(i);
    if (tensor == nullptr) continue;
    cellproof_tensor& described = node_.inputs[i];
    described.type = cuda_type(tensor->type());
    described.rank = static_cast<std::int32_t>(tensor->rank());
    const std::size_t stated = std::min<std::size_t>(tensor->rank(), std::size(described.shape));
    std::copy_n(tensor->shape().begin(), stated, described.shape);
    const void* bytes = tensor->bytes().data();
    if (problem.inputs[i].source == Source::Initializer) {
      described.data = bytes;
    } else {
      data_[i] = bytes;
    }
  }
}

}  // namespace cellproof::engines
