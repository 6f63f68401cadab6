#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "spec/finding.hpp"

namespace cellproof {

/// Names what came by chance: the outcome of the two calls that is no answer ("CRASHED", "REJECTED"), or, where both
/// are answers, the law that one of them broke, or "repeat". Only for flaky findings.
std::string_view flaky_kind(const Finding& finding);

/// The parts that findings of one cause have in common: stable, without numbers. Output and hypothesis move with
/// chance, which has no axis values either: a flaky finding's are empty.
struct Signature {
  std::string engine;  ///< may hold anything
  Operator op = Operator::LSTM;
  bool flaky = false;
  std::optional<Verdict> verdict;     ///< of what is not flaky
  std::optional<std::size_t> output;  ///< of the first violation
  std::string kind;                   ///< as kind_name has it, or flaky_kind; "" for none
  std::string hypothesis;             ///< readings, contract and fault that explain it; "" for none
  AxisValues axes;                    ///< those to blame; "any" stands for several values of an axis

  /// The same without axis values: findings whose signatures are equal but for those form a group.
  Signature without_axes() const;
  /// Says that the run has too few cases, or too various ones, to blame an axis value?
  bool is_unattributed() const;

  friend auto operator<=>(const Signature&, const Signature&) = default;
};

/// axes=unattributed: stands in the place of axis values.
const AxisValues& unattributed();

Signature signature_of(const Finding& finding, const AxisValues& guilty);

/// "v1:(engine, operator, verdict or FLAKY, output, kind, hypothesis, axis=value ...)", "-" for what is empty.
std::string to_text(const Signature& signature);
/// The signature of which to_text writes this; nullopt where there is none.
std::optional<Signature> signature_of_text(std::string_view text);

/// Is it the text of a flaky finding's signature?
bool is_flaky(std::string_view signature);

}  // namespace cellproof
