#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "causes/answered.hpp"

#include "oracle/evaluate.hpp"
#include "oracle/fault.hpp"

namespace cellproof::causes {

/// Faults of one engine, all at once (oracle::Hypothesis).
using FaultSet = std::vector<const oracle::Fault*>;

/// Fate of an engine's answer to a case where a set of faults is supposed.
enum class Standing {
  Explained,  ///< every check passes and nine elements in ten are verified
  Possible,   ///< nothing excludes it, and too little is verified
  Excluded,   ///< an element is beyond its certified bound
};

/// A case judged again and again: the same answers under one set of faults after the other. Default readings and those
/// that are known to explain the case or the engine are tried.
class Rejudged {
 public:
  /// `answered` must outlive it, and have answers.
  explicit Rejudged(const Answered& answered);

  const Answered& answered() const { return answered_; }
  const Finding& finding() const { return *answered_.finding; }
  /// Can the fault act on the case at all?
  bool is_touched_by(const oracle::Fault& fault) const;
  /// The faults of a set that can act on it: the others change nothing.
  FaultSet acting_of(const FaultSet& faults) const;
  Standing standing(const FaultSet& faults);
  /// The same under the default readings alone.
  Standing standing_by_default(const FaultSet& faults);

  /// The same, and what is excluded is judged again in balls, which know more than `double`, and with each of the
  /// readings that the engine seems to follow left out: the faults may be what looks like it.
  Standing certain_standing(const FaultSet& faults);
  /// The same where the engine's arithmetic is what a wider contract allows.
  Standing standing_under(ContractId contract, const FaultSet& faults);
  /// Is it excluded under each of the readings with certainty? What `double` finds beyond a bound may be its own error.
  bool is_surely_excluded(const FaultSet& faults);
  /// Are as many elements more verified under the faults as are wrong without them, and none wrong? Of a case of which
  /// the text leaves too much open to call it explained.
  bool verifies_what_is_wrong(const FaultSet& faults);

  /// Counts the judgements so far.
  std::int64_t judgements() const { return judgements_; }

 private:
  struct Seen {
    explicit Seen(const Answer& answer) : observed(answer.problem, answer.outputs), evaluator(observed) {}
    oracle::Observed observed;
    oracle::Evaluator evaluator;
  };

  /// Judges one of the answers; made when it is first asked for: most passes are touched by no fault that is weighed.
  oracle::Evaluator& evaluator(std::size_t k);
  Verdict verdict_of(std::size_t k, oracle::Depth depth, const oracle::Hypothesis& hypothesis);
  Standing standing_to(oracle::Depth depth, const oracle::Hypothesis& hypothesis);
  Standing standing_in_balls(const FaultSet& faults);
  bool verifies(const Readings& readings, const FaultSet& faults);
  const std::vector<bool>& wrong_runs(const Readings& readings);
  Standing standing_of_law(oracle::Depth depth, const oracle::Hypothesis& hypothesis);

  const Answered& answered_;
  std::vector<std::unique_ptr<Seen>> seen_;  ///< by answer
  std::vector<Readings> readings_;
  std::vector<std::pair<Readings, std::vector<bool>>> wrong_runs_;  ///< of a law, as asked
  const ContractId contract_;                                       ///< the engine's own word, or that of its type
  std::int64_t judgements_ = 0;
  // As asked: whoever models an engine asks the same again after each case that is made or reduced.
  std::map<std::pair<ContractId, FaultSet>, Standing> standings_;
  std::map<FaultSet, Standing> by_default_, in_balls_;
  std::map<FaultSet, bool> surely_excluded_, verifies_;
  enum class Touched : std::uint8_t { Unknown, No, Yes };
  mutable std::vector<Touched> touched_;  ///< by fault, as asked
};

}  // namespace cellproof::causes
