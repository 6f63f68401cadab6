#include "spec/axes/activation_lists.hpp"
#include "spec/axes/groups.hpp"
#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::axes_detail {
namespace {

using Values = std::vector<std::string>;

/// The default where the name at the place is unknown.
std::string_view name_at(const Case& c, std::size_t place) {
  if (const ActivationInfo* function = function_at(c, place)) return function->name;
  const auto& defaults = rules_of(c.version).default_activations;
  return defaults[place % defaults.size()];
}

std::vector<std::string_view> names_of(const Case& c) {
  std::vector<std::string_view> names(places(c));
  for (std::size_t place = 0; place < names.size(); ++place) names[place] = name_at(c, place);
  return names;
}

Axis list_axis() {
  return make_axis(
      "activations",
      "how the list of functions is written: left out where it can be, the default functions by name, in lower case "
      "(clause activation-name-case), or the RNN's default list of two names in one direction (clause "
      "activation-count). "
      "written-out and two-names choose the default functions, two-names one direction, too",
      [](OperatorVersion version) {
        Values values = {"default", "written-out", "lower-case"};
        if (version.op == Operator::RNN) values.emplace_back("two-names");
        return values;
      },
      list_style,
      [](Case& c, std::string_view value) {
        if (value == "two-names") {
          if (is_bidirectional(c)) c.attributes.direction.reset();
          c.attributes.activations = {"Tanh", "Tanh"};
          return;
        }
        if (value == "written-out") c.attributes.activations.reset();
        write_functions(c, names_of(c), value);
      });
}

Values functions_by_default_first(std::string_view default_name) {
  Values values = {std::string(default_name)};
  for (const ActivationInfo& row : activations()) {
    if (row.name != default_name) values.emplace_back(row.name);
  }
  return values;
}

Axis slot_axis(std::string_view name, std::string_view what, std::size_t slot, bool backward) {
  const auto values = [slot](OperatorVersion version) {
    const auto& defaults = rules_of(version).default_activations;
    return slot < defaults.size() ? functions_by_default_first(defaults[slot]) : Values{};
  };
  const auto place = [=](const Case& c) { return slot + (backward ? rules_of(c.version).slots.size() : 0); };
  const auto of = [=](const Case& c) {
    return std::string(place(c) < places(c) ? name_at(c, place(c)) : rules_of(c.version).default_activations[slot]);
  };
  const auto change = [=](Case& c, std::string_view value) {
    const std::string style = list_style(c);
    if (backward && !is_bidirectional(c)) c.attributes.direction = "bidirectional";
    auto functions = names_of(c);
    functions[place(c)] = activation_exactly(value)->name;
    // A list that stands for something else than its functions cannot stay so.
    write_functions(c, functions, style == "lower-case" ? "lower-case" : "default");
  };
  return make_axis(name, what, values, of, change);
}

/// HardSigmoid takes both parameters and is a gate as good as Sigmoid.
void let_functions_take(Case& c, rules::Parameter parameter, bool all_of_them) {
  if (rules::takers(functions_of(c), parameter) > 0) return;
  auto functions = names_of(c);
  const std::size_t slots = rules_of(c.version).slots.size();
  for (std::size_t place = 0; place < functions.size(); ++place) {
    if (all_of_them || place % slots == 0) functions[place] = "HardSigmoid";
  }
  write_functions(c, functions, list_style(c) == "lower-case" ? "lower-case" : "default");
}

Axis values_axis(std::string_view name, std::string_view what, rules::Parameter parameter) {
  return make_axis(
      name, what,
      [](OperatorVersion) {
        return Values{"absent", "given", "short", "long"};
      },
      [=](const Case& c) { return values_style(c, parameter); },
      [=](Case& c, std::string_view value) {
        if (value == "given" || value == "short") let_functions_take(c, parameter, value == "short");
        write_values(c, parameter, value);
      });
}

}  // namespace

std::vector<Axis> activation_axes() {
  return {
      list_axis(),
      slot_axis("activation.f", "the function f of the forward (or only) direction", 0, false),
      slot_axis("activation.g", "the function g of the forward (or only) direction", 1, false),
      slot_axis("activation.h", "the function h of the forward (or only) direction", 2, false),
      slot_axis("activation.f.backward",
                "the function f of the backward direction; another makes the case bidirectional", 0, true),
      slot_axis("activation.g.backward",
                "the function g of the backward direction; another makes the case bidirectional", 1, true),
      slot_axis("activation.h.backward",
                "the function h of the backward direction; another makes the case bidirectional", 2, true),
      values_axis(
          "alpha",
          "activation_alpha: absent, one value for each function that takes one, one too few, one too many (clause "
          "alpha-list-length); given and short make functions HardSigmoid where none takes a value",
          rules::Parameter::Alpha),
      values_axis("beta", "activation_beta, likewise", rules::Parameter::Beta),
  };
}

}  // namespace cellproof::axes_detail
