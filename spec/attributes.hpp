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

}  // namespace cellproof
