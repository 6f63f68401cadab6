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
/// Faults that a pair may begin with, and the smallest cases that such pairs and all pairs are tried on.
constexpr std::size_t most_first_of_pair = 40, most_cases_for_pairs = 12, most_cases_for_all_pairs = 1;
/// Numbers in a case's inputs: beyond that every fault would cost as much as many cases.
constexpr std::size_t most_numbers = std::size_t{1} << 19;
/// Cases that a pair has to explain: of so many pairs one may fit a case by chance.
constexpr std::int64_t fewest_for_a_pair = 2;
bool holds(const FaultSet& faults, const oracle::Fault* fault) {
  return std::ranges::find(faults, fault) != faults.end();
}

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
      if (fault != nullptr && holds(tried_, fault)) item.named->push_back(fault);
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
}

std::int64_t Cover::spent() const {
  std::int64_t count = 0;
  for (const Item& item : items_) count += item.rejudged.judgements();
  return count;
}

bool Cover::is_over() const {
  const bool is = bounds_.is_over && bounds_.is_over();
  was_cut_short_ |= is;
  return is;
}

bool Cover::is_cut_short() const {
  const bool is = spent() >= bounds_.judgements;
  was_cut_short_ |= is;
  return is || is_over();
}

void Cover::search() {
  // To name the faults of every case that is left costs more than to try pairs on a few.
  while (adopt_a_single(rounds_before_pairs) || adopt_a_pair() || adopt_a_single(items_.size()) || redraw_scopes()) {
  }
  look_closer_at_the_excluded();
  drop_the_needless();
  // Unexplained cases say nothing where the search was ended early.
  if (!is_cut_short()) drop_the_unproved();
}

/// Numbers near overflow, say, are beyond what `double` can tell.
void Cover::look_closer_at_the_excluded() {
  const auto is_excluded = [&](const Item& item) {
    return item.standing == Standing::Excluded && !acting_on(item).empty();
  };
  for (Item* item : first_left(is_excluded, most_looked_at_closely)) {
    if (is_over()) return;  // they are few, whatever was spent on the search
    item->standing = item->rejudged.certain_standing(acting_on(*item));
  }
}

void Cover::name_faults_of(Item& item) const {
  item.named.emplace();
  for (const oracle::Fault* fault : tried_) {
    if (holds(faults_, fault) || !item.rejudged.is_touched_by(*fault)) continue;
    const auto explains = [&](const FaultSet& all) {
      return item.rejudged.standing(acting_on(item, all)) == Standing::Explained;
    };
    if (std::ranges::any_of(each_with({fault}), explains)) item.named->push_back(fault);
  }
}

