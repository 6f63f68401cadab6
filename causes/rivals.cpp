#include "causes/rivals.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "causes/made_cases.hpp"
#include "causes/needed.hpp"

#include "oracle/answers.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/axes.hpp"

namespace cellproof::causes {
namespace {

/// Calls of the engine to tell one fault from its rivals, and to see that one is borne out.
constexpr std::int64_t most_calls_for_one = 12, most_calls_to_confirm = 6;
/// Made cases that settle whether a fault is borne out, and cases of the run that some are aimed after.
constexpr int enough_made_cases = 4, most_aimed_after = 3;
constexpr std::size_t enough_aimed_cases = 2;
/// A fault with more cases than so many times those that it leaves open is not to blame for these.
constexpr std::size_t few_open_for_each = 8;

bool are_related(const oracle::Fault& a, const oracle::Fault& b) {
  const auto root = [](const oracle::Fault& fault) { return fault.corner_of.empty() ? fault.id : fault.corner_of; };
  return root(a) == root(b);
}

/// The smallest first; a law's case, which shows nothing by itself, last.
std::pair<bool, std::size_t> order_of(const Cover::Item* item) {
  return {!item->rejudged.finding().law.empty(), item->size};
}

AxisValues values_but_sizes(const Case& c) {
  AxisValues values = axis_values(c);
  std::erase_if(values, [](const auto& value) { return is_size(value.first); });
  return values;
}

}  // namespace

const FaultSet& Rivals::of(const oracle::Fault* fault) const {
  static const FaultSet none;
  const auto left = left_.find(fault);
  return left == left_.end() ? none : left->second;
}

/// The faults of the cover that act on the item, one of them replaced by another with the same scope.
FaultSet Rivals::acting(const Cover::Item& item, const oracle::Fault* fault, const oracle::Fault* instead) const {
  FaultSet acting;
  for (const oracle::Fault* each : cover_.faults()) {
    if (!cover_.scope_of(each).holds(item.place)) continue;
    const oracle::Fault* const supposed = each == fault ? instead : each;
    if (supposed != nullptr && item.rejudged.is_touched_by(*supposed)) acting.push_back(supposed);
  }
  return acting;
}

/// The failing cases that are not explained without the fault, the smallest first.
std::vector<Cover::Item*> Rivals::needing(const oracle::Fault* fault) {
  std::vector<Cover::Item*> items;
  for (Cover::Item& item : cover_.items()) {
    if (item.passes || item.standing != Standing::Explained || !cover_.touches(fault, item)) continue;
    if (item.rejudged.standing(acting(item, fault, nullptr)) != Standing::Explained) items.push_back(&item);
  }
  std::ranges::stable_sort(items, {}, order_of);
  return items;
}

Rivals::Found Rivals::find(const oracle::Fault* fault, const std::vector<Cover::Item*>& needed) {
  Found found{{}, needed.front()};
  const Scope& scope = cover_.scope_of(fault);
  for (const oracle::Fault* other : cover_.tried()) {
    const bool excuses_more = other->cls == oracle::FaultClass::Precision && fault->cls != other->cls;
    const auto taken = std::ranges::find(cover_.faults(), other) != cover_.faults().end();
    if (!excuses_more && !taken && !are_related(*fault, *other)) found.rivals.push_back(other);
  }
  for (Cover::Item* item : needed) {
    if (found.rivals.empty() || cover_.is_cut_short()) break;
    std::erase_if(found.rivals, [&](const oracle::Fault* other) {
      return !item->rejudged.is_touched_by(*other) ||
             item->rejudged.standing(acting(*item, fault, other)) != Standing::Explained ||
             speaks_for(*fault, *other, scope, item->rejudged.finding());
    });
  }
  std::erase_if(found.rivals, [&](const oracle::Fault* other) {
    return std::ranges::any_of(cover_.items(), [&](Cover::Item& item) {
      if (item.standing != Standing::Explained || !scope.holds(item.place)) return false;
      if (!item.rejudged.is_touched_by(*fault) && !item.rejudged.is_touched_by(*other)) return false;
      return item.rejudged.is_surely_excluded(acting(item, fault, other));
    });
  });
  if (cover_.is_cut_short()) found.rivals.clear();  // not all cases were asked
  return found;
}

struct Rivals::Asked {
  Asked(Problem problem, Outputs outputs, const Answered& like)
      : answered{&finding, like.declared, like.followed, {{std::move(problem), std::move(outputs)}}}, item(answered) {}
  Finding finding;
  Answered answered;
  Cover::Item item;
};

std::unique_ptr<Rivals::Asked> Rivals::ask(Problem problem, const Cover::Item& like) {
  ++calls_;
  std::optional<Outputs> outputs = ask_(problem);
  return outputs ? std::make_unique<Asked>(std::move(problem), std::move(*outputs), like.rejudged.answered()) : nullptr;
}

bool Rivals::can_act(const oracle::Fault* fault, const Problem& problem) const {
  return fault->applies(problem) && cover_.scope_of(fault).holds(coordinates_of(problem));
}

/// Failing cases that nothing explains although the fault acts on them, the smallest first.
std::vector<const Cover::Item*> Rivals::open_to(const oracle::Fault* fault) const {
  std::vector<const Cover::Item*> open;
  for (const Cover::Item& item : cover_.items())
    if (!item.passes && item.standing == Standing::Excluded && cover_.touches(fault, item)) open.push_back(&item);
  std::ranges::stable_sort(open, {}, order_of);
  return open;
}

/// Cases that say most of the fault: aimed at it after those that it leaves open and those that need it, one of each in
/// turn. Where there are too few: changes of the smallest that needs it.
std::vector<Made> Rivals::cases_to_confirm(const oracle::Fault* fault, const std::vector<const Cover::Item*>& open,
                                           const std::vector<Cover::Item*>& needed) const {
  std::vector<Made> made;
  struct Turn {
    std::size_t next = 0;
    std::set<AxisValues> seen = {};  ///< each is said once
  };
  const auto add_one_aimed_after = [&](const auto& items, Turn& turn) {
    while (turn.next < items.size()) {
      const std::optional<Case> shown = case_shown_by(items[turn.next++]->rejudged.finding());
      if (!shown) continue;
      Case c = aimed_at(*fault, *shown);
      if (!can_act(fault, make_problem(c))) c = axis("direction").apply(c, axis("direction").of(*shown));
      Problem problem = oracle::with_all_outputs(make_problem(c));
      if (!is_small_and_valid(problem) || !can_act(fault, problem)) continue;
      if (!turn.seen.insert(values_but_sizes(c)).second) continue;
      made.push_back({std::move(c), std::move(problem)});
      return;
    }
  };
  Turn of_open, of_needed;
  for (int k = 0; k < most_aimed_after; ++k) {
    add_one_aimed_after(open, of_open);
    add_one_aimed_after(needed, of_needed);
  }
  const auto shown = case_shown_by(needed.front()->rejudged.finding());
  if (shown && made.size() < enough_aimed_cases)
    std::ranges::move(made_cases(*shown, {fault}), std::back_inserter(made));
  std::erase_if(made, [&](const Made& each) { return !can_act(fault, each.problem); });
  return made;
}

/// Is the engine right on a plain case of the version and type, as far as the other faults go? Where it is not, what it
/// gives for a made case may be another defect's doing.
bool Rivals::is_right_when_plain(const oracle::Fault* fault, const Problem& problem, const Cover::Item& like) {
  const ElementType type = problem.inputs.at(input::X).tensor->type();
  const auto [place, is_new] = right_when_plain_.emplace(std::pair(problem.version, type), false);
  if (!is_new) return place->second;
  const Dimensions d = dimensions_of(problem);
  Problem plain = oracle::with_all_outputs(make_problem(plain_with_all_outputs(problem.version, type, d)));
  const std::unique_ptr<Asked> asked = ask(std::move(plain), like);
  if (asked) place->second = asked->item.rejudged.standing(acting(asked->item, fault, nullptr)) == Standing::Explained;
  return place->second;
}

/// Does a made case that excludes the fault speak against it? Not where the engine is wrong at everything of the case's
/// version and type, and right at plain cases of those that need the fault.
bool Rivals::says_something(const oracle::Fault* fault, const Asked& made, const Cover::Item& needed) {
  const Problem& problem = made.answered.answers.front().problem;
  const Problem& of_needed = needed.rejudged.answered().answers.front().problem;
  return is_right_when_plain(fault, problem, needed) || !is_right_when_plain(fault, of_needed, needed);
}

Rivals::Votes Rivals::vote_of(const oracle::Fault* fault, Asked& made, const Cover::Item& needed) {
  Rejudged& answer = made.item.rejudged;
  const Standing with = answer.standing(acting(made.item, fault, fault));
  const Standing without = answer.standing(acting(made.item, fault, nullptr));
  const bool is_excluded = answer.is_surely_excluded(acting(made.item, fault, fault));
  return {.for_it = with == Standing::Explained && without == Standing::Excluded,
          .against_it = is_excluded && says_something(fault, made, needed),
          .is_wrong_both_ways = is_excluded && without == Standing::Excluded};
}

/// Judges made cases until enough of them have settled something. `asks_again`: where the engine is wrong with the
/// fault and without it, another defect may show, so the case is asked again with what the fault needs alone.
Rivals::Votes Rivals::votes_on(const oracle::Fault* fault, std::vector<Made> cases, const Cover::Item& needed,
                               bool asks_again) {
  Votes votes;
  std::int64_t calls = 0;
  for (Made& made : cases) {
    if (calls == most_calls_to_confirm || calls_ == most_calls || cover_.is_over()) break;
    if (votes.for_it + votes.against_it == enough_made_cases) break;
    ++calls;
    const std::unique_ptr<Asked> asked = ask(std::move(made.problem), needed);
    if (!asked) continue;
    Votes vote = vote_of(fault, *asked, needed);
    if (asks_again && vote.is_wrong_both_ways) {
      const std::optional<Case> alone = with_fault_alone(*fault, made.c);
      const auto again = alone ? ask(oracle::with_all_outputs(make_problem(*alone)), needed) : nullptr;
      if (again) vote = vote_of(fault, *again, needed);
    }
    votes.for_it += vote.for_it;
    votes.against_it += vote.against_it;
    if (vote.against_it) against_.push_back(std::move(made.c));
  }
  return votes;
}

/// Cases on which the base of a corner acts and no corner of the cover does.
std::vector<Made> Rivals::cases_beyond(const oracle::Fault& base, const Cover::Item& needed) const {
  const auto shown = case_shown_by(needed.rejudged.finding());
  if (!shown) return {};
  Case plain = aimed_at(base, *shown);
  std::vector<Made> made = with_one_more_input(plain);
  std::ranges::move(made_cases(plain, {&base}), std::back_inserter(made));
  made.insert(made.begin(), {plain, oracle::with_all_outputs(make_problem(plain))});
  std::erase_if(made, [&](const Made& each) {
    return !is_small_and_valid(each.problem) || !base.applies(each.problem) ||
           std::ranges::any_of(cover_.faults(), [&](const oracle::Fault* fault) {
             return fault->corner_of == base.id && fault->applies(each.problem);
           });
  });
  return made;
}

/// Is the engine right beyond the corner, where it was asked? Where it is not, what is wrong is no corner.
bool Rivals::is_right_beyond(const oracle::Fault* corner, const std::vector<Cover::Item*>& needed) {
  const oracle::Fault* const base = oracle::fault_named(corner->corner_of);
  if (base == nullptr) return true;
  int right = 0, wrong = 0;
  std::vector<Made> beyond;
  for (std::size_t k = 0; beyond.empty() && k < needed.size(); ++k) beyond = cases_beyond(*base, *needed[k]);
  for (Made& made : beyond) {
    if (right + wrong == enough_made_cases || calls_ == most_calls || cover_.is_over()) break;
    const std::unique_ptr<Asked> asked = ask(std::move(made.problem), *needed.front());
    if (!asked) continue;
    const FaultSet supposed = acting(asked->item, corner, corner);
    right += asked->item.rejudged.standing(supposed) == Standing::Explained;
    wrong += asked->item.rejudged.is_surely_excluded(supposed) && says_something(corner, *asked, *needed.front());
  }
  return wrong == 0 || right > wrong;
}

/// Are cases that one of a pair leaves open right once its own axes are as they are by default? Then what is wrong
/// there is about these, too, and is something else than the pair. Many pairs fit by chance, of which neither explains
/// anything alone.
bool Rivals::is_behind_what_is_open(const oracle::Fault* fault, const std::vector<const Cover::Item*>& open) {
  int right = 0, wrong = 0;
  for (const Cover::Item* item : open) {
    if (right + wrong == most_aimed_after || calls_ == most_calls || cover_.is_over()) break;
    const std::optional<Case> shown = case_shown_by(item->rejudged.finding());
    const std::optional<Case> other = shown ? without_fault(*fault, *shown) : std::nullopt;
    if (!other) continue;
    Problem problem = oracle::with_all_outputs(make_problem(*other));
    const auto asked = is_small_and_valid(problem) ? ask(std::move(problem), *item) : nullptr;
    if (!asked) continue;
    const bool is_right = asked->item.rejudged.standing(acting(asked->item, fault, nullptr)) == Standing::Explained;
    ++(is_right ? right : wrong);
  }
  return right > wrong;
}

/// Asks made cases. False where as many of them exclude the fault as bear it out. Of one that leaves more cases open
/// than it explains none may, whatever else may show, and of plain cases with one more input no more than bear it out.
bool Rivals::is_borne_out(const oracle::Fault* fault, const std::vector<Cover::Item*>& needed) {
  if (fault->reads_memory) return true;
  if (!is_right_beyond(fault, needed)) return false;
  const std::vector<const Cover::Item*> open = open_to(fault);
  if (cover_.is_of_pair(fault) && is_behind_what_is_open(fault, open)) return false;
  const bool explains_most = open.size() < needed.size(), leaves_few = few_open_for_each * open.size() < needed.size();
  std::vector<Made> made = cases_to_confirm(fault, leaves_few ? std::vector<const Cover::Item*>{} : open, needed);
  const Votes votes = votes_on(fault, std::move(made), *needed.front(), explains_most);
  if (explains_most) return votes.against_it == 0 || votes.for_it > votes.against_it;
  if (votes.against_it > 0) return false;
  const auto shown = case_shown_by(needed.front()->rejudged.finding());
  if (!shown) return true;
  std::vector<Made> with_more = with_one_more_input(aimed_at(*fault, *shown));
  std::erase_if(with_more, [&](const Made& each) { return !can_act(fault, each.problem); });
  const Votes with_inputs = votes_on(fault, std::move(with_more), *needed.front(), false);
  return with_inputs.against_it <= with_inputs.for_it;
}

const oracle::Fault* Rivals::decide(const oracle::Fault* fault, Found& found) {
  const std::optional<Case> shown = case_shown_by(found.smallest->rejudged.finding());
  if (!shown) return fault;
  FaultSet all = found.rivals;
  all.push_back(fault);
  std::int64_t calls = 0;
  for (Made& made : made_cases(*shown, all)) {
    if (found.rivals.empty() || calls == most_calls_for_one || calls_ == most_calls || cover_.is_cut_short()) break;
    ++calls;
    const std::unique_ptr<Asked> asked = ask(std::move(made.problem), *found.smallest);
    if (!asked || !cover_.scope_of(fault).holds(asked->item.place)) continue;
    found.has_answers = true;
    Cover::Item& item = asked->item;
    const auto is_excluded = [&](const oracle::Fault* supposed) {
      return item.rejudged.is_surely_excluded(acting(item, fault, supposed));
    };
    FaultSet possible = found.rivals;
    std::erase_if(possible, is_excluded);
    if (!is_excluded(fault)) {
      found.rivals = std::move(possible);
    } else if (!possible.empty()) {
      cover_.exchange(fault, possible.front());
      fault = possible.front();
      possible.erase(possible.begin());
      found.rivals = std::move(possible);
    }  // else the case shows something that none of them is
  }
  return fault;
}

}  // namespace cellproof::causes
