#include "campaign/smaller_cases.hpp"

#include <mutex>

#include "campaign/reduce_causes.hpp"
#include "campaign/reduced_case.hpp"
#include "campaign/reduction.hpp"
#include "campaign/stop.hpp"
#include "campaign/task.hpp"

namespace cellproof::campaign {
namespace {

ReductionLimits limits_of(const SmallerCases& of, bool are_whole, std::size_t cases) {
  ReductionLimits limits = are_whole ? ReductionLimits{} : limits_where_nobody_asked(cases);
  limits.stop = stop_is_requested;
  limits.late = of.late;
  return limits;
}

void write_folder(const SmallerCases& of, Finding& finding) {
  if (!finding.law.empty()) return;  // a folder has room for one run and its expected outputs
  finding.reduction->folder = write_reduced_case(finding, of.argument, of.options.report);
}

}  // namespace

void SmallerCases::of_signatures(std::vector<Finding>& findings) const {
  std::mutex writing;  // two findings may come to one smallest case, and so to one folder
  const auto write = [&](Finding& finding) {
    const std::scoped_lock lock(writing);
    write_folder(*this, finding);
  };
  const auto ask = [&](const Problem& problem) { return worker.probe(problem); };
  // Whoever asks for explanations gets them whole. So does a search, as far as its time goes: what a failure needs
  // tells known from new in the next one.
  const bool are_whole = options.explain || !endless_of(options.suites).empty();
  const std::size_t signatures = options.explain.value_or(findings.size());
  const ReductionLimits limits = limits_of(*this, are_whole, findings.size());
  keep(reduce_representatives(findings, engine, ask, signatures, limits, write), findings);
}

bool SmallerCases::of_causes(const std::vector<Cause>& causes, std::vector<Finding>& findings) const {
  if (options.explain == 0) return false;
  const auto ask = [&](const Problem& problem) { return worker.probe(problem); };
  const auto write = [&](Finding& finding) { write_folder(*this, finding); };
  const auto reduced = reduce_causes(causes, findings, engine, ask, limits_of(*this, true, findings.size()), write);
  keep(reduced, findings);
  return !reduced.empty();
}

void SmallerCases::keep(const std::vector<std::size_t>& reduced, const std::vector<Finding>& findings) const {
  std::vector<Finding> kept;
  for (const std::size_t k : reduced) kept.push_back(findings[k]);
  store.add(kept);
}

}  // namespace cellproof::campaign
