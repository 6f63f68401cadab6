#include "causes/outweighed.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "causes/clusters.hpp"
#include "causes/made_cases.hpp"
#include "causes/memory.hpp"
#include "causes/needed.hpp"

namespace cellproof::causes {
namespace {

bool is_wrong_and_open(const Cover::Item& item) {
  const Finding& finding = item.rejudged.finding();
  return !item.passes && item.standing == Standing::Excluded && finding.law.empty() &&
         finding.judgement.verdict != Verdict::Precision;
}

/// Needs of open cases, as reductions that came to their end have proved them.
std::vector<AxisValues> needs_of_open(const Cover& cover) {
  std::vector<AxisValues> needs;
  for (const Cover::Item& item : cover.items()) {
    const auto& reduction = item.rejudged.finding().reduction;
    if (is_wrong_and_open(item) && reduction && reduction->complete) needs.push_back(reduction->guilty);
  }
  return needs;
}

/// Cases that nothing explains, and that have all that the reduction of one of them needs: what the fault is about, and
/// nothing beyond.
std::ptrdiff_t count_open_about(const Cover& cover, const oracle::Fault& fault) {
  const auto is_about = [&](const AxisValue& need) { return is_blamed(need.first, {&fault}); };
  const auto is_beyond = [&](const AxisValue& need) { return !is_size(need.first) && !is_about(need); };
  std::vector<AxisValues> needs = needs_of_open(cover);
  std::erase_if(needs, [&](const AxisValues& need) {
    return std::ranges::none_of(need, is_about) || std::ranges::any_of(need, is_beyond);
  });
  for (AxisValues& need : needs)  // the size that shows it in one case may be another in the next
    std::erase_if(need, [](const AxisValue& axis) { return is_size(axis.first); });
  return std::ranges::count_if(cover.items(), [&](const Cover::Item& item) {
    const AxisValues& axes = item.rejudged.finding().axes;
    const auto is_here = [&](const AxisValues& need) { return has_what_is_needed(axes, need); };
    return is_wrong_and_open(item) && std::ranges::any_of(needs, is_here);
  });
}

/// Operators of which as many cases are open as explained; none unless a plain case is open.
std::set<int> operators_unknown(const Cover& cover) {
  const auto needs_nothing = [](const AxisValues& need) {
    return std::ranges::all_of(need, is_size, &AxisValue::first);
  };
  if (std::ranges::none_of(needs_of_open(cover), needs_nothing)) return {};
  std::map<int, std::ptrdiff_t> more_open;
  for (const Cover::Item& item : cover.items()) {
    std::ptrdiff_t& count = more_open[item.place[Scope::OfOperator]];
    count += is_wrong_and_open(item);
    count -= !item.passes && item.standing == Standing::Explained;
  }
  std::set<int> unknown;
  for (const auto& [op, count] : more_open)
    if (count >= 0) unknown.insert(op);
  return unknown;
}

/// Counts of an operator's cases: those that the fault explains, and those that are open, or not, where it can act in
/// some scope and beyond.
struct Share {
  std::ptrdiff_t explained = 0, open = 0, right = 0, open_beyond = 0, right_beyond = 0;
};

std::map<int, Share> shares_of(const Cover& cover, const oracle::Fault* fault, const Items& explained) {
  std::map<int, Share> shares;
  for (const Cover::Item* item : explained) ++shares[item->place[Scope::OfOperator]].explained;
  for (const Cover::Item& item : cover.items()) {
    if (item.is_made || !item.rejudged.finding().law.empty()) continue;
    Share& share = shares[item.place[Scope::OfOperator]];
    const bool is_open = is_wrong_and_open(item);
    if (item.rejudged.is_touched_by(*fault))
      ++(is_open ? share.open : share.right);
    else
      ++(is_open ? share.open_beyond : share.right_beyond);
  }
  return shares;
}

/// Is there something unknown that ends where the fault begins? Two defects do not share the cases of an operator among
/// themselves.
bool begins_where_unknown_ends(const std::map<int, Share>& shares) {
  constexpr std::ptrdiff_t enough = 8, few = 10;
  std::ptrdiff_t explained = 0, shared = 0;
  for (const auto& [op, share] : shares) {
    explained += share.explained;
    if (share.open_beyond >= enough && few * share.right_beyond <= share.open_beyond && share.open <= share.open_beyond)
      shared += share.explained;
  }
  return 2 * shared > explained;
}

/// Is most open, where the fault can act, in more operators than it explains most of?
bool is_of_few_operators(const std::map<int, Share>& shares) {
  constexpr std::ptrdiff_t enough = 4;
  const auto explains = [](const auto& share) { return share.second.explained > share.second.open; };
  const auto leaves = [](const auto& share) {
    return share.second.open >= enough && share.second.open > share.second.right;
  };
  return std::ranges::count_if(shares, leaves) > std::ranges::count_if(shares, explains);
}

/// Does the fault explain nothing alone, and are too many cases open on which it acts? There are so many pairs that
/// some do nearly what something unknown does.
bool is_by_chance(const Cover& cover, const oracle::Fault* fault, const Items& explained) {
  const std::ptrdiff_t few = cover.is_of_pair(fault) ? 20 : 4;
  const auto is_alone = [&](Cover::Item* item) { return item->rejudged.standing({fault}) == Standing::Explained; };
  if (std::ranges::any_of(explained, is_alone)) return false;
  const auto open = std::ranges::count_if(cover.items(), [&](const Cover::Item& item) {
    return !item.is_made && is_wrong_and_open(item) && cover.touches(fault, item);
  });
  return few * open >= std::ssize(explained);
}

/// Are as many cases open beyond its scope that it would explain? What speaks against it there speaks against the
/// scope.
bool is_wider_than_its_scope(Cover& cover, const oracle::Fault* fault, const Items& explained) {
  if (cover.scope_of(fault).is_everywhere()) return false;
  std::ptrdiff_t beyond = 0;
  for (Cover::Item& item : cover.items()) {
    if (item.is_made || !is_wrong_and_open(item) || cover.touches(fault, item) || !item.rejudged.is_touched_by(*fault))
      continue;
    FaultSet supposed = cover.acting_on(item);
    supposed.push_back(fault);
    beyond += item.rejudged.standing(supposed) == Standing::Explained;
  }
  return beyond >= std::ssize(explained);
}

bool is_outweighed(Cover& cover, const oracle::Fault* fault, const Items& explained, const std::set<int>& unknown,
                   std::span<const Answered> answers) {
  const auto is_of_unknown = [&](const Cover::Item* item) { return unknown.contains(item->place[Scope::OfOperator]); };
  const std::ptrdiff_t about = is_shown_by_chance(cover, *fault, answers) ? 0 : count_open_about(cover, *fault);
  if ((about > 0 && 2 * about >= std::ssize(explained)) || std::ranges::all_of(explained, is_of_unknown)) return true;
  const std::map<int, Share> shares = shares_of(cover, fault, explained);
  return begins_where_unknown_ends(shares) || is_of_few_operators(shares) ||
         is_wider_than_its_scope(cover, fault, explained) || is_by_chance(cover, fault, explained);
}

bool take_back_some(Cover& cover, std::span<const Answered> answers) {
  const std::set<int> unknown = operators_unknown(cover);
  bool is_any_taken_back = false;
  for (const oracle::Fault* fault : FaultSet(cover.faults())) {
    Items explained = explained_with(cover, fault);
    std::erase_if(explained, &Cover::Item::is_made);
    if (explained.empty() || !is_outweighed(cover, fault, explained, unknown, answers)) continue;
    cover.take_back(fault);
    is_any_taken_back = true;
  }
  if (is_any_taken_back) cover.drop_the_needless();  // others said something beside it alone
  return is_any_taken_back;
}

}  // namespace

/// One that is taken back leaves more open beside the others.
bool take_back_outweighed(Cover& cover, std::span<const Answered> answers) {
  bool is_any_taken_back = false;
  while (take_back_some(cover, answers)) is_any_taken_back = true;
  return is_any_taken_back;
}

}  // namespace cellproof::causes
