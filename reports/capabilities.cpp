#include "reports/capabilities.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "reports/finding_kind.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"
#include "spec/resized.hpp"

namespace cellproof::reports {
namespace {

std::optional<Support> support_of(const Finding& finding) {
  const FindingKind kind = kind_of(finding);
  if (held_against_engine(kind)) return Support::Broken;
  if (kind == FindingKind::Gap) return Support::Refused;
  const bool has_run = kind == FindingKind::Conforms || kind == FindingKind::Reading || kind == FindingKind::Undecided;
  return has_run ? std::optional(Support::Supported) : std::nullopt;
}

std::string message_of(const Finding& finding, Support support) {
  if (support == Support::Supported) return "";
  if (finding.outcome == OutcomeKind::Ran) return sentence_of(finding.judgement);
  return finding.outcome_message.empty() ? std::string(name(finding.outcome)) : finding.outcome_message;
}

/// All that a case asks for beyond a plain one. Sizes aside, unless one is 0: they are no matter of support.
AxisValues changes_of(const Finding& finding) {
  AxisValues changes;
  for (const AxisValue& value : finding.axes)
    if (value.second == "0" || std::ranges::find(size_names, value.first) == size_names.end()) changes.push_back(value);
  const bool names_type = std::ranges::any_of(changes, [](const AxisValue& value) { return value.first == "type"; });
  if (finding.type != ElementType::Float && !names_type) changes.emplace_back("type", type_name(finding));
  return changes;
}

/// Has a case data of another distribution than the usual one? Then that may be what fails.
bool has_unusual_data(const Finding& finding) {
  return finding.case_line.find("regime") != std::string::npos;
}

/// Counts a case for its change. A broken case counts before others, then one that runs.
void count(std::map<AxisValue, Capability>& changes, const AxisValue& change, const Finding& finding, Support support) {
  constexpr auto weight = [](Support each) { return each == Support::Broken ? 2 : each == Support::Supported ? 1 : 0; };
  const auto [place, is_new] = changes.try_emplace(change);
  if (!is_new && weight(support) <= weight(place->second.support)) return;
  place->second = {change, support, message_of(finding, support), finding.case_line};
}

using OfOperator = std::pair<std::string, Operator>;
using OfVersion = std::map<AxisValue, Capability>;  ///< by change; the plain case under a change of its version

AxisValue change_to(OperatorVersion version) {
  return {"version", std::to_string(version.since_version)};
}

/// The newest version with a plain case, of those that run if any does.
std::optional<int> version_to_begin_with(const std::map<int, OfVersion>& versions, OperatorVersion any) {
  std::optional<int> newest, newest_that_runs;
  for (const auto& [since, changes] : versions) {
    any.since_version = since;
    const auto plain = changes.find(change_to(any));
    if (plain == changes.end()) continue;
    newest = since;
    if (plain->second.support == Support::Supported) newest_that_runs = since;
  }
  return newest_that_runs ? newest_that_runs : newest;
}

}  // namespace

std::string_view name(Support support) {
  switch (support) {
    case Support::Supported:
      return "supported";
    case Support::Refused:
      return "refused";
    case Support::Broken:
      return "broken";
  }
  return "";
}

std::size_t Capabilities::count(Support support) const {
  return static_cast<std::size_t>(std::ranges::count(changes, support, &Capability::support));
}

std::vector<Capabilities> capabilities_of(const ReportData& data) {
  std::map<OfOperator, std::map<int, OfVersion>> by_operator;
  for (const Finding& finding : data.findings) {
    const std::optional<Support> support = support_of(finding);
    if (!support || !finding.law.empty() || finding.expectation.kind == Expectation::Kind::Refuse) continue;
    const AxisValues changes = changes_of(finding);
    if (changes.size() > 1 || has_unusual_data(finding)) continue;
    const AxisValue change = changes.empty() ? change_to(finding.version) : changes.front();
    count(by_operator[{finding.engine, finding.version.op}][finding.version.since_version], change, finding, *support);
  }
  std::vector<Capabilities> all;
  for (auto& [of, versions] : by_operator) {
    Capabilities each{of.first, {of.second, 0}, {}, {}, {}};
    const std::optional<int> begin = version_to_begin_with(versions, each.version);
    if (!begin) continue;
    each.version.since_version = *begin;
    OfVersion changes = std::move(versions.at(*begin));
    const Capability plain = changes.extract(change_to(each.version)).mapped();
    each.plain = plain.support;
    each.message = plain.message;
    for (const auto& [since, others] : versions) {
      const auto other = others.find(change_to({of.second, since}));
      if (since != *begin && other != others.end()) changes.insert(*other);
    }
    for (auto& [change, capability] : changes) each.changes.push_back(std::move(capability));
    all.push_back(std::move(each));
  }
  return all;
}

}  // namespace cellproof::reports
