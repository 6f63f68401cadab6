#include "causes/cover.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

/// Faults that are compared before one is taken.
constexpr std::size_t most_weighed = 24;
/// Cases whose faults are named at once, and how often that is done before pairs are tried.
constexpr std::size_t most_named_at_once = 32, rounds_before_pairs = 2;
/// Cases that are judged in balls at the end.
constexpr std::size_t most_looked_at_closely = 64;
/// Numbers in a case's inputs: beyond that every fault would cost as much as many cases.
constexpr std::size_t most_numbers = std::size_t{1} << 19;
/// Cases that are asked before anybody asks whether the bounds are reached.
constexpr std::size_t asked_in_a_row = 8;
/// The search goes on so many times after faults turned out to say nothing.
constexpr int most_resumed = 2;

std::size_t numbers_in(const Problem& problem) {
  std::size_t count = 0;
  for (const Input& input : problem.inputs) count += input.tensor ? input.tensor->size() : 0;
  return count;
}

/// Order of preference among faults that explain as much: precision excuses more than others, so it comes last; a
/// corner is said where its base is contradicted.
auto rank_of(const oracle::Fault& fault) {
  return std::tuple(fault.cls == oracle::FaultClass::Precision, !fault.base.empty());
}

}  // namespace

Cover::Cover(std::span<const Answered> answers, FaultSet tried, const Bounds& bounds)
    : tried_(std::move(tried)), bounds_(bounds) {
  std::vector<const Answered*> by_size;  // a small case contradicts a fault as well, and takes far less
  for (const Answered& answered : answers)
    if (!answered.answers.empty()) by_size.push_back(&answered);
  std::ranges::stable_sort(by_size, {}, [](const Answered* each) { return numbers_in(each->answers.front().problem); });
  for (const Answered* answered : by_size) {
    Item& item = add(*answered);
    const bool names_none = item.passes || !answered->finding->law.empty();  // of a law's runs nobody has asked yet
    if (names_none || answered->finding->judgement.verdict != Verdict::Diverges) continue;
    item.named.emplace();
    for (const std::string& id : answered->finding->judgement.faults) {
      const oracle::Fault* fault = oracle::fault_named(id);
      if (fault != nullptr && holds_fault(tried_, fault)) item.named->push_back(fault);
    }
  }
}

Cover::Item& Cover::add(const Answered& answered) {
  Item& item = items_.emplace_back(answered);
  item.passes = answered.finding->pass;
  item.size = numbers_in(answered.answers.front().problem);
  if (item.passes) {
    const bool is_decided = answered.finding->judgement.verdict != Verdict::Undecided;
    // An answer that no listed reading explains speaks against no fault.
    item.standing = is_decided ? Standing::Explained : item.rejudged.standing(acting_on(item));
  }
  return item;
}

void Cover::learn(const Answered& made) {
  Item& item = add(made);
  item.is_made = true;
  if (!item.passes) item.standing = item.rejudged.standing(acting_on(item));
  refuted_.clear();
  dismissed_.clear();
}

std::int64_t Cover::spent() const {
  std::int64_t count = 0;
  for (const Item& item : items_) count += item.rejudged.judgements();
  return count;
}

bool Cover::is_over() const {
  const bool is = is_late();
  was_cut_short_ |= is;
  return is;
}

bool Cover::is_cut_short() const {
  const bool is = spent() >= bounds_.judgements;
  was_cut_short_ |= is;
  return is || is_over();
}

void Cover::search() {
  for (int resumed = 0;; ++resumed) {
    // To name the faults of every case that is left costs more than to try pairs on a few. Where two faults act in all
    // cases, a wrong one that explains few would stand in the way of the pair.
    while (adopt_a_single(rounds_before_pairs, false) || adopt_a_pair() || adopt_a_single(items_.size()) ||
           redraw_scopes()) {
    }
    look_closer_at_the_excluded();
    drop_the_needless();
    // Unexplained cases say nothing where the search was ended early. What was dropped may have hidden a pair.
    if (is_cut_short() || !drop_the_unproved() || resumed == most_resumed) return;
  }
}

void Cover::at_once(std::size_t parts, const std::function<void(std::size_t)>& work) const {
  constexpr std::size_t few = 4;  // to begin threads takes as long
  if (bounds_.at_once && parts > few) return bounds_.at_once(parts, work);
  for (std::size_t k = 0; k < parts; ++k) work(k);
}

std::vector<Standing> Cover::standings_of(const std::vector<Item*>& items, const FaultSet& faults) const {
  std::vector<Standing> standings(items.size());
  at_once(items.size(),
          [&](std::size_t k) { standings[k] = items[k]->rejudged.standing(acting_on(*items[k], faults)); });
  return standings;
}

