#include "reports/recorded_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/cause_json.hpp"
#include "reports/finding_kind.hpp"

namespace cellproof::reports {
namespace {

void add(Cause&& cause, std::vector<Cause>& causes) {
  const auto same = std::ranges::find(causes, cause.id, &Cause::id);
  if (same == causes.end()) {
    causes.push_back(std::move(cause));
    return;
  }
  same->status = std::min(same->status, cause.status);
  same->cases += cause.cases;
  same->alone += cause.alone;
  for (std::string& op : cause.operators)
    if (std::ranges::find(same->operators, op) == same->operators.end()) same->operators.push_back(std::move(op));
  for (const auto& [suite, numbers] : cause.where)
    same->where[suite].insert(same->where[suite].end(), numbers.begin(), numbers.end());
}

}  // namespace

std::map<std::string, std::vector<Cause>> recorded_causes(const ReportData& data) {
  std::map<std::string, std::vector<Cause>> all;
  for (const auto& [engine, notes] : data.engines) {
    auto causes = causes_from_json(words_of(notes, EngineNote::Causes));
    if (!causes) continue;
    for (Cause& cause : *causes) add(std::move(cause), all[engine]);
  }
  return all;
}

CausesOfCases::CausesOfCases(const ReportData& data) {
  for (const auto& [engine, causes] : recorded_causes(data)) {
    for (const Cause& cause : causes) {
      lines_[{engine, cause.id}] = cause.case_line;
      for (const auto& [suite, numbers] : cause.where)
        for (const std::int64_t number : numbers) ids_[{engine, suite, number}].push_back(cause.id);
    }
  }
}

std::vector<std::string> CausesOfCases::of(const Finding& finding) const {
  const FindingKind kind = kind_of(finding);
  if (!held_against_engine(kind) && kind != FindingKind::Reading) return {""};
  const auto known = ids_.find({finding.engine, finding.suite, finding.number});
  if (known != ids_.end()) return known->second;
  if (kind != FindingKind::Reading) return {""};
  std::vector<std::string> ids;
  for (const std::string& reading : finding.judgement.readings.differences()) ids.push_back("reading:" + reading);
  return ids.empty() ? std::vector<std::string>{""} : ids;
}

bool CausesOfCases::is_shown_by(const std::string& id, const Finding& finding) const {
  const auto line = lines_.find({finding.engine, id});
  if (line == lines_.end()) return false;
  return finding.case_line == line->second || (finding.reduction && finding.reduction->case_line == line->second);
}

}  // namespace cellproof::reports
