#include "spec/rules/activations.hpp"

#include <algorithm>
#include <array>

namespace cellproof {
namespace {

constexpr std::nullopt_t none = std::nullopt;

constexpr auto functions = std::to_array<ActivationInfo>({
    {"Relu", "max(0, x)"},
    {"Tanh", "tanh(x)"},
    {"Sigmoid", "1 / (1 + exp(-x))"},
    {"Affine", "alpha * x + beta", true, true, 1.0F, 0.0F, 1.0, 0.0, DefaultSource::Open,
     "Affine-1, an experimental operator that is gone: alpha 1, beta 0"},
    {"LeakyRelu", "x if x >= 0 else alpha * x", true, false, 0.01F, none, 0.01, none, DefaultSource::Operator,
     "LSTM-22, attribute activation_alpha; LeakyRelu: alpha 0.01"},
    {"ThresholdedRelu", "x if x >= alpha else 0", true, false, 1.0F, none, 1.0, none, DefaultSource::Operator,
     "ThresholdedRelu: alpha 1.0"},
    {"ScaledTanh", "alpha * tanh(beta * x)", true, true, 1.0F, 1.0F, 1.0, 1.0, DefaultSource::Open,
     "ScaledTanh-1, an experimental operator that is gone and had no defaults"},
    {"HardSigmoid", "min(max(alpha * x + beta, 0), 1)", true, true, 0.2F, 0.5F, 0.2, 0.5, DefaultSource::Operator,
     "HardSigmoid: alpha 0.2, beta 0.5"},
    {"Elu", "x if x >= 0 else alpha * (exp(x) - 1)", true, false, 1.0F, none, 1.0, none, DefaultSource::Operator,
     "Elu: alpha 1.0"},
    {"Softsign", "x / (1 + |x|)"},
    {"Softplus", "log(1 + exp(x))"},
});

/// ASCII only, so that the process's locale cannot change what a name means.
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::span<const ActivationInfo> activations() {
  return functions;
}

const ActivationInfo* activation_exactly(std::string_view name) {
  const auto found = std::ranges::find(functions, name, &ActivationInfo::name);
  return found == functions.end() ? nullptr : &*found;
}

const ActivationInfo* activation_named(std::string_view name) {
  if (const ActivationInfo* exact = activation_exactly(name)) return exact;  // nearly always, and found sooner
  const auto found =
      std::ranges::find_if(functions, [&](const ActivationInfo& row) { return same_but_for_case(row.name, name); });
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace cellproof