/// Failing cases that nothing explains so far: the smallest of each operator and type in turn. A contract explains
/// those of precision, unless a fault that others show does.
std::vector<Cover::Item*> Cover::first_left(const std::function<bool(const Item&)>& is_asked_for, std::size_t most) {
  std::vector<Item*> left;
  for (Item& item : items_) {
    if (item.size > most_numbers) continue;
    const bool has_contract = item.rejudged.finding().judgement.verdict == Verdict::Precision;
    if (!item.passes && !has_contract && item.standing != Standing::Explained && is_asked_for(item))
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
  for (Item* item : open) {
    if (!is_cut_short()) name_faults_of(*item);
  }
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
    if (votes.contains(fault) && !holds(faults_, fault)) list.push_back(fault);
  std::ranges::stable_sort(list, {},
                           [&](const oracle::Fault* fault) { return std::tuple(-votes.at(fault), rank_of(*fault)); });
  return list;
}

/// Those that explain a failing case by themselves, but for those that are taken already.
FaultSet Cover::named_anywhere() const {
  FaultSet list = candidates();
  for (const Item& item : items_) {
    if (item.passes) continue;
    for (const std::string& id : item.rejudged.finding().judgement.faults) {
      const oracle::Fault* fault = oracle::fault_named(id);
      if (fault != nullptr && holds(tried_, fault) && !holds(list, fault) && !holds(faults_, fault))
        list.push_back(fault);
    }
  }
  return list;
}

const Scope& Cover::scope_of(const oracle::Fault* fault) const {
  static const Scope everywhere;
  const auto scope = scopes_.find(fault);
  return scope == scopes_.end() ? everywhere : scope->second;
}

void Cover::exchange(const oracle::Fault* fault, const oracle::Fault* by) {
  std::ranges::replace(faults_, fault, by);
  if (auto scope = scopes_.extract(fault)) scopes_[by] = std::move(scope.mapped());
  for (Item& item : items_) {
    if (item.passes || (!item.rejudged.is_touched_by(*fault) && !touches(by, item))) continue;
    item.standing = item.rejudged.standing(acting_on(item));
  }
}

bool Cover::touches(const oracle::Fault* fault, const Item& item) const {
  return scope_of(fault).holds(item.place) && item.rejudged.is_touched_by(*fault);
}

FaultSet Cover::acting_on(const Item& item, const FaultSet& faults) const {
  FaultSet acting;
  std::ranges::copy_if(faults, std::back_inserter(acting),
                       [&](const oracle::Fault* fault) { return touches(fault, item); });
  return acting;
}

void Cover::adopt(const Gain& gain) {
  for (const oracle::Fault* fault : gain.all) {
    if (!holds(faults_, fault) && !gain.scope.is_everywhere()) scopes_[fault] = gain.scope;
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
    for (FaultSet& all : each_with({fault})) {
      const auto explains = [&](Item& item) {
        return !item.passes && item.standing != Standing::Explained && touches(fault, item) &&
               item.rejudged.standing(acting_on(item, all)) == Standing::Explained;
      };
      const std::int64_t explained = std::ranges::count_if(items_, explains);
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
    if (!gain && contradicted.insert(fault).second) gain = gain_in_scope(fault, all);
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

bool Cover::adopt_a_single(std::size_t most_rounds) {
  for (std::size_t round = 0; !is_cut_short(); ++round) {
    if (const auto best = best_single()) {
      adopt(*best);
      return true;
    }
    if (round == most_rounds || !name_some()) return false;
  }
  return false;
}

bool Cover::adopt_a_pair() {
  auto left = first_left([](const Item& item) { return !item.has_tried_pairs; }, most_cases_for_pairs);
  for (Item* item : left) item->has_tried_pairs = true;
  // Faults that any case is explained by are likelier than those that none shows alone.
  FaultSet first = named_anywhere();
  if (first.size() > most_first_of_pair) first.resize(most_first_of_pair);
  const auto adopts_one = [&](Item* item) { return adopt_a_pair_for(*item, first); };
  if (std::ranges::any_of(left, adopts_one)) return true;
  if (left.size() > most_cases_for_all_pairs) left.resize(most_cases_for_all_pairs);
  return std::ranges::any_of(left, [&](Item* item) { return adopt_a_pair_for(*item, tried_); });
}

bool Cover::adopt_a_pair_for(Item& item, const FaultSet& first) {
  for (const oracle::Fault* one : first) {
    if (holds(faults_, one) || !item.rejudged.is_touched_by(*one)) continue;
    for (const oracle::Fault* other : tried_) {
      if (is_cut_short()) return false;
      if (other == one || holds(faults_, other) || !item.rejudged.is_touched_by(*other)) continue;
      const FaultSet pair{one, other};
      if (item.rejudged.standing(acting_on(item, each_with(pair).front())) != Standing::Explained) continue;
      const auto gain = gain_of(pair);
      if (!gain || gain->explained < fewest_for_a_pair) continue;
      adopt(*gain);
      of_pairs_.insert(pair.begin(), pair.end());
      return true;
    }
  }
  return false;
}

}  // namespace cellproof::causes
