#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "spec/rules/checks.hpp"
#include "spec/rules/touches.hpp"
#include "spec/rules/written_attributes.hpp"

namespace cellproof::rules {
namespace {

Violation broken_attribute(const NodeFacts& facts, std::string rule, std::string_view attribute, std::string message) {
  return {std::move(rule), citation(facts.problem.version, fmt::format("attribute {}", attribute)), std::move(message)};
}

std::string version_list(const NodeFacts& facts) {
  std::vector<std::string_view> names;
  for (const AttributeRule& rule : facts.rules.attributes) names.push_back(rule.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_unknown(const NodeFacts& facts, std::string_view attribute, std::vector<Violation>& found) {
  found.push_back({"attribute-unknown", citation(facts.problem.version, "attributes"),
                   fmt::format("attribute {} is unknown to {}; expected one of {}", attribute,
                               to_string(facts.problem.version), version_list(facts))});
}

void check_names_and_types(const NodeFacts& facts, std::vector<Violation>& found) {
  const Attributes& attributes = facts.problem.attributes;
  const std::vector<std::string_view> written = written_attributes(attributes);
  for (const std::string_view attribute : written) {
    if (facts.rules.attribute(attribute) == nullptr) check_unknown(facts, attribute, found);
  }
  for (const OtherAttribute& other : attributes.others) {
    const AttributeRule* rule = facts.rules.attribute(other.name);
    if (rule == nullptr) {
      check_unknown(facts, other.name, found);
    } else if (const AttributeType type = type_of(other.value); type != rule->type) {
      found.push_back(broken_attribute(
          facts, "attribute-type", other.name,
          fmt::format("attribute {} has type {}, expected {}", other.name, name(type), name(rule->type))));
    } else {
      found.push_back(
          broken_attribute(facts, "attribute-repeated", other.name,
                           fmt::format("attribute {} is written more than once, expected once", other.name)));
    }
  }
}

void check_direction(const NodeFacts& facts, std::vector<Violation>& found) {
  if (facts.direction) return;
  found.push_back(broken_attribute(facts, "direction-value", "direction",
                                   fmt::format("direction is '{}', expected forward, reverse or bidirectional",
                                               *facts.problem.attributes.direction)));
}

void check_hidden_size(const NodeFacts& facts, std::vector<Violation>& found) {
  const auto& written = facts.problem.attributes.hidden_size;
  if (written && *written <= 0) {
    found.push_back(broken_attribute(facts, "hidden-size-positive", "hidden_size",
                                     fmt::format("hidden_size is {}, expected a positive number", *written)));
  } else if (facts.hidden_size_mismatch) {
    found.push_back(
        broken_attribute(facts, "hidden-size-mismatch", "hidden_size",
                         fmt::format("hidden_size is {}, expected {} as in the shapes of W {} and R {}", *written,
                                     *facts.sizes.H, to_string(facts.problem.input(input::W)->shape()),
                                     to_string(facts.problem.input(input::R)->shape()))));
  } else if (facts.sizes.H && *facts.sizes.H <= 0) {
    found.push_back(broken_attribute(
        facts, "hidden-size-positive", "hidden_size",
        fmt::format("the hidden size is {} by the shapes of W and R, expected a positive number", *facts.sizes.H)));
  }
}

void check_clip(const NodeFacts& facts, std::vector<Violation>& found) {
  const auto& clip = facts.problem.attributes.clip;
  if (!clip || *clip >= 0.0F) return;
  if (std::isnan(*clip)) {
    found.push_back(broken_attribute(facts, "clip-nan", "clip", "clip is nan, expected a number of at least 0"));
  } else {
    found.push_back(broken_attribute(facts, "clip-negative", "clip",
                                     fmt::format("clip is {}, expected a number of at least 0", *clip)));
  }
}

void check_activations(const NodeFacts& facts, std::vector<Violation>& found) {
  const auto& written = facts.problem.attributes.activations;
  if (!written) return;
  for (std::size_t place = 0; place < written->size(); ++place) {
    if (activation_named((*written)[place]) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const ActivationInfo& row : activations()) names.push_back(row.name);
    found.push_back(broken_attribute(
        facts, "activation-unknown", "activations",
        fmt::format("activations[{}] is '{}', expected one of {}", place, (*written)[place], fmt::join(names, ", "))));
  }
  if (!facts.direction || touches(facts, Clause::ActivationCount)) return;
  const std::size_t expected = facts.rules.slots.size() * static_cast<std::size_t>(*facts.sizes.D);
  if (written->size() == expected) return;
  found.push_back(broken_attribute(facts, "activation-count", "activations",
                                   fmt::format("activations has {} names, expected {} for direction {}",
                                               written->size(), expected, name(*facts.direction))));
}

}  // namespace

std::vector<Violation> attribute_violations(const NodeFacts& facts) {
  std::vector<Violation> found;
  check_names_and_types(facts, found);
  check_direction(facts, found);
  check_hidden_size(facts, found);
  check_clip(facts, found);
  check_activations(facts, found);
  return found;
}

}  // namespace cellproof::rules
