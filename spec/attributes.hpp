#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cellproof {

using AttributeValue = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                                    std::vector<std::string>>;

/// An attribute that the operators do not know, or that is written with a type other than its own. Only invalid cases
/// and foreign models carry any.
struct OtherAttribute {
  std::string name;
  AttributeValue value;
  /// Floats are equal when their bits are, so that a NaN equals itself and -0 is not +0: the same node, not the same
  /// number.
  friend bool operator==(const OtherAttribute& a, const OtherAttribute& b);
};

/// The attributes as written in the node: what is not written is nullopt, and no default is filled in here (defaults
/// are the specification's: spec/rules). Whether the operator version has the attribute at all is a rule, too, not a
/// matter of this record: `layout` on LSTM-7 can be written down, and must be refused.
struct Attributes {
  std::optional<std::vector<float>> activation_alpha;
  std::optional<std::vector<float>> activation_beta;
  std::optional<std::vector<std::string>> activations;
  std::optional<float> clip;
  std::optional<std::string> direction;
  std::optional<std::int64_t> hidden_size;
  std::optional<std::int64_t> input_forget;
  std::optional<std::int64_t> layout;
  std::optional<std::int64_t> linear_before_reset;
  std::optional<std::int64_t> output_sequence;
  std::vector<OtherAttribute> others;
  /// Bit by bit, as for OtherAttribute.
  friend bool operator==(const Attributes& a, const Attributes& b);
};

/// Calls visit(name, field) for each attribute that the record has a field for: the one place that pairs ONNX's names
/// with the fields. `attributes` is an Attributes, const or not; the fields are its std::optionals.
void for_each_attribute(auto& attributes, auto visit) {
  visit("activation_alpha", attributes.activation_alpha);
  visit("activation_beta", attributes.activation_beta);
  visit("activations", attributes.activations);
  visit("clip", attributes.clip);
  visit("direction", attributes.direction);
  visit("hidden_size", attributes.hidden_size);
  visit("input_forget", attributes.input_forget);
  visit("layout", attributes.layout);
  visit("linear_before_reset", attributes.linear_before_reset);
  visit("output_sequence", attributes.output_sequence);
}

}  // namespace cellproof
