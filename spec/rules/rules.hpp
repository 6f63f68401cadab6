#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/attributes.hpp"
#include "spec/element_type.hpp"
#include "spec/operator.hpp"

namespace cellproof {

/// Must the node have it, or may it be left out?
enum class Need { Required, Optional };

/// The types that a node attribute can have, in the order of AttributeValue's alternatives.
enum class AttributeType { Int, Float, String, Ints, Floats, Strings };
/// ONNX's own name: "INT", "FLOAT", "STRING", "INTS", "FLOATS", "STRINGS".
std::string_view name(AttributeType type);
AttributeType type_of(const AttributeValue& value);

/// An input or output of one operator version. Shapes are written in the symbols T, N, I, H, D of spec/problem.hpp with
/// whole factors: "[D,4H,I]"; "[D] or [D,4H]" where the page gives two.
struct ArgumentRule {
  std::string_view name;
  Need need;
  std::string_view type;           ///< name of its type constraint: "T", "T1", "T2"
  std::string_view shape;          ///< with layout 0 or without the attribute
  std::string_view shape_layout1;  ///< with layout 1; the same text where layout changes nothing
};

struct AttributeRule {
  std::string_view name;
  AttributeType type;
  Need need;
  std::optional<AttributeValue> default_value;  ///< the schema's; nullopt where it has none
};

struct TypeConstraint {
  std::string_view name;
  std::vector<ElementType> allowed;
};

/// Everything that an operator version fixes: the table that expectation_of applies and `list operators` shows.
struct OperatorRules {
  OperatorVersion version;
  std::vector<ArgumentRule> inputs;                   ///< by position
  std::vector<ArgumentRule> outputs;                  ///< by position
  std::vector<AttributeRule> attributes;              ///< in alphabetical order
  std::vector<TypeConstraint> types;                  ///< T, T1 and, for DynamicQuantizeLSTM, T2
  std::vector<std::string_view> slots;                ///< the letters of the activations in the equations: f, g, h
  std::vector<std::string_view> default_activations;  ///< by slot, for each direction
  std::string_view gates;                             ///< the order in which W, R and B stack them: "iofc", "zrh", "i"

  const AttributeRule* attribute(std::string_view attribute_name) const;  ///< nullptr where the version has none
  const TypeConstraint* type(std::string_view constraint_name) const;
  /// The fewest inputs or outputs that a node can write: up to the last required one.
  std::size_t min_inputs() const;
  std::size_t min_outputs() const;
};

/// The rules of one of all_operator_versions(). Throws std::invalid_argument for any other.
const OperatorRules& rules_of(OperatorVersion version);

/// The first version of the operator whose X may have this type; nullopt where none does.
std::optional<int> type_came_in(Operator op, ElementType type);

}  // namespace cellproof
