#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "causes/rejudged.hpp"
#include "causes/scope.hpp"

namespace cellproof::causes {

/// Does parts of a work on several threads, and returns once all are done.
using AtOnce = std::function<void(std::size_t parts, const std::function<void(std::size_t)>& work)>;

/// Limits of the search for a model. They count and do not measure, so that the model is the same on every machine.
struct Bounds {
  std::int64_t judgements = 400'000;   ///< of one answer under one set of faults: some 20 to 200 us each
  std::function<bool()> is_over = {};  ///< the time of the run is used up; asked on threads; empty: it has no limit
  FaultSet tried = {};                 ///< by model_of; empty: all of the catalogue
  AtOnce at_once = {};                 ///< empty: one part after the other. The model is the same either way
};

inline bool holds_fault(const FaultSet& faults, const oracle::Fault* fault) {
  return std::ranges::find(faults, fault) != faults.end();
}

using Scopes = std::map<const oracle::Fault*, Scope>;

/// The faults that explain the failing cases of an engine, found one after the other: whichever explains most of the
/// cases that are left, and contradicts none that is explained without it, passes included. A fault that is
/// contradicted is taken in the scope where it is not, if it explains more there than any other does everywhere. Where
/// no single fault explains anything more, pairs are tried, in scopes, too.
class Cover {
 public:
  /// `answers`: those of cases that were compared with what is right; others are left out.
  Cover(std::span<const Answered> answers, FaultSet tried, const Bounds& bounds);

  void search();

  const FaultSet& faults() const { return faults_; }
  const FaultSet& tried() const { return tried_; }
  /// Takes another fault, which explains as much, in the place of one of the faults, in the scope of that or in
  /// `scope`.
  void exchange(const oracle::Fault* fault, const oracle::Fault* by) { exchange(fault, by, scope_of(fault)); }
  void exchange(const oracle::Fault* fault, const oracle::Fault* by, Scope scope);
  /// Takes the fault and its scope out, and what it explained is unexplained again.
  void take_back(const oracle::Fault* fault);
  /// The same, and a search does not take it by itself again until it learns of another case.
  void dismiss(const oracle::Fault* fault);
  /// Was the fault taken together with another one, since neither explains anything by itself?
  bool is_of_pair(const oracle::Fault* fault) const { return of_pairs_.contains(fault); }
  /// Takes out faults without which everything stays as it is, and pairs: two gate orders may undo each other.
  void drop_the_needless();
  /// Everywhere, for most.
  const Scope& scope_of(const oracle::Fault* fault) const;
  const Scopes& scopes() const { return scopes_; }
  /// Are the bounds reached? Whoever asks leaves something out then.
  bool is_cut_short() const;
  /// Is the time used up? Whoever asks leaves something out then.
  bool is_over() const;
  /// Was anything left out?
  bool was_cut_short() const { return was_cut_short_; }
  /// Counts the judgements so far.
  std::int64_t spent() const;

  /// Adds the answer to a case that was made for the search, for the next one. `made` must outlive the cover.
  void learn(const Answered& made);

  struct Item {
    explicit Item(const Answered& answered)
        : rejudged(answered), place(coordinates_of(answered.answers.front().problem)) {}
    Rejudged rejudged;
    Coordinates place;
    bool passes = false;
    bool is_made = false;                    ///< no case of the run: nobody counts it
    std::size_t size = 0;                    ///< numbers in its inputs
    Standing standing = Standing::Excluded;  ///< under the faults so far
    std::optional<FaultSet> named = {};      ///< each of which explains it beside the faults so far; nullopt: not asked
    bool has_tried_pairs = false;
  };
  std::deque<Item>& items() { return items_; }
  const std::deque<Item>& items() const { return items_; }
  /// Those of the faults that can act on the case: the others change nothing.
  FaultSet acting_on(const Item& item) const { return acting_on(item, faults_); }
  bool touches(const oracle::Fault* fault, const Item& item) const;

 private:
  struct Gain {
    std::int64_t explained = 0;
    std::vector<std::pair<std::size_t, Standing>> standings;  ///< of the items that the faults touch
    FaultSet all;                                             ///< with them, in their order
    Scope scope;                                              ///< of those that are more
  };

  /// A fault among the others, and failing cases that it explains there, unless anything contradicts it.
  struct Weighed {
    const oracle::Fault* fault;
    FaultSet all;
    std::int64_t explained;
  };

  /// The same as is_over(), and nothing is noted: for threads.
  bool is_late() const { return bounds_.is_over && bounds_.is_over(); }
  Item& add(const Answered& answered);
  FaultSet acting_on(const Item& item, const FaultSet& faults) const;

  std::vector<FaultSet> each_with(const FaultSet& more) const;
  std::vector<Weighed> weighed();
  std::optional<Gain> best_of(const std::vector<Weighed>& list);
  std::optional<Gain> best_single();
  bool leaves_most(const Gain& gain) const;
  bool adopt_a_single(std::size_t most_rounds, bool may_leave_most = true);
  bool adopt_a_pair();
  bool adopt_a_pair_for(const std::vector<Item*>& explained, const std::vector<Item*>& items, const FaultSet& first,
                        bool may_leave_most);
  std::vector<Item*> for_all_pairs(const std::vector<Item*>& smallest);
  std::vector<FaultSet> pairs_that_explain(Item& item, const FaultSet& first) const;
  void look_closer_at_the_excluded();
  /// False where all stay.
  bool drop_the_unproved();
  bool ends_where_it_says(const oracle::Fault* fault, const oracle::Fault* wider);
  FaultSet without(const oracle::Fault* fault) const;
  bool are_needless(const FaultSet& faults);
  void forget(const FaultSet& faults);

  void name_faults_of(Item& item) const;
  bool name_some();
  std::vector<Item*> first_left(const std::function<bool(const Item&)>& is_asked_for, std::size_t most);
  FaultSet candidates() const;
  FaultSet named_anywhere() const;
  /// nullopt: a case that is explained without them excludes them.
  std::optional<Gain> gain_of(const FaultSet& more);
  std::optional<Gain> gain_of(const FaultSet& more, const FaultSet& all);
  /// The same of some that are contradicted, in the scope where they are not.
  std::optional<Gain> gain_in_scope(const FaultSet& more, const FaultSet& all);
  std::optional<Scope> scope_with(const FaultSet& more, const FaultSet& all);
  bool touches_any(const FaultSet& faults, const Item& item) const;
  /// The standing of each item under those of the faults that act on it.
  std::vector<Standing> standings_of(const std::vector<Item*>& items, const FaultSet& faults) const;
  void at_once(std::size_t parts, const std::function<void(std::size_t)>& work) const;
  std::int64_t count_explained() const;
  bool is_right_without(const oracle::Fault* fault);
  /// False where none explains more.
  bool redraw_scopes();
  void adopt(const Gain& gain);

  FaultSet tried_;
  Bounds bounds_;
  mutable bool was_cut_short_ = false;
  std::deque<Item> items_;
  FaultSet faults_;
  std::set<const oracle::Fault*> of_pairs_;
  Scopes scopes_;                                        ///< of faults that do not hold everywhere
  std::set<const oracle::Fault*> refuted_;               ///< by a case that the faults so far explain
  std::set<const oracle::Fault*> dismissed_;             ///< taken by itself, and not proved in the end
  std::map<const oracle::Fault*, std::size_t> witness_;  ///< the item that last contradicted a fault
};

}  // namespace cellproof::causes