/// Numbers near overflow, say, are beyond what `double` can tell.
void Cover::look_closer_at_the_excluded() {
  const auto is_excluded = [&](const Item& item) {
    return item.standing == Standing::Excluded && !acting_on(item).empty();
  };
  const std::vector<Item*> items = first_left(is_excluded, most_looked_at_closely);
  // They are few, whatever was spent on the search: no more than the time ends it.
  for (std::size_t begin = 0; begin < items.size() && !is_over(); begin += asked_in_a_row) {
    at_once(std::min(asked_in_a_row, items.size() - begin), [&](std::size_t k) {
      Item& item = *items[begin + k];
      item.standing = item.rejudged.certain_standing(acting_on(item));
    });
  }
}

void Cover::name_faults_of(Item& item) const {
  item.named.emplace();
  for (const oracle::Fault* fault : tried_) {
    if (holds_fault(faults_, fault) || !item.rejudged.is_touched_by(*fault)) continue;
    if (is_late()) return;
    const auto explains = [&](const FaultSet& all) {
      return item.rejudged.standing(acting_on(item, all)) == Standing::Explained;
    };
    if (std::ranges::any_of(each_with({fault}), explains)) item.named->push_back(fault);
  }
}

/// Failing cases that the faults so far leave wrong: the smallest of each operator and type in turn. Where nothing is
/// wrong any more and too little is verified, no other fault is called for. A contract explains cases of precision,
/// unless a fault that others show does.
std::vector<Cover::Item*> Cover::first_left(const std::function<bool(const Item&)>& is_asked_for, std::size_t most) {
  std::vector<Item*> left;
  for (Item& item : items_) {
    if (item.size > most_numbers) continue;
    const bool has_contract = item.rejudged.finding().judgement.verdict == Verdict::Precision;
    if (!item.passes && !has_contract && item.standing == Standing::Excluded && is_asked_for(item))
      left.push_back(&item);
  }
  std::ranges::stable_sort(left, {}, &Item::size);
  std::map<std::pair<Operator, std::optional<ElementType>>, std::size_t> counts;
  std::vector<std::pair<std::size_t, Item*>> in_turn;
  for (Item* item : left) {
    const Finding& finding = item->rejudged.finding();
    in_turn.emplace_back(counts[{finding.version.op, finding.type}]++, item);
  }
  std::ranges::stable_sort(in_turn, {}, &std::pair<std::size_t, Item*>::first);
  if (in_turn.size() > most) in_turn.resize(most);
  left.clear();
  for (const auto& [turn, item] : in_turn) left.push_back(item);
  return left;
}

/// Names the faults of some cases that were not looked at since the last fault that touches them was taken. False where
/// there are none.
bool Cover::name_some() {
  const auto open = first_left([](const Item& item) { return !item.named; }, most_named_at_once);
  for (std::size_t begin = 0; begin < open.size() && !is_cut_short(); begin += asked_in_a_row)
    at_once(std::min(asked_in_a_row, open.size() - begin), [&](std::size_t k) { name_faults_of(*open[begin + k]); });
  is_over();  // then some were not named to the end
  return !open.empty();
}

/// Those that are named for the cases that are left, the most often named first.
FaultSet Cover::candidates() const {
  std::map<const oracle::Fault*, std::int64_t> votes;
  for (const Item& item : items_) {
    if (item.standing == Standing::Explained || !item.named) continue;
    for (const oracle::Fault* fault : *item.named) ++votes[fault];
  }
  FaultSet list;
  // One that is taken stays in the scope that it was given: cases beyond it may still name it.
  for (const oracle::Fault* fault : tried_)
    if (votes.contains(fault) && !holds_fault(faults_, fault) && !dismissed_.contains(fault)) list.push_back(fault);
  std::ranges::stable_sort(list, {},
                           [&](const oracle::Fault* fault) { return std::tuple(-votes.at(fault), rank_of(*fault)); });
  return list;
}

/// Those that explain a failing case by themselves, but for those that are taken already or were dismissed.
FaultSet Cover::named_anywhere() const {
  FaultSet list = candidates();
  for (const Item& item : items_) {
    if (item.passes) continue;
    for (const std::string& id : item.rejudged.finding().judgement.faults) {
      const oracle::Fault* fault = oracle::fault_named(id);
      const bool is_known = fault == nullptr || holds_fault(list, fault) || holds_fault(faults_, fault);
      if (!is_known && holds_fault(tried_, fault) && !dismissed_.contains(fault)) list.push_back(fault);
    }
  }
  return list;
}

const Scope& Cover::scope_of(const oracle::Fault* fault) const {
  static const Scope everywhere;
  const auto scope = scopes_.find(fault);
  return scope == scopes_.end() ? everywhere : scope->second;
}

