#pragma once

#include <string>
#include <vector>

#include "reports/finding_kind.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {

/// An axis value that all findings of a group have, and how the engine fares with it elsewhere (same operator).
struct CommonValue {
  std::string axis;
  std::string value;
  std::size_t passing = 0;  ///< judged cases with this value that are not held against the engine
};

/// Findings of one engine that say the same. The pointers are into the ReportData that was grouped.
struct Group {
  FindingKind kind = FindingKind::Wrong;
  std::string engine;
  std::string engine_version;
  std::string key;               ///< signature of a failure, message of a gap, readings, reason: without numbers
  Operator op = Operator::LSTM;  ///< of the representative
  std::vector<OperatorVersion> versions;    ///< in order, each once
  std::vector<std::string> types;           ///< in order, each once
  std::vector<const Finding*> members;      ///< in order of suite and number
  const Finding* representative = nullptr;  ///< the smallest case line (length, then text) among the worst verdicts
  const Finding* plotted = nullptr;         ///< largest ratio among those with a series; may be null
  std::vector<CommonValue> common;          ///< axis values that are not default and common to all members
  std::size_t passing_alike = 0;            ///< cases with all of `common` that are not held against the engine
};

/// All findings but those that conform, worst first: by kind, verdict, size, engine, key. The one place where findings
/// are grouped, for all renderers.
std::vector<Group> groups_of(const ReportData& data);

/// What happens in the group, in words: "LSTM 14, 22 (float16): wrong values in Y".
std::string sentence_of(const Group& group);

/// The common values that no passing case has, or, where each also occurs in passing cases, all of them.
std::vector<CommonValue> blamed_values(const Group& group);

/// "direction=reverse, layout=1"; "" when the group has none.
std::string condition_of(const Group& group);

}  // namespace cellproof::reports
