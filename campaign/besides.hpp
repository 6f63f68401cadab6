#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engines/probe.hpp"
#include "spec/finding.hpp"
#include "spec/outcome.hpp"
#include "spec/problem.hpp"

namespace cellproof::campaign {

/// Makes the finding fail for a misdeed that showed only after it was made (engines::LateMisdeed). One that died
/// already says that it has done this, too.
void charge(Finding& finding, const Outcome& misdeed);

/// The answers to what belongs to a trial besides its first question: those that are there, each given once, in the
/// order of the questions, then asked for.
class Besides {
 public:
  /// `ask` must outlive it.
  Besides(std::vector<Outcome> given, const engines::Probe& ask);

  Outcome next(const Problem& question);
  /// The same. What the engine does not survive there is the case's failure, and is asked again, so that the case can
  /// be judged all the same.
  Outcome next_surviving(const Problem& question);
  Outcome ask_surviving(const Problem& question);

  /// Makes the finding fail for what the engine did not survive, also where nobody had a use for the answer.
  void charge_to(Finding& finding) const;

 private:
  Outcome survived(Outcome outcome, const Problem& question);

  std::vector<Outcome> given_;
  std::size_t next_ = 0;
  const engines::Probe& ask_;
  std::optional<Outcome> death_;
  std::optional<OtherOutcome> again_;
  std::vector<Outcome> further_deaths_;
};

}  // namespace cellproof::campaign
