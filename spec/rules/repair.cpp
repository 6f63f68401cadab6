#include "spec/rules/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"
#include "spec/rules/written_attributes.hpp"

namespace cellproof::rules {
namespace {

using Repair = void (*)(Case&);

void drop_unknown_attributes(Case& c) {
  const OperatorRules& rules = rules_of(c.version);
  for (const std::string_view attribute : written_attributes(c.attributes)) {
    if (rules.attribute(attribute) == nullptr) erase_attribute(c.attributes, attribute);
  }
  std::erase_if(c.attributes.others,
                [&](const OtherAttribute& other) { return rules.attribute(other.name) == nullptr; });
}

void drop_mistyped_attributes(Case& c) {
  const OperatorRules& rules = rules_of(c.version);
  const auto known = [&](const OtherAttribute& other) { return rules.attribute(other.name) != nullptr; };
  for (const OtherAttribute& other : c.attributes.others) {
    // Without hidden_size the twin might be refused for clause hidden-size-absent.
    if (other.name == "hidden_size") c.attributes.hidden_size = c.H;
  }
  std::erase_if(c.attributes.others, known);
}

void reset_direction(Case& c) {
  c.attributes.direction.reset();
}

void set_hidden_size(Case& c) {
  c.H = std::max<std::int64_t>(c.H, 1);
  if (c.attributes.hidden_size == c.H) {  // then it is W and R that say otherwise
    for (const std::size_t position : {input::W, input::R}) {
      c.inputs[position].shape.reset();
      c.inputs[position].values = Generated{};
    }
  }
  c.attributes.hidden_size = c.H;
}

void make_clip_positive(Case& c) {
  c.attributes.clip = std::fabs(c.attributes.clip.value_or(0));
}
void drop_clip(Case& c) {
  c.attributes.clip.reset();
}

void replace_unknown_activations(Case& c) {
  const std::vector<std::string_view>& defaults = rules_of(c.version).default_activations;
  std::vector<std::string>& names = *c.attributes.activations;
  for (std::size_t place = 0; place < names.size(); ++place) {
    if (activation_named(names[place]) == nullptr) names[place] = defaults[place % defaults.size()];
  }
}

void resize_activations(Case& c) {
  const std::vector<std::string_view>& defaults = rules_of(c.version).default_activations;
  const bool both = c.attributes.direction && direction_named(*c.attributes.direction) == Direction::Bidirectional;
  std::vector<std::string>& names = *c.attributes.activations;
  const std::size_t wanted = defaults.size() * (both ? 2 : 1);
  while (names.size() < wanted) names.emplace_back(defaults[names.size() % defaults.size()]);
  names.resize(wanted);
}

void drop_surplus_inputs(Case& c) {
  c.inputs.resize(rules_of(c.version).inputs.size());
}
void drop_surplus_outputs(Case& c) {
  c.outputs.resize(rules_of(c.version).outputs.size());
}

void clamp_lengths(Case& c) {
  CaseInput& lengths = c.inputs[input::sequence_lens];
  Tensor* literal = std::get_if<Tensor>(&lengths.values);
  if (literal == nullptr) {
    lengths.values = Generated{};
    return;
  }
  for (std::size_t i = 0; i < literal->size(); ++i) {
    const std::int64_t length = literal->integer(i);
    if (length < 0) literal->set_value(i, static_cast<double>(std::min<std::int64_t>(1, c.T)));
    if (length > c.T) literal->set_value(i, static_cast<double>(c.T));
  }
}

struct RuleRepair {
  std::string_view rule;
  Repair repair;
};

constexpr std::array<RuleRepair, 13> repairs = {{
    {"attribute-unknown", drop_unknown_attributes},
    {"attribute-type", drop_mistyped_attributes},
    {"attribute-repeated", drop_mistyped_attributes},
    {"direction-value", reset_direction},
    {"hidden-size-positive", set_hidden_size},
    {"hidden-size-mismatch", set_hidden_size},
    {"clip-negative", make_clip_positive},
    {"clip-nan", drop_clip},
    {"activation-unknown", replace_unknown_activations},
    {"activation-count", resize_activations},
    {"input-count", drop_surplus_inputs},
    {"output-count", drop_surplus_outputs},
    {"length-out-of-range", clamp_lengths},
}};

/// The values in another type; nullopt where it cannot hold them.
std::optional<Tensor> converted(const Tensor& tensor, ElementType type) {
  if (is_floating_point(tensor.type()) != is_floating_point(type)) return std::nullopt;
  Tensor result(type, tensor.shape());
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (!is_floating_point(type)) {
      const std::int64_t value = tensor.integer(i);
      const bool fits = type == ElementType::UInt8  ? value >= 0 && value <= 255
                        : type == ElementType::Int8 ? value >= -128 && value <= 127
                                                    : value >= std::numeric_limits<std::int32_t>::min() &&
                                                          value <= std::numeric_limits<std::int32_t>::max();
      if (!fits) return std::nullopt;
    }
    result.set_value(i, tensor.value(i));
  }
  return result;
}

bool allowed(const OperatorRules& rules, std::string_view constraint, ElementType type) {
  const std::vector<ElementType>& list = rules.type(constraint)->allowed;
  return std::ranges::find(list, type) != list.end();
}

void repair_type(Case& c, std::size_t position) {
  const OperatorRules& rules = rules_of(c.version);
  if (!allowed(rules, "T", c.type)) c.type = ElementType::Float;
  if (rules.type("T2") != nullptr && !allowed(rules, "T2", c.weight_type)) c.weight_type = ElementType::UInt8;
  CaseInput& in = c.inputs[position];
  in.type.reset();
  if (const Tensor* literal = std::get_if<Tensor>(&in.values)) {
    if (auto kept = converted(*literal, default_type(c, position))) {
      in.values = std::move(*kept);
    } else {
      in.values = Generated{};
    }
  }
}

void repair_shape(Case& c, std::size_t position) {
  c.inputs[position].shape.reset();
  if (std::holds_alternative<Tensor>(c.inputs[position].values)) c.inputs[position].values = Generated{};
}

void repair_missing_input(Case& c, std::size_t position) {
  const Case plain = plain_case(c.version, c.type, c.T, c.N, c.I, c.H);
  while (c.inputs.size() <= position) c.inputs.push_back(plain.inputs[c.inputs.size()]);
  c.inputs[position].presence = Presence::Given;
}

void repair_missing_output(Case& c, std::size_t position) {
  if (c.outputs.size() <= position) c.outputs.resize(position + 1, Presence::Absent);
  c.outputs[position] = Presence::Given;
}

std::optional<std::size_t> position_of(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// "missing-", "type-of-", "shape-of-", "rank-of-" and the name of an input or output; false for any other rule.
bool repair_argument(Case& c, std::string_view rule) {
  const std::string_view argument = rule.substr(std::min(rule.size(), rule.rfind('-') + 1));
  const auto in = position_of(input_names(c.version.op), argument);
  const auto out = position_of(output_names(c.version.op), argument);
  if (rule.starts_with("missing-") && in) {
    repair_missing_input(c, *in);
  } else if (rule.starts_with("missing-") && out) {
    repair_missing_output(c, *out);
  } else if (rule.starts_with("type-of-") && in) {
    repair_type(c, *in);
  } else if ((rule.starts_with("shape-of-") || rule.starts_with("rank-of-")) && in) {
    repair_shape(c, *in);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Case repaired(Case c, const std::vector<Violation>& violations) {
  for (const Violation& violation : violations) {
    const auto found = std::ranges::find(repairs, violation.rule, &RuleRepair::rule);
    if (found != repairs.end()) {
      found->repair(c);
    } else if (!repair_argument(c, violation.rule)) {
      throw std::logic_error(fmt::format("rule {} has no repair", violation.rule));
    }
  }
  return c;
}

}  // namespace cellproof::rules
