#include "cli/base_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "oracle/signature.hpp"
#include "reports/finding_kind.hpp"

namespace cellproof::cli {
namespace {

constexpr std::string_view unattributed_end = ", axes=unattributed)";

std::string without_axes(const std::string& signature) {
  return signature.substr(0, signature.rfind(", "));
}

bool is_unsteady(const Finding& finding) {
  return finding.judgement.kind == "repeat" ||
         std::ranges::find(finding.misconduct, Misconduct::DiffersOnRepeat) != finding.misconduct.end();
}

/// The axis values at a signature's end; none where it blames none, or cannot tell.
std::set<std::pair<std::string, std::string>> blamed_by(const std::string& signature) {
  std::set<std::pair<std::string, std::string>> blamed;
  const std::size_t begin = signature.rfind(", ");
  if (begin == std::string::npos || signature.ends_with(unattributed_end) || !signature.ends_with(')')) return blamed;
  std::istringstream values(signature.substr(begin + 2, signature.size() - begin - 3));
  for (std::string value; values >> value;) {
    const std::size_t equals = value.find('=');
    if (equals != std::string::npos) blamed.emplace(value.substr(0, equals), value.substr(equals + 1));
  }
  return blamed;
}

/// Has a case all of the axis values that are blamed? `FAMILY=any` stands for any value of a family.
bool has_all(const Finding& finding, const std::set<std::pair<std::string, std::string>>& blamed) {
  return std::ranges::all_of(blamed, [&](const auto& asked) {
    return std::ranges::any_of(finding.axes, [&](const auto& own) {
      return own == asked || (asked.second == "any" && own.first.substr(0, own.first.find('.')) == asked.first);
    });
  });
}

}  // namespace

CaseId case_of(const Finding& finding) {
  return {finding.engine, finding.law, finding.case_line};
}

bool is_failure(const Finding& finding) {
  return !finding.pass && !finding.signature.empty();
}

std::string way_of(const Finding& finding) {
  Finding sorted = finding;
  std::ranges::sort(sorted.judgement.faults);
  return fmt::format("{} {} {}", oracle::signature_key(sorted), fmt::join(sorted.judgement.faults, " "),
                     name(finding.outcome));
}

std::map<CaseId, CaseRecord> records_by_case(const std::vector<Finding>& findings) {
  std::map<CaseId, CaseRecord> records;
  for (const Finding& finding : findings) {
    CaseRecord& record = records[case_of(finding)];
    const bool judged = finding.pass && finding.judgement.verdict.has_value();
    record.passed |= judged;
    record.ran_well |= judged && finding.outcome == OutcomeKind::Ran;
    record.refused |= reports::kind_of(finding) == reports::FindingKind::Gap;
    record.unsteady |= is_unsteady(finding);
    if (!is_failure(finding)) continue;
    record.ways.insert(way_of(finding));
    record.ran_wrong |= finding.outcome == OutcomeKind::Ran;
  }
  return records;
}

BaseRuns::BaseRuns(const std::vector<Finding>& findings, const std::set<std::string>& engines)
    : cases_(records_by_case(findings)) {
  Signatures seen;
  for (const Finding& finding : findings) {
    if (!is_failure(finding) || !engines.contains(finding.engine)) continue;
    failing_.insert(finding.signature);
    signatures_of_[case_of(finding)].insert(finding.signature);
    alike_but_for_axes_[without_axes(finding.signature)].insert(finding.signature);
    if (is_unsteady(finding) && seen.insert(finding.signature).second)
      unsteady_.push_back({finding.signature, finding.engine, finding.version.op, blamed_by(finding.signature)});
  }
}

bool BaseRuns::has_passed(const Finding& finding) const {
  const CaseRecord* const before = record_of(finding);
  return before != nullptr && before->ways.empty();
}

Standing BaseRuns::standing_of(const Finding& finding) const {
  const CaseRecord* const before = record_of(finding);
  if (before != nullptr && before->ways.contains(way_of(finding))) return Standing::Known;
  if (!unsteady_alike(finding).empty()) return Standing::Unsteady;
  if (before != nullptr) return Standing::New;
  const Signatures alike = axes_alike(finding.signature);
  const bool is_open = finding.signature.ends_with(unattributed_end) ||
                       alike.contains(without_axes(finding.signature).append(unattributed_end));
  return is_open && !alike.empty() ? Standing::NotRun : Standing::New;
}

Signatures BaseRuns::alike_to(const Finding& finding) const {
  Signatures alike = unsteady_alike(finding);
  return alike.empty() ? axes_alike(finding.signature) : alike;
}

const CaseRecord* BaseRuns::record_of(const Finding& finding) const {
  const auto found = cases_.find(case_of(finding));
  return found == cases_.end() ? nullptr : &found->second;
}

/// An engine that reads what it has not written answers each call otherwise: wrong in this or that output, the same by
/// chance, or even right. A crash or a hang is never taken for that.
Signatures BaseRuns::unsteady_alike(const Finding& finding) const {
  if (finding.outcome != OutcomeKind::Ran) return {};
  const CaseRecord* const before = record_of(finding);
  if (before != nullptr && before->ran_wrong && (before->unsteady || is_unsteady(finding)))
    return signatures_of_.at(case_of(finding));
  // What a listed fault explains to the last element is not left to chance.
  if (!is_unsteady(finding) && !(finding.judgement.faults.empty() && finding.judgement.readings.empty())) return {};
  Signatures alike;
  for (const UnsteadySignature& unsteady : unsteady_) {
    // On another operator it says something only of answers that are seen to differ, too.
    const bool concerned = unsteady.engine == finding.engine &&
                           (unsteady.op == finding.version.op || is_unsteady(finding)) && !unsteady.blamed.empty();
    if (concerned && has_all(finding, unsteady.blamed)) alike.insert(unsteady.signature);
  }
  return alike;
}

Signatures BaseRuns::axes_alike(const std::string& signature) const {
  const auto found = alike_but_for_axes_.find(without_axes(signature));
  return found == alike_but_for_axes_.end() ? Signatures{} : found->second;
}

}  // namespace cellproof::cli
