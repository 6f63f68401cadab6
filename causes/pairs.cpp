// Faults that no case shows apart.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "causes/cover.hpp"

namespace cellproof::causes {
namespace {

/// Faults that a pair may begin with, the smallest cases that such pairs are tried on, and those of an operator that
/// all pairs are.
constexpr std::size_t most_first_of_pair = 40, most_cases_for_pairs = 12, most_cases_for_all_pairs = 2;
/// Numbers in the inputs of these cases together: a large one takes as long as many that are small.
constexpr std::size_t most_numbers_for_pairs = std::size_t{1} << 14;
/// Numbers in the case that all pairs are tried on.
constexpr std::size_t most_numbers_for_all_pairs = std::size_t{1} << 11;
/// Cases of an operator that are left, and a fourth of those that fail.
constexpr std::size_t fewest_for_all_pairs = 8;
/// Cases that a pair has to explain: of so many pairs one may fit a case by chance.
constexpr std::int64_t fewest_for_a_pair = 2;
/// A pair must explain so many of the cases that pairs are tried on before a scope is drawn for it, and so many pairs
/// get one at a time.
constexpr std::int64_t fewest_for_a_pair_in_scope = 3;
constexpr int most_pairs_in_scope = 8;

/// The first, and those behind it that find room beside it.
std::vector<Cover::Item*> affordable(const std::vector<Cover::Item*>& items) {
  std::vector<Cover::Item*> chosen;
  std::size_t numbers = 0;
  for (Cover::Item* item : items) {
    if (!chosen.empty() && numbers + item->size > most_numbers_for_pairs) continue;
    chosen.push_back(item);
    numbers += item->size;
  }
  return chosen;
}

}  // namespace

bool Cover::adopt_a_pair() {
  const auto left =
      affordable(first_left([](const Item& item) { return !item.has_tried_pairs; }, most_cases_for_pairs));
  for (Item* item : left) item->has_tried_pairs = true;
  // Faults that any case is explained by are likelier than those that none shows alone.
  FaultSet first = named_anywhere();
  if (first.size() > most_first_of_pair) first.resize(most_first_of_pair);
  const std::vector<Item*> plain = for_all_pairs(left);
  for (const bool may_leave_most : {false, true}) {
    if (adopt_a_pair_for(left, left, first, may_leave_most)) return true;
    if (adopt_a_pair_for(plain, left, tried_, may_leave_most)) return true;
  }
  return false;
}

/// The smallest case, and some of each operator of whose failing cases many are left: two faults that act in all of
/// them show alone in none. The first is touched by the fewest faults, the next ones by the fewest of those.
std::vector<Cover::Item*> Cover::for_all_pairs(const std::vector<Item*>& smallest) {
  std::map<Operator, std::size_t> failing;
  std::map<Operator, std::vector<Item*>> left;
  for (Item& item : items_) {
    if (item.passes) continue;
    const Operator op = item.rejudged.finding().version.op;
    ++failing[op];
    if (item.standing == Standing::Excluded && item.size <= most_numbers_for_all_pairs) left[op].push_back(&item);
  }
  std::vector<Item*> chosen;
  if (!smallest.empty() && smallest.front()->size <= most_numbers_for_all_pairs) chosen.push_back(smallest.front());
  for (const auto& [op, items] : left) {
    if (items.size() < fewest_for_all_pairs || items.size() < failing[op] / 4) continue;
    FaultSet touching = tried_;
    for (std::size_t k = 0; k < most_cases_for_all_pairs; ++k) {
      Item* const next = *std::ranges::min_element(items, {}, [&](const Item* item) {
        return std::pair(item->rejudged.acting_of(touching).size(), item->rejudged.acting_of(tried_).size());
      });
      touching = next->rejudged.acting_of(touching);
      if (std::ranges::find(chosen, next) == chosen.end()) chosen.push_back(next);
    }
  }
  return chosen;
}

/// The pairs that explain an item beside the faults so far.
std::vector<FaultSet> Cover::pairs_that_explain(Item& item, const FaultSet& first) const {
  std::vector<FaultSet> pairs;
  const auto may_take_part = [&](const oracle::Fault* fault) {
    return !holds_fault(faults_, fault) && item.rejudged.is_touched_by(*fault);
  };
  for (const oracle::Fault* one : first) {
    if (!may_take_part(one)) continue;
    if (is_late()) break;
    for (const oracle::Fault* other : tried_) {
      if (other == one || !may_take_part(other)) continue;
      FaultSet pair{one, other};
      if (item.rejudged.standing(acting_on(item, each_with(pair).front())) == Standing::Explained)
        pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

/// Takes the first pair that is not contradicted, of those that explain one of the items and most of all that are left.
bool Cover::adopt_a_pair_for(const std::vector<Item*>& explained, const std::vector<Item*>& items,
                             const FaultSet& first, bool may_leave_most) {
  if (is_cut_short()) return false;
  std::vector<std::vector<FaultSet>> of_items(explained.size());
  at_once(of_items.size(), [&](std::size_t k) { of_items[k] = pairs_that_explain(*explained[k], first); });
  std::map<FaultSet, std::int64_t> votes;
  std::vector<FaultSet> pairs;
  for (const std::vector<FaultSet>& of_item : of_items) {
    for (const FaultSet& pair : of_item)
      if (votes.try_emplace(pair).second) pairs.push_back(pair);
  }
  if (is_cut_short()) return false;
  std::vector<std::vector<bool>> explains(items.size());
  at_once(items.size(), [&](std::size_t k) {
    Item& item = *items[k];
    for (const FaultSet& pair : pairs)
      explains[k].push_back(!is_late() &&
                            item.rejudged.standing(acting_on(item, each_with(pair).front())) == Standing::Explained);
  });
  for (const std::vector<bool>& of_item : explains)
    for (std::size_t k = 0; k < pairs.size(); ++k) votes[pairs[k]] += of_item[k];
  std::ranges::stable_sort(pairs, std::ranges::greater{}, [&](const FaultSet& pair) { return votes.at(pair); });
  int in_scope = 0;
  for (const FaultSet& pair : pairs) {
    if (is_cut_short()) return false;
    auto gain = gain_of(pair);
    if (!gain && votes.at(pair) >= fewest_for_a_pair_in_scope && in_scope++ < most_pairs_in_scope)
      gain = gain_in_scope(pair, each_with(pair).front());
    if (!gain || gain->explained < fewest_for_a_pair || (!may_leave_most && leaves_most(*gain))) continue;
    adopt(*gain);
    of_pairs_.insert(pair.begin(), pair.end());
    return true;
  }
  return false;
}

}  // namespace cellproof::causes
