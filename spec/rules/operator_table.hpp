#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/rules/rules.hpp"

namespace cellproof::rules {

/// The versions in which a row of a table holds: `since` is the first, `until` the first in which it does not hold any
/// more.
struct Span {
  int since = 1;
  int until = std::numeric_limits<int>::max();
  bool holds_in(int version) const { return since <= version && version < until; }
};

struct ArgumentRow {
  ArgumentRule rule;
  Span versions = {};
};

struct AttributeRow {
  std::string_view name;
  AttributeType type;
  std::optional<AttributeValue> default_value = std::nullopt;
  Span versions = {};
};

struct TypeRow {
  TypeConstraint constraint;
  Span versions = {};
};

/// One operator through all its versions, as its pages have it. Rows are in order; where a row changed, it stands twice
/// with spans that do not overlap.
struct OperatorTable {
  Operator op;
  std::vector<ArgumentRow> inputs;
  std::vector<ArgumentRow> outputs;
  std::vector<AttributeRow> attributes;
  std::vector<TypeRow> types;
  std::vector<std::string_view> slots;
  std::vector<std::string_view> default_activations;
  std::string_view gates;
};

const OperatorTable& lstm_table();
const OperatorTable& gru_table();
const OperatorTable& rnn_table();
const OperatorTable& dynamic_quantize_lstm_table();

}  // namespace cellproof::rules
