#include "engines/cudnn/describe_cudnn_node.hpp"

#include <algorithm>

namespace cellproof::engines {
namespace {

cellproof_operator cudnn_operator(Operator op) {
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

cellproof_type cudnn_type(ElementType type) {
  switch (type) {
    case ElementType::Float16:
      return CELLPROOF_FLOAT16;
    case ElementType::BFloat16:
      return CELLPROOF_BFLOAT16;
    case ElementType::Float:
      return CELLPROOF_FLOAT;
    case ElementType::Double:
      return CELLPROOF_DOUBLE;
    case ElementType::Int32:
      return CELLPROOF_INT32;
    default:
      return CELLPROOF_OTHER;
  }
}

cellproof_tensor cudnn_tensor(const Tensor& tensor) {
  cellproof_tensor result{cudnn_type(tensor.type()), static_cast<std::int32_t>(tensor.rank()), {}, nullptr};
  std::copy_n(tensor.shape().begin(), std::min<std::size_t>(tensor.rank(), std::size(result.shape)), result.shape);
  return result;
}

}  // namespace

CudnnNode::CudnnNode(const Problem& problem) {
  const Attributes& attributes = problem.attributes;
  node_.op = cudnn_operator(problem.version.op);
  node_.direction = attributes.direction ? attributes.direction->c_str() : nullptr;
  if (attributes.activations) {
    for (const std::string& name : *attributes.activations) activations_.push_back(name.c_str());
    activations_.push_back(nullptr);  // so that an empty list, too, is one that is written
    node_.activations = {activations_.data(), attributes.activations->size()};
  }
  node_.has_clip = attributes.clip.has_value();
  node_.clip = attributes.clip.value_or(0);
  node_.has_hidden_size = attributes.hidden_size.has_value();
  node_.hidden_size = attributes.hidden_size.value_or(0);
  node_.input_forget = attributes.input_forget.value_or(0);
  node_.linear_before_reset = attributes.linear_before_reset.value_or(0);
  node_.layout = attributes.layout.value_or(0);
  for (std::size_t i = 0; i < data_.size(); ++i) {
    const Tensor* const tensor = problem.input(i);
    if (tensor == nullptr) continue;
    node_.inputs[i] = cudnn_tensor(*tensor);
    const bool constant = problem.inputs[i].source == Source::Initializer;
    (constant ? node_.inputs[i].data : data_[i]) = tensor->bytes().data();
  }
}

}  // namespace cellproof::engines
