#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "causes/cover.hpp"

namespace cellproof::causes {
namespace {

/// Cases that a fault has to explain in a scope of its own.
constexpr std::ptrdiff_t fewest_for_a_scope = 3;

}  // namespace

/// Looks at few items first, and at twice as many each time: most faults are contradicted early.
std::optional<Cover::Gain> Cover::gain_of(const FaultSet& more, const FaultSet& all) {
  struct Seen {
    bool contradicts = false;
    Standing standing = Standing::Explained;
  };
  const auto look = [&](std::size_t k) -> Seen {
    Rejudged& rejudged = items_[k].rejudged;
    const FaultSet acting = acting_on(items_[k], all);
    if (items_[k].standing == Standing::Explained) return {rejudged.is_surely_excluded(acting)};
    return {false, rejudged.standing(acting)};
  };
  const auto witness = witness_.find(more.back());
  if (witness != witness_.end() && touches_any(more, items_[witness->second]) && look(witness->second).contradicts)
    return std::nullopt;
  std::vector<std::size_t> touched;
  for (std::size_t k = 0; k < items_.size(); ++k)
    if (touches_any(more, items_[k])) touched.push_back(k);
  Gain gain{0, {}, all, scope_of(more.back())};
  for (std::size_t begin = 0, end = 1; begin < touched.size(); begin = end, end = 2 * begin) {
    std::vector<Seen> seen(std::min(end, touched.size()) - begin);
    at_once(seen.size(), [&](std::size_t k) { seen[k] = look(touched[begin + k]); });
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const std::size_t number = touched[begin + k];
      if (seen[k].contradicts) {
        witness_[more.back()] = number;
        return std::nullopt;
      }
      const Item& item = items_[number];
      if (item.standing == Standing::Explained) continue;
      if (!item.passes && seen[k].standing == Standing::Explained) ++gain.explained;
      gain.standings.emplace_back(number, seen[k].standing);
    }
  }
  return gain;
}

/// The faults so far with more of them, at each place: where one changes what another looks at, one way is right.
std::vector<FaultSet> Cover::each_with(const FaultSet& more) const {
  std::vector<FaultSet> ways;
  for (auto place = std::ssize(faults_); place >= 0; --place) {
    FaultSet& all = ways.emplace_back(faults_);
    all.insert(all.begin() + place, more.begin(), more.end());
  }
  return ways;
}

std::optional<Cover::Gain> Cover::gain_of(const FaultSet& more) {
  std::optional<Gain> best;
  for (const FaultSet& all : each_with(more)) {
    auto gain = gain_of(more, all);
    if (gain && (!best || gain->explained > best->explained)) best = std::move(gain);
  }
  return best;
}

std::optional<Cover::Gain> Cover::gain_in_scope(const FaultSet& more, const FaultSet& all) {
  const auto is_of_precision = [](const oracle::Fault* fault) { return fault->cls == oracle::FaultClass::Precision; };
  if (std::ranges::any_of(more, is_of_precision)) return std::nullopt;  // it excuses too much
  const auto scope = scope_with(more, all);
  if (!scope) return std::nullopt;
  for (const oracle::Fault* fault : more) scopes_[fault] = *scope;
  auto gain = gain_of(more, all);
  for (const oracle::Fault* fault : more) scopes_.erase(fault);
  return gain;
}

/// A wrong fault is contradicted by most of what it touches, which takes long to ask: no more is asked than what
/// changes the scope.
std::optional<Scope> Cover::scope_with(const FaultSet& more, const FaultSet& all) {
  std::vector<Coordinates> explained, contradicting, open;
  std::map<Coordinates, std::vector<Item*>> right;
  std::vector<Item*> left;
  for (Item& item : items_) {
    if (!touches_any(more, item)) continue;
    if (item.standing == Standing::Explained)
      right[item.place].push_back(&item);
    else if (!item.passes)
      left.push_back(&item);
  }
  const std::vector<Standing> standings = standings_of(left, all);
  for (std::size_t k = 0; k < left.size(); ++k)
    (standings[k] == Standing::Explained ? explained : open).push_back(left[k]->place);
  const auto contradicts = [&](Item* item) { return item->rejudged.is_surely_excluded(acting_on(*item, all)); };
  // No scope has room for a place with a contradiction.
  std::set<Coordinates> contradicted;
  for (const Coordinates& place : std::set(explained.begin(), explained.end()))
    if (std::ranges::any_of(right[place], contradicts)) contradicted.insert(place);
  std::erase_if(explained, [&](const Coordinates& place) { return contradicted.contains(place); });
  if (std::ssize(explained) < fewest_for_a_scope) return std::nullopt;
  std::map<int, std::ptrdiff_t> against;  // by operator
  const std::ptrdiff_t most_against = most_contradictions_for_each * std::ssize(explained);
  for (const auto& [place, items] : right) {
    std::ptrdiff_t& count = against[place[Scope::OfOperator]];
    bool is_contradicted_here = false;
    for (Item* item : items) {
      if (count > most_against && is_contradicted_here) break;
      if (!contradicts(item)) continue;
      ++count;
      is_contradicted_here = true;
      contradicting.push_back(place);
    }
  }
  return widest_scope(explained, contradicting, open);
}

std::int64_t Cover::count_explained() const {
  return std::ranges::count_if(items_,
                               [](const Item& item) { return !item.passes && item.standing == Standing::Explained; });
}

/// Is any failing case explained without the fault, and not with it?
bool Cover::is_right_without(const oracle::Fault* fault) {
  const FaultSet others = without(fault);
  return std::ranges::any_of(items_, [&](Item& item) {
    return !item.passes && item.standing != Standing::Explained && touches(fault, item) &&
           item.rejudged.standing(acting_on(item, others)) == Standing::Explained;
  });
}

/// A scope was drawn among the faults of then: those that came later may explain more of it, and what spoke against it
/// may be theirs.
bool Cover::redraw_scopes() {
  bool is_any_new = false;
  for (const oracle::Fault* fault : FaultSet(faults_)) {
    if (is_cut_short() || (scope_of(fault).is_everywhere() && !is_right_without(fault))) continue;
    const FaultSet all = faults_;
    const Scope before = scope_of(fault);
    const std::int64_t explained = count_explained();
    take_back(fault);
    auto gain = gain_of({fault}, all);
    if (!gain) gain = gain_in_scope({fault}, all);
    if (gain) adopt(*gain);
    if (gain && count_explained() > explained) {
      is_any_new = true;
      continue;
    }
    if (gain) take_back(fault);
    faults_ = all;
    if (!before.is_everywhere()) scopes_[fault] = before;
    for (Item& item : items_)
      if (!item.passes && touches(fault, item)) item.standing = item.rejudged.standing(acting_on(item));
  }
  return is_any_new;
}

}  // namespace cellproof::causes
