#pragma once

#include <cstdint>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/repeat.hpp"
#include "engines/probe.hpp"
#include "oracle/answers.hpp"
#include "oracle/knowledge.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// One case asked of the engine: what came of it.
struct Answer {
  Outcome outcome;
  Expectation expectation;
  Judgement judgement;
  Repeated repeated;          ///< what further calls have shown, where it takes more than one to see the failure
  bool is_explained = false;  ///< by what is known of the engine, where the finding is not
};

/// Do two failing findings say the same, but for the axes: outcome, and what a signature holds beside them? The fault
/// that `known` names first must be among those that explain `other`, or neither names any. Flaky ones are alike where
/// the same came by chance; a flaky one is like no other.
bool fail_alike(const Finding& known, const Finding& other);

/// Asks an engine whether other cases fail on it as one finding does.
class SameFailure {
 public:
  /// `finding` and `run` must outlive this object.
  SameFailure(const Finding& finding, const EngineUnderTest& engine, const engines::Probe& run);
  SameFailure(const SameFailure&) = delete;
  SameFailure& operator=(const SameFailure&) = delete;

  /// Which of the faults that explain an answer it names.
  enum class Faults { All, TheSame };

  /// Runs the case and judges it; what the judge asks besides is asked, too. To look for no other fault than the one
  /// that the finding names is quicker, and does for is_alike().
  Answer ask(const Case& c, Faults faults);

  /// The same outcome, and where the engine ran: the same verdict and all else that a signature holds beside the axes
  /// (first output, kind of violation, readings and contract that explain it). The fault that the finding names first
  /// must be among those that explain the answer; none, where the finding names none. An invalid case that is accepted
  /// must break the same rule. Of what is flaky one call that ends as badly is enough; answers that differ, and
  /// refusals that are not repeated, must show by themselves that they come by chance.
  bool is_alike(const Answer& answer) const;

  /// Does it run the case, and conform, perhaps under other readings?
  bool passes(const Answer& answer) const;

  /// Is one call enough to see that a case passes? Not where it fails by chance, nor of a law.
  bool is_of_one_call() const { return finding_.law.empty() && !finding_.flaky && !takes_several_calls(); }

  /// Counts the calls of the engine.
  std::int64_t calls() const { return calls_; }

 private:
  Outcome call(const Problem& problem);
  bool takes_several_calls() const;
  bool differs_alike(const Answer& answer) const;
  bool is_of_another_output(const Problem& problem, const oracle::Answers& answers) const;

  const Finding& finding_;
  const engines::Probe& run_;
  engines::Probe other_memory_;  ///< empty where there is none
  fuzz::ThreadedProbe threaded_;
  bool same_bits_;
  oracle::Knowledge known_;
  std::vector<const oracle::Fault*> tried_;
  std::function<bool(const Problem&, const oracle::Answers&)> explains_;
  std::int64_t calls_ = 0;
};

}  // namespace cellproof::campaign
