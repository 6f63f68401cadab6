#include "reference/activation_list.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "spec/operator.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::reference {
namespace {

/// "Equations (Default: f=Sigmoid, g=Tanh, h=Tanh)", GRU: f=Sigmoid, g=Tanh, RNN: f=Tanh; the same for both directions.
const std::vector<std::string>& default_names(Operator op) {
  static const std::map<Operator, std::vector<std::string>> names{
      {Operator::LSTM, {"Sigmoid", "Tanh", "Tanh"}},
      {Operator::GRU, {"Sigmoid", "Tanh"}},
      {Operator::RNN, {"Tanh"}},
      {Operator::DynamicQuantizeLSTM, {"Sigmoid", "Tanh", "Tanh"}},
  };
  return names.at(op);
}

/// One name for each direction and slot, in the order in which the attribute lists them.
std::vector<std::string> names_of(const Problem& problem, std::size_t directions, std::size_t slots) {
  std::vector<std::string> names;
  if (problem.attributes.activations && !problem.attributes.activations->empty()) {
    names = *problem.attributes.activations;
    // RNN's schema default is the two names [Tanh, Tanh] for one direction as well: the first one counts
    // (activation-count).
    const bool schema_default = problem.version.op == Operator::RNN && directions == 1 && names.size() == 2;
    if (schema_default) names.pop_back();
  } else {
    for (std::size_t d = 0; d < directions; ++d) {
      const auto& defaults = default_names(problem.version.op);
      names.insert(names.end(), defaults.begin(), defaults.end());
    }
  }
  if (names.size() != directions * slots) {
    throw std::invalid_argument("activations: " + std::to_string(names.size()) + " names, expected " +
                                std::to_string(directions * slots));
  }
  return names;
}

/// activation_alpha or activation_beta, handed out to the functions that take the parameter.
class Values {
 public:
  Values(const std::optional<std::vector<float>>& list, const Readings& readings)
      : list_(list.value_or(std::vector<float>{})),
        positional_(readings.is(Clause::AlphaConsumption, "positional")),
        restart_(readings.is(Clause::AlphaAcrossDirections, "restart")) {}

  void begin_direction() {
    if (restart_) unread_ = slot_ = 0;
  }
  /// The value given to the next function of the list; nullopt where it takes none or where the list has run out.
  std::optional<double> next(bool takes_one) {
    const std::size_t position = positional_ ? slot_ : unread_;
    ++slot_;
    if (!takes_one) return std::nullopt;
    ++unread_;
    if (position >= list_.size()) return std::nullopt;
    return list_[position];
  }

 private:
  std::vector<float> list_;
  bool positional_;
  bool restart_;
  std::size_t slot_ = 0;    ///< functions passed so far
  std::size_t unread_ = 0;  ///< functions passed so far that take the parameter
};

struct Defaults {
  const Readings& readings;
  bool in_double;  ///< T is double, where the decimal default may be meant

  double operator()(const ActivationInfo& info, std::optional<float> as_float, std::optional<double> decimal) const {
    if (!as_float || !decimal) return 0;
    if (info.source == DefaultSource::Open) {
      if (readings.is(Clause::DefaultsAffineScaledTanh, "refuse")) {
        throw std::invalid_argument(std::string(info.name) +
                                    " without parameters is refused under defaults-affine-scaledtanh=refuse");
      }
      if (readings.is(Clause::DefaultsAffineScaledTanh, "zero")) return 0;
    }
    const bool decimal_meant = in_double && readings.is(Clause::DefaultParametersInDouble, "double");
    return decimal_meant ? *decimal : static_cast<double>(*as_float);
  }
};

}  // namespace

std::vector<std::vector<Activation>> resolve_activations(const Problem& problem, const Readings& readings) {
  const auto directions = static_cast<std::size_t>(dimensions_of(problem).D);
  const auto slots = static_cast<std::size_t>(activation_count(problem.version.op));
  const auto names = names_of(problem, directions, slots);
  Values alphas(problem.attributes.activation_alpha, readings);
  Values betas(problem.attributes.activation_beta, readings);
  const Tensor* X = problem.input(input::X);
  const Defaults default_of{readings, X && X->type() == ElementType::Double};

  std::vector<std::vector<Activation>> result(directions);
  for (std::size_t d = 0; d < directions; ++d) {
    alphas.begin_direction();
    betas.begin_direction();
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::string& name = names[d * slots + slot];
      const ActivationInfo* info = activation_named(name);
      if (!info) throw std::invalid_argument("activations: no function named '" + name + "'");
      const auto alpha = alphas.next(info->uses_alpha);
      const auto beta = betas.next(info->uses_beta);
      result[d].push_back({.function = static_cast<Function>(info - activations().data()),
                           .alpha = alpha ? *alpha : default_of(*info, info->default_alpha, info->decimal_alpha),
                           .beta = beta ? *beta : default_of(*info, info->default_beta, info->decimal_beta),
                           .equal_passes = readings.is(Clause::ThresholdedReluEquality, "ge")});
    }
  }
  return result;
}

}  // namespace cellproof::reference
