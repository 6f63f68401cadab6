#include "spec/axes/activation_lists.hpp"

#include <algorithm>
#include <array>

#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

using rules::Parameter;

std::string_view default_name(const Case& c, std::size_t place) {
  const auto& defaults = rules_of(c.version).default_activations;
  return defaults[place % defaults.size()];
}

bool all_default(const Case& c, const std::vector<std::string_view>& names) {
  for (std::size_t place = 0; place < names.size(); ++place) {
    if (names[place] != default_name(c, place)) return false;
  }
  return true;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char x) { return x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x; });
  return result;
}

/// Values that show: away from the defaults, and such that the function still curves or cuts near typical arguments.
struct Typical {
  std::string_view function;
  float alpha;
  float beta;
};
constexpr std::array<Typical, 6> typical = {{{"Affine", 0.75F, 0.125F},
                                             {"LeakyRelu", 0.15F, 0.0F},
                                             {"ThresholdedRelu", 0.25F, 0.0F},
                                             {"ScaledTanh", 1.25F, 0.8F},
                                             {"HardSigmoid", 0.3F, 0.4F},
                                             {"Elu", 0.7F, 0.0F}}};

float typical_value(std::string_view function, Parameter parameter, std::size_t place) {
  const auto found = std::ranges::find(typical, function, &Typical::function);
  const float base = parameter == Parameter::Alpha ? found->alpha : found->beta;
  return base + 0.03125F * static_cast<float>(place);
}

std::optional<std::vector<float>>& list_of(Case& c, Parameter parameter) {
  return parameter == Parameter::Alpha ? c.attributes.activation_alpha : c.attributes.activation_beta;
}

}  // namespace

bool is_bidirectional(const Case& c) {
  return c.attributes.direction && direction_named(*c.attributes.direction) == Direction::Bidirectional;
}

std::size_t places(const Case& c) {
  return rules_of(c.version).default_activations.size() * (is_bidirectional(c) ? 2 : 1);
}

const ActivationInfo* function_at(const Case& c, std::size_t place) {
  const auto& written = c.attributes.activations;
  const bool named = written && place < written->size();
  return named ? activation_named((*written)[place]) : activation_exactly(default_name(c, place));
}

std::vector<const ActivationInfo*> functions_of(const Case& c) {
  std::vector<const ActivationInfo*> functions(places(c));
  for (std::size_t place = 0; place < functions.size(); ++place) functions[place] = function_at(c, place);
  return functions;
}

std::string list_style(const Case& c) {
  const auto& written = c.attributes.activations;
  if (!written) return "default";
  for (const std::string& name : *written) {
    if (activation_exactly(name) == nullptr && activation_named(name) != nullptr) return "lower-case";
  }
  if (c.version.op == Operator::RNN && !is_bidirectional(c) && written->size() == 2) return "two-names";
  const std::vector<std::string_view> names(written->begin(), written->end());
  return all_default(c, names) ? "written-out" : "default";
}

void write_functions(Case& c, const std::vector<std::string_view>& names, std::string_view style) {
  if (style == "default" && all_default(c, names)) {
    c.attributes.activations.reset();
    return;
  }
  auto& written = c.attributes.activations.emplace();
  for (const std::string_view name : names) {
    written.push_back(style == "lower-case" ? lower(name) : std::string(name));
  }
}

std::string values_style(const Case& c, Parameter parameter) {
  const auto& written = parameter == Parameter::Alpha ? c.attributes.activation_alpha : c.attributes.activation_beta;
  if (!written) return "absent";
  const std::size_t wanted = rules::takers(functions_of(c), parameter);
  if (written->empty() && wanted == 0) return "absent";
  if (written->size() == wanted) return "given";
  return written->size() < wanted ? "short" : "long";
}

void write_values(Case& c, Parameter parameter, std::string_view style) {
  const auto functions = functions_of(c);
  const std::size_t wanted = rules::takers(functions, parameter);
  if (style == "absent" || (wanted == 0 && style != "long")) {
    list_of(c, parameter).reset();
    return;
  }
  std::vector<float> values;
  for (std::size_t place = 0; place < functions.size(); ++place) {
    if (rules::takes(functions[place], parameter)) {
      values.push_back(typical_value(functions[place]->name, parameter, place));
    }
  }
  if (style == "short") values.pop_back();
  if (style == "long") values.push_back(0.0625F);
  list_of(c, parameter) = std::move(values);
}

}  // namespace cellproof::axes_detail
