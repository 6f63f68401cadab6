#include "campaign/smaller_cases.hpp"

#include <memory>
#include <mutex>

#include "campaign/reduced_case.hpp"
#include "campaign/reduction.hpp"
#include "campaign/stop.hpp"

namespace cellproof::campaign {
namespace {

ReductionLimits limits_of(const SmallerCases& of) {
  ReductionLimits limits;
  limits.stop = stop_is_requested;
  limits.late = of.late;
  limits.on_answer = of.on_answer;
  return limits;
}

void write_folder(const SmallerCases& of, Finding& finding) {
  if (!finding.law.empty()) return;  // a folder has room for one run and its expected outputs
  finding.reduction->folder = write_reduced_case(finding, of.argument, of.options.report);
}

}  // namespace

void SmallerCases::of_signatures(std::vector<Finding>& findings) const {
  const std::size_t signatures = options.explain.value_or(findings.size());
  keep(reduce_representatives(findings, engine, probe(), signatures, limits_of(*this), writing()), findings);
}

bool SmallerCases::of_causes(const causes::Modelled& model, std::vector<Finding>& findings, Attempts& attempts) const {
  if (options.explain == 0) return false;
  const auto reduced = reduce_causes(model, findings, engine, probe(), limits_of(*this), attempts, writing());
  keep(reduced, findings);
  return !reduced.empty();
}

engines::Probe SmallerCases::probe() const {
  return [this](const Problem& problem) { return worker.probe(problem); };
}

/// Two findings may come to one smallest case, and so to one folder.
std::function<void(Finding&)> SmallerCases::writing() const {
  return [this, mutex = std::make_shared<std::mutex>()](Finding& finding) {
    const std::scoped_lock lock(*mutex);
    write_folder(*this, finding);
  };
}

void SmallerCases::keep(const std::vector<std::size_t>& reduced, const std::vector<Finding>& findings) const {
  std::vector<Finding> kept;
  for (const std::size_t k : reduced) kept.push_back(findings[k]);
  store.add(kept);
}

}  // namespace cellproof::campaign
