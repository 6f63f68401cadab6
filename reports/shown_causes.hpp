#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/grouping.hpp"
#include "spec/cause.hpp"

namespace cellproof::reports {

/// One thing that an engine does otherwise, with the groups of its cases: what people are shown.
struct ShownCause {
  std::string engine;
  Cause cause;
  FindingKind kind = FindingKind::Wrong;  ///< of the worst of its groups
  std::vector<std::size_t> groups;        ///< positions in the list of groups, the one that shows it best first
  bool is_recorded = true;                ///< false: the store names no cause, and groups that look alike stand for it
  const Waived* waived = nullptr;         ///< accepts it, or all its cases, for now
  std::optional<Since> since = {};        ///< against a base, where one was given and names causes
};

/// The causes of all engines, each with at least one group: by kind, those last that are accepted for now, then by
/// number of cases. Failures without a cause
/// are put together where they differ in nothing but operator, version and type.
std::vector<ShownCause> shown_causes(const ReportData& data, const std::vector<Group>& groups);

/// "GRU, LSTM"
std::string operators_of(const Cause& cause);

/// Returns a name for addresses and test reports that is the same in every run.
std::string stable_name(const std::string& engine, const Cause& cause);

/// "proved", "proved, new", "proved, waived": the status, and its standing where it has one.
std::string standing_of(const ShownCause& shown);

/// Says of each engine that has failures and no causes in the store that groups stand for them, a line each.
std::vector<std::string> lines_on_missing_causes(const std::vector<ShownCause>& causes);

}  // namespace cellproof::reports
