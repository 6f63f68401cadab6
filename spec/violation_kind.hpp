#pragma once

#include <string_view>

namespace cellproof {

/// The kind of the first violation that a judgement names. The last three stand for what its finding says elsewhere
/// (kind_name, spec/finding_words.hpp).
enum class ViolationKind {
  Value,
  Shape,
  Type,
  Padding,
  State,
  Count,
  Repeat,  ///< two identical calls differ
  Memory,  ///< two fillings of fresh memory differ
  Inputs,  ///< the engine changed them
  Nan,     ///< NaN in every run of a law, whatever the law
  Law,     ///< the law that was tried
  Rule,    ///< the first rule that the case breaks and the engine did not refuse
  Outcome  ///< the outcome, where there is nothing to judge
};
inline constexpr int violation_kind_count = 13;
/// "value", "shape", "type", "padding", "state", "count", "repeat", "memory", "inputs", "nan", "law", "rule", "outcome"
std::string_view name(ViolationKind kind);

}  // namespace cellproof
