#pragma once

#include <span>
#include <string_view>

#include "spec/finding.hpp"

namespace cellproof::reports {

/// Kind that a finding is counted as: a finer word than pass and fail, a coarser one than the verdict. Worst first;
/// what comes before Gap is held against the engine, what comes after is not.
enum class FindingKind {
  Wrong,
  Crash,
  Hang,
  OutOfMemory,
  Flaky,
  Misconduct,
  AcceptedInvalid,
  Imprecise,
  HarnessError,
  Unreadable,
  Gap,
  Undecided,
  Reading,
  Conforms,
  Absent,
};
inline constexpr std::size_t finding_kind_count = 15;

struct FindingKindInfo {
  FindingKind kind;
  std::string_view id;        ///< "wrong": name in pages' classes and anchors
  std::string_view singular;  ///< "wrong result"
  std::string_view plural;    ///< "wrong results"
  std::string_view what;      ///< one sentence for people
};

/// In order of the enumeration.
std::span<const FindingKindInfo> finding_kinds();
const FindingKindInfo& info(FindingKind kind);

/// From outcome, verdict, misconduct and gate; every finding is exactly one kind.
FindingKind kind_of(const Finding& finding);

/// Wrong, Crash, Hang, OutOfMemory, Flaky, Misconduct, AcceptedInvalid, Imprecise: what the engine has to answer for.
bool held_against_engine(FindingKind kind);

}  // namespace cellproof::reports
