#include "campaign/besides.hpp"

#include <utility>

#include "campaign/repeat.hpp"

namespace cellproof::campaign {
namespace {

/// Makes the finding say what an outcome was that is not judged.
void leave_unjudged(Finding& finding, const Outcome& outcome) {
  finding.outcome = outcome.kind;
  finding.outcome_message = outcome.message;
  finding.signal = outcome.signal;
  Judgement judgement;
  judgement.contract = finding.judgement.contract;
  judgement.kind = ViolationKind::Outcome;
  judgement.reason.found = reason::Answered{reason::Answered::As::Is, outcome.kind, outcome.message};
  finding.judgement = std::move(judgement);
  finding.pass = false;
}

}  // namespace

void charge(Finding& finding, const Outcome& misdeed) {
  if (is_death(finding.outcome)) {  // which stands
    finding.judgement.reason.besides += "; then " + misdeed.message;
    return;
  }
  finding.flaky = OtherOutcome{finding.outcome, finding.outcome_message, finding.signal};
  leave_unjudged(finding, misdeed);
  finding.misconduct.clear();
}

Besides::Besides(std::vector<Outcome> given, const engines::Probe& ask) : given_(std::move(given)), ask_(ask) {}

Outcome Besides::next(const Problem& question) {
  return next_ < given_.size() ? std::move(given_[next_++]) : ask_(question);
}

Outcome Besides::next_surviving(const Problem& question) {
  return survived(next(question), question);
}

Outcome Besides::ask_surviving(const Problem& question) {
  return survived(ask_(question), question);
}

void Besides::charge_to(Finding& finding) const {
  if (death_ && is_death(finding.outcome)) {
    charge(finding, *death_);
  } else if (death_) {
    Outcome death = *death_;
    death.message = "in a run beside the case, its twin: " + death.message;
    leave_unjudged(finding, death);
    finding.flaky = again_;
  }
  for (const Outcome& further : further_deaths_) charge(finding, further);
  for (std::size_t k = next_; k < given_.size(); ++k) {
    if (is_death(given_[k])) charge(finding, given_[k]);
  }
}

Outcome Besides::survived(Outcome outcome, const Problem& question) {
  if (!is_death(outcome)) return outcome;
  Outcome again = ask_(question);
  if (death_) {
    further_deaths_.push_back(std::move(outcome));
  } else {
    death_ = std::move(outcome);
    if (!is_death(again)) again_ = other_outcome(again);
  }
  return again;
}

}  // namespace cellproof::campaign
