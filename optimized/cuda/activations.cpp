#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "optimized/cuda/node.hpp"

namespace cellproof::cuda {
namespace {

/// Parameters that a function takes: none, alpha, or alpha and beta.
enum class Takes { Nothing, Alpha, AlphaAndBeta };

struct FunctionRow {
  const char* name;
  Takes takes;
  Activation defaults;
};

/// Defaults as those of the operators of the same names. Affine and ScaledTanh are operators no longer: alpha = 1, and
/// the beta that leaves the function what it is.
constexpr FunctionRow function_rows[] = {
    {"Relu", Takes::Nothing, {Function::Relu, 0, 0}},
    {"Tanh", Takes::Nothing, {Function::Tanh, 0, 0}},
    {"Sigmoid", Takes::Nothing, {Function::Sigmoid, 0, 0}},
    {"Affine", Takes::AlphaAndBeta, {Function::Affine, 1, 0}},
    {"LeakyRelu", Takes::Alpha, {Function::LeakyRelu, 0.01F, 0}},
    {"ThresholdedRelu", Takes::Alpha, {Function::ThresholdedRelu, 1, 0}},
    {"ScaledTanh", Takes::AlphaAndBeta, {Function::ScaledTanh, 1, 1}},
    {"HardSigmoid", Takes::AlphaAndBeta, {Function::HardSigmoid, 0.2F, 0.5F}},
    {"Elu", Takes::Alpha, {Function::Elu, 1, 0}},
    {"Softsign", Takes::Nothing, {Function::Softsign, 0, 0}},
    {"Softplus", Takes::Nothing, {Function::Softplus, 0, 0}},
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

const FunctionRow* find_function(const std::string& name) {
  const auto* const row = std::find_if(std::begin(function_rows), std::end(function_rows),
                                       [&](const FunctionRow& r) { return lower_case(r.name) == lower_case(name); });
  return row == std::end(function_rows) ? nullptr : row;
}

const FunctionRow& required_function(const std::string& name, std::size_t place) {
  if (const FunctionRow* row = find_function(name)) return *row;
  std::string list;
  for (const FunctionRow& row : function_rows) list += (list.empty() ? "" : ", ") + std::string(row.name);
  throw Invalid("activations[" + std::to_string(place) + "] is '" + name + "', expected one of " + list +
                " (attribute activations)");
}

std::vector<std::string> default_names(cellproof_cuda_operator op) {
  switch (op) {
    case CELLPROOF_CUDA_GRU:
      return {"Sigmoid", "Tanh"};
    case CELLPROOF_CUDA_RNN:
      return {"Tanh"};
    case CELLPROOF_CUDA_LSTM:
    case CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM:
      break;
  }
  return {"Sigmoid", "Tanh", "Tanh"};
}

/// The written list, or the default once for each direction.
std::vector<std::string> names_of(const cellproof_cuda_node& node, std::size_t each, std::size_t directions) {
  std::vector<std::string> names;
  if (node.activations.names == nullptr) {
    for (std::size_t d = 0; d < directions; ++d)
      for (const std::string& name : default_names(node.op)) names.push_back(name);
    return names;
  }
  for (std::size_t i = 0; i < node.activations.count; ++i) {
    names.emplace_back(node.activations.names[i]);
    required_function(names.back(), i);
  }
  // RNN's schema writes its default with two names, whatever the direction: written out, it means the same.
  const bool is_schema_default = node.op == CELLPROOF_CUDA_RNN && names.size() == 2 && lower_case(names[0]) == "tanh" &&
                                 lower_case(names[1]) == "tanh";
  if (is_schema_default) names.resize(directions);
  if (names.size() != each * directions)
    throw Invalid("activations has " + std::to_string(names.size()) + " names, expected " +
                  std::to_string(each * directions) + ": " + std::to_string(each) +
                  " for each direction (attribute activations)");
  return names;
}

/// One of the two lists of parameters, each value of which is taken once.
class ParameterStream {
 public:
  explicit ParameterStream(const cellproof_cuda_values& list) : next_(list.values), left_(list.count) {}
  void take_into(float& parameter) {
    if (left_ == 0) return;
    parameter = *next_++;
    --left_;
  }

 private:
  const float* next_;
  std::size_t left_;
};

}  // namespace

std::array<DirectionActivations, 2> activations_of(const cellproof_cuda_node& node, Index directions) {
  const std::size_t each = default_names(node.op).size();
  const auto names = names_of(node, each, static_cast<std::size_t>(directions));
  std::array<DirectionActivations, 2> result{};
  ParameterStream alphas(node.activation_alpha), betas(node.activation_beta);
  for (std::size_t place = 0; place < names.size(); ++place) {
    const FunctionRow& row = required_function(names[place], place);
    Activation activation = row.defaults;
    if (row.takes != Takes::Nothing) alphas.take_into(activation.alpha);
    if (row.takes == Takes::AlphaAndBeta) betas.take_into(activation.beta);
    result.at(place / each).at(place % each) = activation;
  }
  return result;
}

}  // namespace cellproof::cuda
