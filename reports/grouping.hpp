#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/finding_kind.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {

/// An axis on which no finding of a group is default, and how the engine fares with these values elsewhere (same
/// operator).
struct CommonValue {
  std::string axis;
  std::vector<std::string> values;  ///< in order, each once; usually one
  std::size_t passing = 0;          ///< cases with one of these values that ran and are not held against the engine
};

/// "direction=reverse", "activation.f=Elu|Relu"; of more than five values the first four and "..."
std::string to_string(const CommonValue& value);

/// Findings of one engine and cause that say the same. The pointers are into the ReportData that was grouped.
struct Group {
  FindingKind kind = FindingKind::Wrong;
  std::string engine;
  std::string engine_version;
  std::string engine_argument;   ///< what `--engine` takes
  std::string cause;             ///< id of the one that its cases have a part in; "" where the store names none
  std::string key;               ///< signature of a failure, message of a gap, readings, reason: without numbers
  Operator op = Operator::LSTM;  ///< of the representative
  std::vector<OperatorVersion> versions;    ///< in order, each once
  std::vector<std::string> types;           ///< in order, each once
  std::vector<const Finding*> members;      ///< in order of suite and number
  const Finding* representative = nullptr;  ///< the smallest case line (length, then text) among the worst verdicts
  const Finding* plotted = nullptr;         ///< largest ratio among those with a series; may be null
  std::vector<CommonValue> common;          ///< in order of the first member's axes
  std::size_t passing_alike = 0;            ///< cases that pass and fit all of `common`
  const Waived* waived = nullptr;           ///< what accepts all its failures for now
};

/// Returns what `--engine` takes for this engine: its note "argument" ("NAME=COMMAND") if it has one, else its name.
std::string engine_argument(const ReportData& data, const std::string& engine);

/// "./cellproof replay 'CASE' --engine ARGUMENT", and what else the judge knew of the engine.
std::string replay_command(const Finding& finding, const std::string& engine_argument);

/// All findings but those that conform, worst first: by kind, verdict, size, engine, cause, key. A finding with several
/// causes is in a group of each. The one place where findings are grouped, for all renderers.
std::vector<Group> groups_of(const ReportData& data);
/// The same of these findings in the place of its own, which the pointers are into then.
std::vector<Group> groups_of(const ReportData& data, std::span<const Finding> findings);

/// Tells what happens in the group, in words: "LSTM 14, 22 (float16): wrong values in Y". Types are named where float
/// is not among them.
std::string sentence_of(const Group& group);
/// The same without operators and types: "wrong values in Y".
std::string event_of(const Group& group);

/// The common values that no passing case has, or, where each also occurs in passing cases, all of them: only together,
/// or not by themselves, are they to blame.
std::vector<CommonValue> blamed_values(const Group& group);

/// Does the group's signature say that the run has too few cases, or too various ones, to blame an axis value
/// (axes=unattributed)?
bool is_unattributed(const Group& group);

/// The axis values that the group's signature blames, each "axis=value" (or "axis=any"); blamed_values where it has no
/// signature of the usual form. Empty: it happens at the defaults already, or is_unattributed.
std::vector<std::string> guilty_values(const Group& group);

/// The condition of a group that is_unattributed, in words.
constexpr std::string_view nothing_to_blame = "no axis value to blame: too few cases, or too various ones";

/// "direction=reverse, layout=1"; nothing_to_blame; "" when it happens at the defaults already.
std::string condition_of(const Group& group);

}  // namespace cellproof::reports
