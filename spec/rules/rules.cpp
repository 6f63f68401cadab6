#include "spec/rules/rules.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "spec/rules/operator_table.hpp"

namespace cellproof {
namespace {

constexpr std::array<std::string_view, 6> attribute_type_names = {"INT",  "FLOAT",  "STRING",
                                                                  "INTS", "FLOATS", "STRINGS"};

const rules::OperatorTable& table_of(Operator op) {
  using namespace rules;
  for (const auto table : {lstm_table, gru_table, rnn_table, dynamic_quantize_lstm_table}) {
    if (table().op == op) return table();
  }
  throw std::invalid_argument("rules_of: no such operator");
}

std::vector<ArgumentRule> arguments_in(const std::vector<rules::ArgumentRow>& rows, int version) {
  std::vector<ArgumentRule> list;
  for (const rules::ArgumentRow& row : rows) {
    if (row.versions.holds_in(version)) list.push_back(row.rule);
  }
  return list;
}

OperatorRules slice(OperatorVersion version) {
  const rules::OperatorTable& table = table_of(version.op);
  const int number = version.since_version;
  OperatorRules result{.version = version,
                       .inputs = arguments_in(table.inputs, number),
                       .outputs = arguments_in(table.outputs, number),
                       .attributes = {},
                       .types = {},
                       .slots = table.slots,
                       .default_activations = table.default_activations,
                       .gates = table.gates};
  for (const rules::AttributeRow& row : table.attributes) {
    // No attribute of these operators is required, in any version.
    if (row.versions.holds_in(number))
      result.attributes.push_back({row.name, row.type, Need::Optional, row.default_value});
  }
  for (const rules::TypeRow& row : table.types) {
    if (row.versions.holds_in(number)) result.types.push_back(row.constraint);
  }
  return result;
}

std::vector<OperatorRules> all_slices() {
  std::vector<OperatorRules> slices;
  for (const OperatorVersion& version : all_operator_versions()) slices.push_back(slice(version));
  return slices;
}

std::size_t up_to_last_required(const std::vector<ArgumentRule>& arguments) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].need == Need::Required) count = i + 1;
  }
  return count;
}

}  // namespace

std::string_view name(AttributeType type) {
  return attribute_type_names.at(static_cast<std::size_t>(type));
}

AttributeType type_of(const AttributeValue& value) {
  return static_cast<AttributeType>(value.index());
}

const AttributeRule* OperatorRules::attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::find(attributes, attribute_name, &AttributeRule::name);
  return found == attributes.end() ? nullptr : &*found;
}

const TypeConstraint* OperatorRules::type(std::string_view constraint_name) const {
  const auto found = std::ranges::find(types, constraint_name, &TypeConstraint::name);
  return found == types.end() ? nullptr : &*found;
}

std::size_t OperatorRules::min_inputs() const {
  return up_to_last_required(inputs);
}
std::size_t OperatorRules::min_outputs() const {
  return up_to_last_required(outputs);
}

const OperatorRules& rules_of(OperatorVersion version) {
  static const std::vector<OperatorRules> slices = all_slices();
  const auto versions = all_operator_versions();
  const auto found = std::ranges::find(versions, version);
  if (found == versions.end()) throw std::invalid_argument("rules_of: no operator version " + to_string(version));
  return slices[static_cast<std::size_t>(found - versions.begin())];
}

std::optional<int> type_came_in(Operator op, ElementType type) {
  for (const OperatorVersion version : all_operator_versions()) {
    if (version.op != op) continue;
    const OperatorRules& rules = rules_of(version);
    if (std::ranges::count(rules.type(rules.inputs[input::X].type)->allowed, type) > 0) return version.since_version;
  }
  return std::nullopt;
}

}  // namespace cellproof
