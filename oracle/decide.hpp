#pragma once

#include <optional>

#include "oracle/answers.hpp"
#include "oracle/changed_output.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/knowledge.hpp"
#include "oracle/search.hpp"
#include "spec/expectation.hpp"
#include "spec/outcome.hpp"

namespace cellproof::oracle {

/// The way from all that an engine said of a case to a verdict (docs/verdicts.md). A problem that was computed is
/// searched for the first hypothesis that explains the outputs: default; each other reading of the clauses touched;
/// readings together; wider contracts; both. A clause touched without executable readings makes a failure UNDECIDED,
/// never DIVERGES. Cases that must be refused, or may be, are decided at once.
class Decision {
 public:
  /// Problem and answers must outlive it. `tried`: which faults may be named. `depth`: Described, or Verdict for the
  /// verdict alone.
  Decision(const Problem& problem, const Expectation& expectation, const Answers& answers, const Knowledge& known,
           FaultList tried = every_fault(), Depth depth = Depth::Described);
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;

  /// Tries one hypothesis, of which there may be hundreds. False when the case is decided.
  bool advance();
  /// The judgement, once the case is decided.
  Judgement take_judgement();

 private:
  void look_at_all_outputs(const Answers& answers);

  Judgement judgement_;            ///< where nothing is searched
  std::optional<Observed> alone_;  ///< the case itself
  std::optional<Problem> with_all_outputs_;
  std::optional<Observed> all_;  ///< the same with all outputs
  std::optional<ChangedOutput> changed_;
  bool inherits_ = false;  ///< the case has the verdict of the run with all outputs
  std::optional<Search> search_;
};

/// A whole decision.
Judgement decide(const Problem& problem, const Expectation& expectation, const Answers& answers,
                 const Knowledge& known = {}, FaultList tried = every_fault(), Depth depth = Depth::Described);

/// The verdict alone on a problem that must not be refused, with as little work as it takes; UNDECIDED where the engine
/// did not run it.
Verdict verdict_on(const Problem& problem, const Answers& answers);

/// The default gate of docs/verdicts.md for a decided outcome: a refusal of a valid case is a gap and passes here, a
/// crash, hang or misconduct never does.
bool passes_gate(const Outcome& outcome, const Judgement& judgement, std::optional<ContractId> declared);

}  // namespace cellproof::oracle