void Cover::exchange(const oracle::Fault* fault, const oracle::Fault* by, Scope scope) {
  std::ranges::replace(faults_, fault, by);
  scopes_.erase(fault);
  if (!scope.is_everywhere()) scopes_[by] = std::move(scope);
  for (Item& item : items_) {
    if (item.passes || (!item.rejudged.is_touched_by(*fault) && !touches(by, item))) continue;
    item.standing = item.rejudged.standing(acting_on(item));
  }
}

bool Cover::touches(const oracle::Fault* fault, const Item& item) const {
  return scope_of(fault).holds(item.place) && item.rejudged.is_touched_by(*fault);
}

bool Cover::touches_any(const FaultSet& faults, const Item& item) const {
  return std::ranges::any_of(faults, [&](const oracle::Fault* fault) { return touches(fault, item); });
}

FaultSet Cover::acting_on(const Item& item, const FaultSet& faults) const {
  FaultSet acting;
  std::ranges::copy_if(faults, std::back_inserter(acting),
                       [&](const oracle::Fault* fault) { return touches(fault, item); });
  return acting;
}

void Cover::adopt(const Gain& gain) {
  for (const oracle::Fault* fault : gain.all) {
    if (!holds_fault(faults_, fault) && !gain.scope.is_everywhere()) scopes_[fault] = gain.scope;
  }
  faults_ = gain.all;
  refuted_.clear();
  for (const auto& [k, standing] : gain.standings) {
    Item& item = items_[k];
    if (item.standing == Standing::Explained) continue;
    item.standing = standing;
    item.named.reset();
    item.has_tried_pairs = false;
  }
}

/// The likeliest candidates at each place among the faults so far, with the failing cases that they explain, most
/// first. What contradicts them is not asked yet, which takes by far the most.
std::vector<Cover::Weighed> Cover::weighed() {
  std::vector<Weighed> list;
  std::size_t count = 0;
  for (const oracle::Fault* fault : candidates()) {
    if (refuted_.contains(fault)) continue;
    if (count == most_weighed || is_cut_short()) break;
    const std::size_t before = list.size();
    std::vector<Item*> open;
    for (Item& item : items_)
      if (!item.passes && item.standing != Standing::Explained && touches(fault, item)) open.push_back(&item);
    for (FaultSet& all : each_with({fault})) {
      const std::int64_t explained = std::ranges::count(standings_of(open, all), Standing::Explained);
      if (explained > 0) list.push_back({fault, std::move(all), explained});
    }
    if (list.size() == before)
      refuted_.insert(fault);
    else
      ++count;
  }
  std::ranges::stable_sort(list, std::ranges::greater{}, &Weighed::explained);
  return list;
}

/// That which explains most and is not contradicted; in a scope only if none explains as much everywhere.
std::optional<Cover::Gain> Cover::best_of(const std::vector<Weighed>& list) {
  std::optional<Gain> best;
  std::set<const oracle::Fault*> contradicted;
  for (const auto& [fault, all, explained] : list) {
    const std::int64_t most = best ? best->explained : 0;
    if (is_over() || explained < most || (explained == most && best->scope.is_everywhere())) break;
    auto gain = gain_of({fault}, all);
    // Where it explains most, a scope is worth most.
    if (!gain && contradicted.insert(fault).second) gain = gain_in_scope({fault}, all);
    if (!gain) continue;
    const bool is_as_good = gain->explained == most && gain->scope.is_everywhere();
    if (gain->explained > most || is_as_good) best = std::move(gain);
  }
  return best;
}

std::optional<Cover::Gain> Cover::best_single() {
  while (!is_cut_short()) {
    const std::vector<Weighed> list = weighed();
    if (list.empty()) break;
    if (auto best = best_of(list)) return best;
    for (const Weighed& each : list) refuted_.insert(each.fault);
  }
  return std::nullopt;
}

/// Are nearly all failing cases that the gain's faults touch as wrong with them as before?
bool Cover::leaves_most(const Gain& gain) const {
  constexpr std::int64_t most_for_each = 16;
  const auto is_left = [&](const auto& each) {
    return !items_[each.first].passes && each.second == Standing::Excluded;
  };
  return std::ranges::count_if(gain.standings, is_left) > most_for_each * gain.explained;
}

bool Cover::adopt_a_single(std::size_t most_rounds, bool may_leave_most) {
  for (std::size_t round = 0; !is_cut_short(); ++round) {
    if (const auto best = best_single()) {
      if (!may_leave_most && leaves_most(*best)) return false;
      adopt(*best);
      return true;
    }
    if (round == most_rounds || !name_some()) return false;
  }
  return false;
}

}  // namespace cellproof::causes
