#include "campaign/earlier_runs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/recorded_causes.hpp"

namespace cellproof::campaign {
namespace {

/// Takes a cause of one more run: it has run the same suites, so its cases are not counted twice.
void take(Cause&& cause, std::vector<Cause>& causes) {
  const auto same = std::ranges::find(causes, cause.id, &Cause::id);
  if (same == causes.end()) {
    causes.push_back(std::move(cause));
    return;
  }
  same->cases = std::max(same->cases, cause.cases);
  for (std::string& op : cause.operators)
    if (std::ranges::find(same->operators, op) == same->operators.end()) same->operators.push_back(std::move(op));
  for (const auto& [suite, numbers] : cause.where)
    same->where[suite].insert(same->where[suite].end(), numbers.begin(), numbers.end());
}

}  // namespace

void EarlierRuns::add(reports::ReportData run) {
  for (auto& [engine, own] : reports::recorded_causes(run))
    for (Cause& cause : own) take(std::move(cause), causes[engine]);
  std::ranges::move(run.findings, std::back_inserter(findings));
}

}  // namespace cellproof::campaign
