#include "causes/memory.hpp"

#include <algorithm>
#include <optional>

#include "causes/made_cases.hpp"

#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

/// Is what is wrong with the answer that it holds what nobody computed?
bool is_by_chance(const Finding& finding) {
  return finding.outcome == OutcomeKind::Ran && finding.law.empty() &&
         std::ranges::any_of(finding.misconduct, [](Misconduct each) { return each != Misconduct::ChangedInputs; });
}

}  // namespace

const oracle::Fault* explained_by_memory(const Cover& cover, Cover::Item& item) {
  for (const oracle::Fault* fault : cover.acting_on(item)) {
    if (!fault->reads_memory) continue;
    FaultSet supposed = cover.acting_on(item);
    const auto place = std::ranges::find(supposed, fault);
    for (const oracle::Fault& other : oracle::with_other_memory(*fault)) {
      *place = &other;
      if (item.rejudged.standing(supposed) == Standing::Explained) return fault;
    }
  }
  return nullptr;
}

const oracle::Fault* fault_behind_chance(const Cover& cover, const Finding& finding) {
  // Other defects read memory, too: only a case that was reduced to the end shows that it needs what the fault needs.
  if (!is_by_chance(finding) || !finding.reduction || !finding.reduction->complete) return nullptr;
  const auto& faults = cover.faults();
  if (std::ranges::none_of(faults, [](const oracle::Fault* fault) { return fault->reads_memory; })) return nullptr;
  const std::optional<Case> shown = case_shown_by(finding);
  if (!shown) return nullptr;
  const Problem problem = make_problem(*shown);
  const auto is_behind = [&](const oracle::Fault* fault) {
    return fault->reads_memory && fault->applies(problem) && cover.scope_of(fault).holds(coordinates_of(problem));
  };
  const auto found = std::ranges::find_if(faults, is_behind);
  return found == faults.end() ? nullptr : *found;
}

}  // namespace cellproof::causes
