// Faults that the search took and that turn out to say nothing.
#include <algorithm>
#include <map>
#include <utility>

#include "causes/cover.hpp"

#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

/// Unexplained cases for each that a fault explains, at most, in one of its operators.
constexpr std::int64_t most_open_for_each = 3;

/// Does a fault explain enough of an operator's cases? A corner or a scope says that all beyond it is right, so it must
/// explain more than it leaves.
bool explains_enough(bool is_bounded, std::int64_t explained, std::int64_t open) {
  return explained > 0 && (is_bounded ? open < explained : open <= most_open_for_each * explained);
}

}  // namespace

/// Does everything stay as it is without them?
bool Cover::are_needless(const FaultSet& faults) {
  FaultSet others = faults_;
  std::erase_if(others, [&](const oracle::Fault* fault) { return holds_fault(faults, fault); });
  return std::ranges::all_of(items_, [&](Item& item) {
    if (item.standing != Standing::Explained || !touches_any(faults, item)) return true;
    const Standing without = item.rejudged.standing(acting_on(item, others));
    return item.passes ? without != Standing::Excluded : without == Standing::Explained;
  });
}

/// A fault without which everything stays as it is was taken before others said what it says.
void Cover::drop_the_needless() {
  for (const oracle::Fault* fault : FaultSet(faults_.rbegin(), faults_.rend()))
    if (are_needless({fault})) forget({fault});
  const FaultSet left = faults_;
  for (std::size_t k = 0; k < left.size(); ++k) {
    for (std::size_t other = k + 1; other < left.size(); ++other) {
      const FaultSet both{left[k], left[other]};
      const bool are_there = std::ranges::all_of(both, [&](const auto* each) { return holds_fault(faults_, each); });
      if (are_there && are_needless(both)) forget(both);
    }
  }
}

/// A fault that explains few of the cases that it acts on, where most stay unexplained, is no name for what is wrong
/// there: something unknown looks like it now and then. Operators count apart, as one may have a fault more.
bool Cover::drop_the_unproved() {
  bool is_any_dropped = false;
  for (std::size_t k = faults_.size(); k-- > 0;) {
    const oracle::Fault* const fault = faults_[k];
    const FaultSet others = without(fault);
    const bool is_corner = fault->cls == oracle::FaultClass::Corner;
    const bool is_bounded = is_corner || !scope_of(fault).is_everywhere();
    const oracle::Fault* const base = oracle::fault_named(fault->corner_of);  // null: the corner has none
    std::map<int, std::pair<std::int64_t, std::int64_t>> counts;              // by operator: explained, and not
    for (Item& item : items_) {
      if (item.passes) continue;
      // What fails beyond a corner or a scope, where it would act, speaks against it.
      const bool is_precision = item.rejudged.finding().judgement.verdict == Verdict::Precision;
      const oracle::Fault* const wider = is_corner ? base : fault;
      const bool is_beyond = is_bounded && !is_precision && (wider == nullptr || item.rejudged.is_touched_by(*wider));
      if (!touches(fault, item) && !is_beyond) continue;
      auto& [explained, open] = counts[item.place[Scope::OfOperator]];
      if (item.standing != Standing::Explained)
        ++open;
      else if (touches(fault, item) && item.rejudged.standing(acting_on(item, others)) != Standing::Explained)
        ++explained;
    }
    const auto is_proved = [is_bounded](const auto& count) {
      return explains_enough(is_bounded, count.second.first, count.second.second);
    };
    std::int64_t all_explained = 0;
    for (const auto& [op, count] : counts) all_explained += count.first;
    const bool is_of_operators = scope_of(fault).is_of_operators() && all_explained >= enough_for_operators;
    const bool is_shown_to_end =
        !is_bounded || (is_of_operators && !is_corner) || ends_where_it_says(fault, is_corner ? base : fault);
    if (is_shown_to_end && std::ranges::any_of(counts, is_proved)) continue;
    dismiss(fault);
    is_any_dropped = true;
  }
  return is_any_dropped;
}

void Cover::dismiss(const oracle::Fault* fault) {
  take_back(fault);
  dismissed_.insert(fault);
  for (Item& item : items_) {
    if (item.passes || !item.rejudged.is_touched_by(*fault)) continue;
    item.named.reset();
    item.has_tried_pairs = false;
  }
}

/// A corner or a scope ends where answers contradict the fault beyond it. Where more cases fail there without a name
/// than contradict it, something wider is wrong, that looks like the fault in a part. `wider`: the fault without its
/// bounds; null: nobody knows of it.
bool Cover::ends_where_it_says(const oracle::Fault* fault, const oracle::Fault* wider) {
  if (wider == nullptr) return true;
  std::vector<Item*> beyond;
  std::int64_t open = 0;
  for (Item& item : items_) {
    if (touches(fault, item) || !item.rejudged.is_touched_by(*wider)) continue;
    if (item.standing == Standing::Explained)
      beyond.push_back(&item);
    else if (!item.passes && item.rejudged.finding().judgement.verdict != Verdict::Precision)
      ++open;
  }
  std::int64_t contradicting = 0;
  for (Item* item : beyond) {
    if (contradicting >= open || is_over()) return true;
    FaultSet supposed = acting_on(*item);
    supposed.push_back(wider);
    contradicting += item->rejudged.is_surely_excluded(supposed);
  }
  return contradicting >= open;
}

void Cover::take_back(const oracle::Fault* fault) {
  std::vector<Item*> touched;
  for (Item& item : items_)
    if (!item.passes && touches(fault, item)) touched.push_back(&item);
  forget({fault});
  for (Item* item : touched) item->standing = item->rejudged.standing(acting_on(*item));
}

/// A scope goes with its fault, which may be taken elsewhere later.
void Cover::forget(const FaultSet& faults) {
  for (const oracle::Fault* fault : faults) {
    std::erase(faults_, fault);
    scopes_.erase(fault);
  }
}

FaultSet Cover::without(const oracle::Fault* fault) const {
  FaultSet others = faults_;
  std::erase(others, fault);
  return others;
}

}  // namespace cellproof::causes
