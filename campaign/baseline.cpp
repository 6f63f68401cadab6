#include "campaign/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "campaign/base_runs.hpp"
#include "campaign/known_causes.hpp"
#include "reports/finding_kind.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {
namespace {

struct Failure {
  Standing standing = Standing::Known;
  Signatures alike;
  std::string why_new;  ///< of the first of its findings that is and says so
};

std::map<std::string, Failure> failures_of(const std::vector<Finding>& findings, const BaseRuns& base,
                                           const KnownCauses& causes) {
  std::map<std::string, Failure> failures;
  for (const Finding& finding : findings) {
    if (!is_failure(finding)) continue;
    Failure& failure = failures[finding.signature];
    if (causes.explain(finding)) continue;
    if (base.knows_signature_of(finding) && !causes.have_a_new_one(finding)) continue;
    const Standing standing = base.standing_of(finding);
    failure.standing = std::max(failure.standing, standing);
    if (standing == Standing::New && failure.why_new.empty()) failure.why_new = base.why_new(finding);
    if (standing == Standing::Flaky || standing == Standing::NotRun) failure.alike.merge(base.alike_to(finding));
  }
  return failures;
}

/// Results that the cases of one of the base's signatures have now.
struct Afterwards {
  bool fails_alike = false, passes = false, refused = false, was_run = false;
};

std::map<std::string, Afterwards> afterwards_of(const std::vector<Finding>& base,
                                                const std::map<CaseId, CaseRecord>& now) {
  std::map<std::string, Afterwards> result;
  for (const Finding& finding : base) {
    if (!is_failure(finding)) continue;
    Afterwards& after = result[finding.signature];
    const auto found = now.find(case_of(finding));
    if (found == now.end()) continue;
    after.was_run = true;
    after.fails_alike |= found->second.ways.contains(way_of(finding)) || (finding.flaky && found->second.flaky);
    after.passes |= found->second.passed;
    after.refused |= found->second.refused;
  }
  return result;
}

void note_what_no_longer_fails(const std::vector<Finding>& base, const std::map<CaseId, CaseRecord>& now,
                               const BaseRuns& knowledge, const Signatures& still_there,
                               BaselineComparison& comparison) {
  for (const auto& [signature, after] : afterwards_of(base, now)) {
    if (!knowledge.failing().contains(signature) || still_there.contains(signature) || after.fails_alike) continue;
    if (!after.was_run) {
      comparison.not_run.push_back(signature);
    } else if (after.passes) {
      (is_flaky(signature) ? comparison.unseen : comparison.gone).push_back(signature);
    } else if (after.refused) {
      comparison.refused.push_back(signature);
    }  // else its cases fail in another way, and that one is named
  }
}

void note_what_was_not_run(const std::vector<Finding>& base, const std::map<CaseId, CaseRecord>& now,
                           const std::set<std::string>& engines, BaselineComparison& comparison) {
  std::set<CaseId> all;
  std::set<std::string> elsewhere;
  for (const Finding& finding : base) {
    if (engines.contains(finding.engine)) {
      all.insert(case_of(finding));
    } else {
      elsewhere.insert(finding.engine);
    }
  }
  comparison.cases_of_base = static_cast<std::int64_t>(all.size());
  comparison.cases_not_run = std::ranges::count_if(all, [&](const CaseId& id) { return !now.contains(id); });
  comparison.engines_not_run.assign(elsewhere.begin(), elsewhere.end());
}

void note_what_is_newly_refused(const BaseRuns& knowledge, reports::ReportData& data, BaselineComparison& comparison) {
  for (const Finding& finding : data.findings) {
    const CaseRecord* const before = knowledge.record_of(finding);
    if (before == nullptr || !before->ran_well || reports::kind_of(finding) != reports::FindingKind::Gap) continue;
    data.newly_refused.emplace(finding.engine, finding.suite, finding.number);
    const std::string version = to_string(finding.version);
    const auto same = [&](const NewlyRefused& of) {
      return of.engine == finding.engine && of.version == version && of.message == finding.outcome_message;
    };
    auto group = std::ranges::find_if(comparison.newly_refused, same);
    if (group == comparison.newly_refused.end()) {
      group = comparison.newly_refused.insert(group,
                                              {finding.engine, version, finding.outcome_message, finding.case_line, 0});
    }
    ++group->cases;
  }
}

}  // namespace

BaselineComparison compare_with_baseline(const EarlierRuns& earlier, const std::string& name,
                                         reports::ReportData& data) {
  std::set<std::string> engines;
  for (const Finding& finding : data.findings) engines.insert(finding.engine);
  const std::vector<Finding>& base = earlier.findings;
  const BaseRuns knowledge(base, engines);
  const KnownCauses causes(earlier, knowledge, data);
  const std::map<CaseId, CaseRecord> now = records_by_case(data.findings);
  Signatures still_there;
  BaselineComparison comparison;
  for (const auto& [signature, failure] : failures_of(data.findings, knowledge, causes)) {
    still_there.insert(signature);
    if (failure.standing == Standing::New) {
      comparison.fresh.push_back(signature);
      if (!failure.why_new.empty()) comparison.reasons[signature] = failure.why_new;
    } else if (failure.standing == Standing::Known) {
      comparison.known.push_back(signature);
      data.waived[signature] = {"", "", fmt::format("{} fails so already", name)};
    } else {
      // A signature that is open for both reasons is named with the weaker one.
      const bool flaky = failure.standing == Standing::Flaky;
      still_there.insert(failure.alike.begin(), failure.alike.end());
      comparison.possibly_known[signature] = {{failure.alike.begin(), failure.alike.end()}, flaky};
      data.waived[signature] = {
          "", "",
          !flaky                ? fmt::format("possibly, as {} fails alike in other cases, and has not run these", name)
          : is_flaky(signature) ? fmt::format("possibly, as {} fails so each time", name)
                                : fmt::format("possibly, as {} fails so by chance", name)};
    }
  }
  for (const Finding& finding : data.findings)
    if (is_failure(finding) && causes.explain(finding))
      data.waived_findings[{finding.engine, finding.suite, finding.number}] = {"", "",
                                                                               fmt::format("{} has its cause", name)};
  data.changes = causes.changes(name);
  for (const auto& [cause, change] : data.changes.now)
    if (change.since == reports::Since::Known) data.waived_causes[cause] = {"", "", fmt::format("{} has it", name)};
  note_what_no_longer_fails(base, now, knowledge, still_there, comparison);
  note_what_was_not_run(base, now, engines, comparison);
  note_what_is_newly_refused(knowledge, data, comparison);
  return comparison;
}

}  // namespace cellproof::campaign
