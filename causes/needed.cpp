#include "causes/needed.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "causes/clusters.hpp"
#include "causes/made_cases.hpp"

namespace cellproof::causes {
namespace {

/// Do the faults explain the case? Of one that leaves much open: are they what is seen of it?
bool fits(Cover::Item& item, const FaultSet& faults) {
  const Standing standing = item.rejudged.standing(faults);
  if (standing != Standing::Possible) return standing == Standing::Explained;
  return item.rejudged.verifies_what_is_wrong(faults);
}

/// The axes beyond the fault that each reduction to the end needs.
std::set<std::string> axes_needed_beyond(const Cover& cover, const oracle::Fault* fault, const Items& items) {
  std::optional<std::set<std::string>> all;
  for (const Cover::Item* item : items) {
    const Finding& finding = item->rejudged.finding();
    if (!finding.law.empty() || !finding.reduction || !finding.reduction->complete) continue;
    std::set<std::string> axes;
    for (const auto& [axis, value] : needed_beyond(*fault, cover.scope_of(fault), finding))
      if (!all || all->contains(axis)) axes.insert(axis);
    all = std::move(axes);
  }
  return all.value_or(std::set<std::string>{});
}

/// Another fault in the place of one, in a scope of its own.
struct Exchange {
  const oracle::Fault* fault;
  const oracle::Fault* by;
  Scope scope;
};

/// The faults that act on the item after the exchange.
FaultSet acting_after(const Cover& cover, const Exchange& exchange, const Cover::Item& item) {
  FaultSet acting;
  for (const oracle::Fault* each : cover.faults()) {
    const bool is_exchanged = each == exchange.fault;
    const Scope& scope = is_exchanged ? exchange.scope : cover.scope_of(each);
    const oracle::Fault* const supposed = is_exchanged ? exchange.by : each;
    if (scope.holds(item.place) && item.rejudged.is_touched_by(*supposed)) acting.push_back(supposed);
  }
  return acting;
}

bool is_contradicted(Cover& cover, const Exchange& exchange) {
  return std::ranges::any_of(cover.items(), [&](Cover::Item& item) {
    return item.standing == Standing::Explained && exchange.scope.holds(item.place) &&
           item.rejudged.is_touched_by(*exchange.by) &&
           item.rejudged.is_surely_excluded(acting_after(cover, exchange, item));
  });
}

/// In the scope of the fault or, where that is contradicted, in the operators of the items alone; nullopt: nowhere.
std::optional<Exchange> exchange_by(Cover& cover, const oracle::Fault* fault, const oracle::Fault* other,
                                    const Items& items) {
  Exchange exchange{fault, other, cover.scope_of(fault)};
  const auto explains = [&](Cover::Item* item) { return fits(*item, acting_after(cover, exchange, *item)); };
  if (!std::ranges::all_of(items, explains)) return std::nullopt;
  if (!is_contradicted(cover, exchange)) return exchange;
  std::set<int> operators;
  for (const Cover::Item* item : items) operators.insert(item->place[Scope::OfOperator]);
  exchange.scope = exchange.scope.with(Scope::OfOperator, std::move(operators));
  return is_contradicted(cover, exchange) ? std::nullopt : std::optional(exchange);
}

/// The fault's own corners come first.
std::optional<Exchange> exchange_of(Cover& cover, const oracle::Fault* fault) {
  const Items items = explained_with(cover, fault);
  const std::set<std::string> needed = axes_needed_beyond(cover, fault, items);
  if (needed.empty()) return std::nullopt;
  FaultSet others;
  std::ranges::copy_if(cover.tried(), std::back_inserter(others), [&](const oracle::Fault* other) {
    const auto shows_on = [&](const std::string& axis) { return is_blamed(axis, {other}); };
    const bool excuses_more = other->cls == oracle::FaultClass::Precision && fault->cls != other->cls;
    return !excuses_more && !holds_fault(cover.faults(), other) && std::ranges::all_of(needed, shows_on);
  });
  std::ranges::stable_partition(others, [&](const oracle::Fault* other) { return other->base == fault->id; });
  for (const oracle::Fault* other : others)
    if (auto exchange = exchange_by(cover, fault, other, items)) return exchange;
  return std::nullopt;
}

}  // namespace

Items explained_with(Cover& cover, const oracle::Fault* fault) {
  Items items;
  for (Cover::Item& item : cover.items()) {
    if (item.passes || !cover.touches(fault, item)) continue;
    const FaultSet all = cover.acting_on(item);
    FaultSet others = all;
    std::erase(others, fault);
    if (fits(item, all) && !fits(item, others)) items.push_back(&item);
  }
  return items;
}

AxisValues needed_beyond(const oracle::Fault& fault, const Scope& scope, const Finding& finding) {
  AxisValues beyond;
  if (!finding.reduction || !finding.reduction->complete) return beyond;
  std::ranges::copy_if(finding.reduction->guilty, std::back_inserter(beyond), [&](const AxisValue& need) {
    const bool is_of_scope = !scope.is_everywhere() && (need.first == "type" || need.first == "direction");
    return !is_of_scope && !is_size(need.first) && !is_blamed(need.first, {&fault});
  });
  return beyond;
}

bool speaks_for(const oracle::Fault& fault, const oracle::Fault& other, const Scope& scope, const Finding& finding) {
  return needed_beyond(fault, scope, finding).empty() && !needed_beyond(other, scope, finding).empty();
}

FaultSet take_what_is_needed(Cover& cover) {
  FaultSet taken;
  const FaultSet faults = cover.faults();
  for (const oracle::Fault* fault : faults) {
    const std::optional<Exchange> exchange = exchange_of(cover, fault);
    if (!exchange) continue;
    cover.exchange(fault, exchange->by, exchange->scope);
    taken.push_back(exchange->by);
  }
  return taken;
}

}  // namespace cellproof::causes
