#pragma once

#include <optional>
#include <string_view>

namespace cellproof {

/// Judgement of one element.
enum class ElementClass { Exact, Rounding, Suspect, Divergent, Unresolved, Unverifiable, Unspecified };
inline constexpr int element_class_count = 7;
/// "EXACT", "ROUNDING", ...
std::string_view name(ElementClass c);

/// Judgement of one case; the table of docs/verdicts.md.
enum class Verdict {
  Conforms,
  Reading,
  Precision,
  Suspect,
  Diverges,
  Undecided,
  RefusedAsExpected,
  AcceptedInvalid,
  Unreadable,
};
/// "CONFORMS", "READING", "PRECISION", "SUSPECT", "DIVERGES", "UNDECIDED", "REFUSED_AS_EXPECTED", "ACCEPTED_INVALID",
/// "UNREADABLE"
std::string_view name(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view text);

/// Larger is worse: DIVERGES > SUSPECT > PRECISION > READING > UNDECIDED > CONFORMS.
int severity(Verdict verdict);

}  // namespace cellproof
