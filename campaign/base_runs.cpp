#include "campaign/base_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "causes/clusters.hpp"

#include "campaign/same_failure.hpp"
#include "reports/finding_kind.hpp"
#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {
namespace {

/// Axis values that a failure needs, as far as they are known.
const AxisValues& needs_of(const Finding& failure) {
  return failure.reduction ? failure.reduction->guilty : failure.axes;
}

/// Has a case all axis values that the signature of a failure blames?
bool has_all_blamed(const AxisValues& axes, const std::string& text) {
  const std::optional<Signature> signature = signature_of_text(text);
  return signature && std::ranges::all_of(signature->axes, [&](const AxisValue& blamed) {
           return std::ranges::any_of(axes, [&](const AxisValue& own) {
             const auto& [axis, value] = blamed;
             return value == "any" ? own.first == axis || own.first.starts_with(axis + ".") : own == blamed;
           });
         });
}

/// Is the fault that the known failure is likeliest to have among those that explain the other, or has neither any?
bool share_the_fault(const Judgement& known, const Judgement& other) {
  if (known.faults.empty()) return other.faults.empty();
  return std::ranges::find(other.faults, known.faults.front()) != other.faults.end();
}

/// Do the same fault, the same wider contract or the same broken rule explain both? Then they have one cause, whatever
/// else their cases need.
bool have_the_same_explanation(const Finding& known, const Finding& other) {
  const Judgement &before = known.judgement, &now = other.judgement;
  const bool has_a_name =
      !before.faults.empty() || before.verdict == Verdict::Precision || before.verdict == Verdict::AcceptedInvalid;
  return has_a_name && !known.flaky && known.outcome == other.outcome && before.verdict == now.verdict &&
         kind_name(known) == kind_name(other) && share_the_fault(before, now) &&
         (before.verdict != Verdict::Precision || (before.contract == now.contract && before.readings == now.readings));
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
  return fmt::format("{} {} {}", to_text(signature_of(sorted, {})), fmt::join(sorted.judgement.faults, " "),
                     name(finding.outcome));
}

std::string event_of(const Finding& finding) {
  if (finding.flaky) return std::string(flaky_kind(finding));
  return std::string(finding.outcome == OutcomeKind::Ran ? name(ViolationKind::Repeat) : name(finding.outcome));
}

std::map<CaseId, CaseRecord> records_by_case(const std::vector<Finding>& findings) {
  std::map<CaseId, CaseRecord> records;
  for (const Finding& finding : findings) {
    CaseRecord& record = records[case_of(finding)];
    const bool judged = finding.pass && finding.judgement.verdict.has_value();
    record.passed |= judged;
    record.ran_well |= judged && finding.outcome == OutcomeKind::Ran;
    record.refused |= reports::kind_of(finding) == reports::FindingKind::Gap;
    if (!is_failure(finding)) continue;
    record.ways.insert(way_of(finding));
    record.kinds.insert(event_of(finding));
    record.flaky |= finding.flaky.has_value();
  }
  return records;
}

BaseRuns::BaseRuns(const std::vector<Finding>& findings, const std::set<std::string>& engines)
    : cases_(records_by_case(findings)) {
  for (const Finding& finding : findings) {
    if (!is_failure(finding) || !engines.contains(finding.engine)) continue;
    failing_.insert(finding.signature);
    failures_[{finding.engine, finding.version.op}].push_back(finding);
    signatures_of_[case_of(finding)].insert(finding.signature);
    if (const auto signature = signature_of_text(finding.signature))
      alike_but_for_axes_[signature->without_axes()].insert(finding.signature);
    if (finding.flaky) flaky_events_.emplace(finding.engine, finding.version.op, event_of(finding));
  }
}

bool BaseRuns::has_passed(const Finding& finding) const {
  const CaseRecord* const before = record_of(finding);
  return before != nullptr && before->ways.empty();
}

bool BaseRuns::knows_signature_of(const Finding& finding) const {
  return failing_.contains(finding.signature) && (finding.flaky || !has_passed(finding));
}

Standing BaseRuns::standing_of(const Finding& finding) const {
  const CaseRecord* const before = record_of(finding);
  if (before != nullptr) {
    if (before->ways.contains(way_of(finding)) || (before->flaky && finding.flaky)) return Standing::Known;
    const bool by_chance = before->flaky || finding.flaky;
    // A crash or a hang is never taken for an answer that differs.
    return by_chance && before->kinds.contains(event_of(finding)) ? Standing::Flaky : Standing::New;
  }
  if (has_cause_of(finding)) return Standing::Known;
  const Signatures alike = axes_alike(finding.signature);
  const auto is_open = [](const std::string& text) {
    const std::optional<Signature> signature = signature_of_text(text);
    return signature && signature->is_unattributed();
  };
  return !alike.empty() && (is_open(finding.signature) || std::ranges::any_of(alike, is_open)) ? Standing::NotRun
                                                                                               : Standing::New;
}

Signatures BaseRuns::alike_to(const Finding& finding) const {
  const auto found = signatures_of_.find(case_of(finding));
  return found != signatures_of_.end() ? found->second : axes_alike(finding.signature);
}

std::string BaseRuns::why_new(const Finding& finding) const {
  const CaseRecord* const before = record_of(finding);
  if (finding.flaky) {
    if (before == nullptr) return "flaky, in a case that the base has not run";
    return before->ways.empty() ? "flaky, in a case that passed in the base"
                                : "flaky, in a case that fails otherwise in the base";
  }
  if (before != nullptr && before->flaky) return "in a case that is flaky in the base, in another way";
  if (flaky_events_.contains({finding.engine, finding.version.op, event_of(finding)}))
    return "though other cases of its operator are flaky in the base";
  return failing_.contains(finding.signature) ? "in cases that passed in the base, too" : "";
}

const CaseRecord* BaseRuns::record_of(const Finding& finding) const {
  const auto found = cases_.find(case_of(finding));
  return found == cases_.end() ? nullptr : &found->second;
}

bool BaseRuns::has_cause_of(const Finding& finding) const {
  const auto found = failures_.find({finding.engine, finding.version.op});
  if (found == failures_.end() || finding.flaky) return false;  // what is flaky is known by its signature
  return std::ranges::any_of(found->second, [&](const Finding& known) {
    return have_the_same_explanation(known, finding) ||
           (fail_alike(known, finding) && (causes::has_what_is_needed(finding.axes, needs_of(known)) ||
                                           has_all_blamed(finding.axes, known.signature)));
  });
}

Signatures BaseRuns::axes_alike(const std::string& signature) const {
  const std::optional<Signature> parts = signature_of_text(signature);
  const auto found = parts ? alike_but_for_axes_.find(parts->without_axes()) : alike_but_for_axes_.end();
  return found == alike_but_for_axes_.end() ? Signatures{} : found->second;
}

}  // namespace cellproof::campaign
