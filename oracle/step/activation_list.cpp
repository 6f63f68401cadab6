#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/step/activation.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::oracle {
namespace {

std::vector<std::string> written_or_default_names(const Problem& problem, int directions) {
  const auto& written = problem.attributes.activations;
  if (written && !written->empty()) return *written;
  std::vector<std::string> names;
  for (int d = 0; d < directions; ++d) {
    switch (problem.version.op) {
      case Operator::LSTM:
      case Operator::DynamicQuantizeLSTM:
        names.insert(names.end(), {"Sigmoid", "Tanh", "Tanh"});
        break;
      case Operator::GRU:
        names.insert(names.end(), {"Sigmoid", "Tanh"});
        break;
      case Operator::RNN:
        names.emplace_back("Tanh");
        break;
    }
  }
  return names;
}

/// Place in activation_alpha (or _beta) of the value for the function at `slot` of the whole list. The k-th value is
/// for the k-th function, or for the k-th that takes one, counted from the start of the list or of the direction.
std::size_t place_in_values(const std::vector<const ActivationInfo*>& functions, std::size_t slot, std::size_t first,
                            bool ActivationInfo::*uses, bool positional) {
  std::size_t place = 0;
  for (std::size_t s = first; s < slot; ++s) place += positional || functions[s]->*uses;
  return place;
}

}  // namespace

ActivationKind kind_of(const ActivationInfo& info) {
  using enum ActivationKind;
  static constexpr std::pair<std::string_view, ActivationKind> names[] = {
      {"Relu", Relu},
      {"Tanh", Tanh},
      {"Sigmoid", Sigmoid},
      {"Affine", Affine},
      {"LeakyRelu", LeakyRelu},
      {"ThresholdedRelu", ThresholdedRelu},
      {"ScaledTanh", ScaledTanh},
      {"HardSigmoid", HardSigmoid},
      {"Elu", Elu},
      {"Softsign", Softsign},
      {"Softplus", Softplus},
  };
  for (const auto& [name, kind] : names) {
    if (name == info.name) return kind;
  }
  throw std::invalid_argument(fmt::format("the oracle has no model of the activation {}", info.name));
}

bool may_swallow_nan(ActivationKind kind) {
  return kind == ActivationKind::Relu || kind == ActivationKind::ThresholdedRelu || kind == ActivationKind::HardSigmoid;
}

std::array<Activation, 3> activations_of(const Problem& problem, const Readings& readings, int direction) {
  const auto slots = static_cast<std::size_t>(activation_count(problem.version.op));
  const Dimensions size = dimensions_of(problem);
  std::vector<const ActivationInfo*> functions;
  for (const std::string& written : written_or_default_names(problem, static_cast<int>(size.D))) {
    const ActivationInfo* info = activation_named(written);
    if (!info) throw std::invalid_argument(fmt::format("activations: '{}' is no activation function", written));
    functions.push_back(info);
  }
  const std::size_t begin = slots * static_cast<std::size_t>(direction);
  if (functions.size() < begin + slots) {
    throw std::invalid_argument(fmt::format("activations: {} functions, expected {}", functions.size(),
                                            slots * static_cast<std::size_t>(size.D)));
  }

  const bool positional = readings.is(Clause::AlphaConsumption, "positional");
  const std::size_t first = readings.is(Clause::AlphaAcrossDirections, "restart") ? begin : 0;
  const bool in_double = problem.inputs.at(input::X).tensor->type() == ElementType::Double &&
                         readings.is(Clause::DefaultParametersInDouble, "double");
  const bool zero_when_open = readings.is(Clause::DefaultsAffineScaledTanh, "zero");

  const auto parameter = [&](std::size_t slot, const std::optional<std::vector<float>>& given,
                             bool ActivationInfo::*uses, std::optional<float> by_float,
                             std::optional<double> by_decimal) -> double {
    const ActivationInfo& f = *functions[slot];
    if (!(f.*uses)) return 0;
    const std::size_t place = place_in_values(functions, slot, first, uses, positional);
    if (given && place < given->size()) return (*given)[place];
    if (f.source == DefaultSource::Open && zero_when_open) return 0;
    return in_double && by_decimal ? *by_decimal : static_cast<double>(by_float.value_or(0));
  };

  std::array<Activation, 3> result;
  for (std::size_t s = 0; s < slots; ++s) {
    const std::size_t slot = begin + s;
    const ActivationInfo& f = *functions[slot];
    result[s].kind = kind_of(f);
    result[s].alpha = parameter(slot, problem.attributes.activation_alpha, &ActivationInfo::uses_alpha, f.default_alpha,
                                f.decimal_alpha);
    result[s].beta =
        parameter(slot, problem.attributes.activation_beta, &ActivationInfo::uses_beta, f.default_beta, f.decimal_beta);
    result[s].keeps_equal = readings.is(Clause::ThresholdedReluEquality, "ge");
  }
  return result;
}

}  // namespace cellproof::oracle
