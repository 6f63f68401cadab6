#include "causes/memory.hpp"

#include <algorithm>
#include <iterator>
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

/// Other numbers with which nothing excludes the faults and too little is verified. Where so many are, the answer does
/// not tell numbers apart, and to verify it with each takes long.
constexpr int enough_possible = 2;

/// So many cases on which a fault can act do not come together by accident.
constexpr std::size_t fewest_by_chance = 4;

FaultSet reading_memory(const Cover& cover) {
  FaultSet faults;
  std::ranges::copy_if(cover.faults(), std::back_inserter(faults), &oracle::Fault::reads_memory);
  return faults;
}

/// Can the fault act on the case that the finding shows, in its scope?
bool may_act(const Cover& cover, const oracle::Fault* fault, const Finding& finding) {
  const std::optional<Case> shown = case_shown_by(finding);
  if (!shown) return false;
  const Problem problem = make_problem(*shown);
  return fault->applies(problem) && cover.scope_of(fault).holds(coordinates_of(problem));
}

}  // namespace

const oracle::Fault* explained_by_memory(const Cover& cover, Cover::Item& item) {
  for (const oracle::Fault* fault : cover.acting_on(item)) {
    if (!fault->reads_memory) continue;
    FaultSet supposed = cover.acting_on(item);
    const auto place = std::ranges::find(supposed, fault);
    int possible = 0;
    for (const oracle::Fault& other : oracle::with_other_memory(*fault)) {
      if (cover.is_over()) return nullptr;  // without Y each number may take a second
      *place = &other;
      const Standing standing = item.rejudged.standing(supposed);
      if (standing == Standing::Explained) return fault;
      if (standing == Standing::Possible && ++possible == enough_possible) break;
    }
  }
  return nullptr;
}

const oracle::Fault* fault_behind_chance(const Cover& cover, const Finding& finding) {
  // Other defects read memory, too: only a case that was reduced to the end shows that it needs what the fault needs.
  if (!is_by_chance(finding) || !finding.reduction || !finding.reduction->complete) return nullptr;
  const FaultSet faults = reading_memory(cover);
  const auto found = std::ranges::find_if(faults, [&](const auto* fault) { return may_act(cover, fault, finding); });
  return found == faults.end() ? nullptr : *found;
}

bool is_shown_by_chance(const Cover& cover, const oracle::Fault& fault, std::span<const Answered> answers) {
  if (!fault.reads_memory) return false;
  std::size_t shown = 0;
  for (const Answered& each : answers) {
    if (shown == fewest_by_chance) break;
    shown += is_by_chance(*each.finding) && may_act(cover, &fault, *each.finding);
  }
  return shown == fewest_by_chance;
}

const oracle::Fault* fault_behind_chance(const Cover& cover, const std::vector<const Finding*>& alike) {
  const auto is_by_chance_alone = [](const Finding* finding) { return is_by_chance(*finding); };
  if (alike.size() < fewest_by_chance || !std::ranges::all_of(alike, is_by_chance_alone)) return nullptr;
  const FaultSet faults = reading_memory(cover);
  const auto found = std::ranges::find_if(faults, [&](const auto* fault) {
    return std::ranges::all_of(alike, [&](const Finding* finding) { return may_act(cover, fault, *finding); });
  });
  return found == faults.end() ? nullptr : *found;
}

}  // namespace cellproof::causes
