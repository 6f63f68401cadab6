#include "oracle/decide.hpp"

#include <algorithm>
#include <utility>

#include "oracle/changed_output.hpp"
#include "oracle/contract.hpp"
#include "oracle/contract_order.hpp"
#include "oracle/contracts_tried.hpp"

namespace cellproof::oracle {
namespace {

using As = reason::Answered::As;

/// A judgement without a verdict: the engine did not do what would be judged.
Judgement unjudged(const Problem& problem, const Knowledge& known, reason::Answered answer) {
  Judgement judgement;
  judgement.contract = base_contract(problem, known.declared);
  judgement.reason.found = std::move(answer);
  return judgement;
}

Judgement verdict_without_values(const Problem& problem, const Knowledge& known, Verdict verdict,
                                 reason::Answered answer) {
  Judgement judgement = unjudged(problem, known, std::move(answer));
  judgement.verdict = verdict;
  return judgement;
}

reason::Answered said(const Outcome& outcome, As as = As::Is) {
  return {as, outcome.kind, outcome.message};
}

Judgement decide_invalid(const Problem& problem, const Expectation& expectation, const Answers& answers,
                         const Knowledge& known) {
  const OutcomeKind outcome = answers.outcome.kind;
  const Words rule = expectation.violations.empty() ? "" : expectation.violations.front().message;
  if (outcome == OutcomeKind::Ran)
    return verdict_without_values(problem, known, Verdict::AcceptedInvalid, {As::RanThoughInvalid, outcome, rule});
  if (further_answer(problem, expectation, answers.outcome) != FurtherAnswer::ValidTwin)
    return unjudged(problem, known, said(answers.outcome));
  if (!answers.valid_twin) return unjudged(problem, known, said(answers.outcome, As::TwinNotRun));
  if (answers.valid_twin->kind == OutcomeKind::Ran)
    return verdict_without_values(problem, known, Verdict::RefusedAsExpected, {As::Refused, outcome, rule});
  return unjudged(problem, known, said(*answers.valid_twin, As::TwinRefused));
}

/// A refusal where the pages leave one open. Under a clause that lists `refuse` it is a reading; under one that only
/// tolerates it (an empty sequence, say) it is a gap, as any case that an engine does not support.
Judgement decide_refusal_of_a_choice(const Problem& problem, const Expectation& expectation, const Outcome& outcome,
                                     const Knowledge& known) {
  Judgement judgement = unjudged(problem, known, said(outcome, As::Tolerated));
  for (const Clause clause : expectation.clauses) {
    if (std::ranges::find(info(clause).readings, "refuse", &ListedReading::id) != info(clause).readings.end())
      judgement.readings = judgement.readings.with(clause, "refuse");
  }
  if (judgement.readings.are_default()) return judgement;
  judgement.verdict = Verdict::Reading;
  judgement.reason.found = said(outcome, As::Admissible);
  return judgement;
}

Judgement misconduct_judgement(const Problem& problem, const Knowledge& known, Misconduct misconduct) {
  Judgement judgement = verdict_without_values(problem, known, Verdict::Diverges, {});
  judgement.reason.found = reason::Misbehaved{misconduct};
  switch (misconduct) {
    case Misconduct::ChangedInputs:
      judgement.kind = ViolationKind::Inputs;
      break;
    case Misconduct::DiffersOnRepeat:
      judgement.kind = ViolationKind::Repeat;
      break;
    case Misconduct::UninitialisedMemory:
      judgement.kind = ViolationKind::Memory;
      break;
  }
  return judgement;
}

}  // namespace

Decision::Decision(const Problem& problem, const Expectation& expectation, const Answers& answers,
                   const Knowledge& known, FaultList tried, Depth depth) {
  const Outcome& outcome = answers.outcome;
  if (expectation.kind == Expectation::Kind::Refuse) {
    judgement_ = decide_invalid(problem, expectation, answers, known);
  } else if (expectation.kind == Expectation::Kind::Either && outcome.kind == OutcomeKind::Rejected) {
    judgement_ = decide_refusal_of_a_choice(problem, expectation, outcome, known);
  } else if (outcome.kind != OutcomeKind::Ran) {
    judgement_ = unjudged(problem, known, said(outcome));
  } else if (!outcome.misconduct.empty()) {
    judgement_ = misconduct_judgement(problem, known, outcome.misconduct.front());
  } else {
    alone_.emplace(problem, outcome.outputs);
    if (further_answer(problem, expectation, outcome) == FurtherAnswer::AllOutputs) look_at_all_outputs(answers);
    search_.emplace(inherits_ ? *all_ : *alone_, known, tried, depth);
  }
}

/// Outputs that are the same in a run that asks for all of them inherit its verdict. A difference that the forward
/// judge cannot call rounding is a divergence of its own (any-output-subset).
void Decision::look_at_all_outputs(const Answers& answers) {
  if (!answers.all_outputs || answers.all_outputs->kind != OutcomeKind::Ran) return;
  with_all_outputs_ = with_all_outputs(alone_->problem);
  all_.emplace(*with_all_outputs_, answers.all_outputs->outputs);
  if (all_->broken) return;
  changed_ = first_changed_output(alone_->outputs, all_->outputs);
  inherits_ = !changed_ && answers.all_outputs->misconduct.empty();
}

bool Decision::advance() {
  return search_ && search_->advance();
}

Judgement Decision::take_judgement() {
  if (!search_) return std::move(judgement_);
  Judgement judgement = search_->take_judgement();
  if (inherits_) judgement.reason.with_all_outputs = true;
  if (changed_ && judgement.verdict == Verdict::Undecided)
    return judgement_of_changed_output(*alone_, *all_, *changed_, std::move(judgement));
  return judgement;
}

Judgement decide(const Problem& problem, const Expectation& expectation, const Answers& answers, const Knowledge& known,
                 FaultList tried, Depth depth) {
  Decision decision(problem, expectation, answers, known, tried, depth);
  while (decision.advance()) {
  }
  return decision.take_judgement();
}

Verdict verdict_on(const Problem& problem, const Answers& answers) {
  return decide(problem, {}, answers, {}, {}, Depth::Verdict).verdict.value_or(Verdict::Undecided);
}

bool passes_gate(const Outcome& outcome, const Judgement& judgement, std::optional<ContractId> declared) {
  switch (outcome.kind) {
    case OutcomeKind::Crashed:
    case OutcomeKind::TimedOut:
    case OutcomeKind::OutOfMemory:
    case OutcomeKind::HarnessError:
      return false;
    default:
      break;
  }
  if (!outcome.misconduct.empty()) return false;
  if (!judgement.verdict) return true;  // a gap: reported apart from wrong results
  switch (*judgement.verdict) {
    case Verdict::Conforms:
    case Verdict::Reading:
    case Verdict::Undecided:
    case Verdict::RefusedAsExpected:
      return true;
    case Verdict::Precision:
      return declared && at_least_as_wide(*declared, judgement.contract);
    default:
      return false;
  }
}

}  // namespace cellproof::oracle
