#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "causes/cover.hpp"
#include "causes/made_cases.hpp"

#include "spec/case.hpp"

namespace cellproof::causes {

/// Returns the outputs that the engine gives for a problem, one call; nullopt where there is nothing to compare.
using AskEngine = std::function<std::optional<Outputs>(const Problem&)>;

/// Faults that explain the same cases as one that was taken, and contradict none either. The engine is asked a case
/// that was made to tell them apart; those that no case excludes are left, and are said beside the one that was taken.
/// A fault that made cases do not bear out is taken back: something unknown looked like it.
class Rivals {
 public:
  /// The cover must outlive it. `ask`: may be empty, then nothing is told apart.
  Rivals(Cover& cover, AskEngine ask) : cover_(cover), ask_(std::move(ask)) {}

  /// Asks open cases again, with other numbers, that faults explain of which there is too little to say where they
  /// hold, and lets the cover search on.
  void ask_for_more();

  /// Looks for rivals of every fault of the cover, and lets made cases decide: a fault that one excludes is replaced.
  void settle();
  /// The same of one fault. False: it was taken back.
  bool settle(const oracle::Fault* fault);

  /// Those that are left.
  const FaultSet& of(const oracle::Fault* fault) const;
  /// Counts calls of the engine.
  std::int64_t calls() const { return calls_; }

 private:
  struct Found {
    FaultSet rivals;
    const Cover::Item* smallest = nullptr;  ///< case that needs the fault
    bool has_answers = false;               ///< of the engine, to cases that were made
  };

  bool can_act(const oracle::Fault* fault, const Problem& problem) const;
  FaultSet acting(const Cover::Item& item, const oracle::Fault* fault, const oracle::Fault* instead) const;
  std::vector<Cover::Item*> needing(const oracle::Fault* fault);
  Found find(const oracle::Fault* fault, const std::vector<Cover::Item*>& needed);
  std::vector<const Cover::Item*> undecided_cases();
  void learn(const Case& c, const Cover::Item& item);
  struct Asked;  ///< a made case with what the engine makes of it
  /// Asks the engine. Returns null where there is nothing to compare.
  std::unique_ptr<Asked> ask(Problem problem, const Cover::Item& like);
  std::vector<const Cover::Item*> open_to(const oracle::Fault* fault) const;
  std::vector<Made> cases_to_confirm(const oracle::Fault* fault, const std::vector<const Cover::Item*>& open,
                                     const std::vector<Cover::Item*>& needed) const;
  bool is_right_when_plain(const oracle::Fault* fault, const Problem& problem, const Cover::Item& like);
  bool says_something(const oracle::Fault* fault, const Asked& made, const Cover::Item& needed);
  struct Votes {
    int for_it = 0, against_it = 0;
    bool is_wrong_both_ways = false;  ///< the last answer, with the fault and without it
  };
  Votes vote_of(const oracle::Fault* fault, Asked& made, const Cover::Item& needed);
  Votes votes_on(const oracle::Fault* fault, std::vector<Made> cases, const Cover::Item& needed, bool asks_again);
  std::vector<Made> cases_beyond(const oracle::Fault& base, const Cover::Item& needed) const;
  bool is_right_beyond(const oracle::Fault* corner, const std::vector<Cover::Item*>& needed);
  bool is_behind_what_is_open(const oracle::Fault* fault, const std::vector<const Cover::Item*>& open);
  bool is_borne_out(const oracle::Fault* fault, const std::vector<Cover::Item*>& needed);
  /// Returns the fault that stands, and takes from its rivals those that a case excludes.
  bool settle_all();
  const oracle::Fault* decide(const oracle::Fault* fault, Found& found);

  static constexpr std::int64_t most_calls = 120;  ///< of the engine

  Cover& cover_;
  AskEngine ask_;
  std::map<std::pair<OperatorVersion, ElementType>, bool> right_when_plain_;
  std::int64_t calls_ = 0;
  std::map<const oracle::Fault*, FaultSet> left_;
  std::vector<Case> against_;                      ///< made cases that speak against the fault that is looked at
  std::deque<std::pair<Finding, Answered>> more_;  ///< cases that the cover has learnt of
};

}  // namespace cellproof::causes
