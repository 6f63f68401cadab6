#include "lab/mutants/mutant_engine.hpp"

#include <utility>

#include "spec/expectation.hpp"

namespace cellproof::lab::mutants {

Outcome outcome_of(const Problem& problem, const Mutant& mutant) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = run(problem, mutant);
  return outcome;
}

oracle::Answers answers_of(const Problem& problem, Outcome outcome, const Mutant& mutant) {
  oracle::Answers answers{std::move(outcome)};
  if (oracle::further_answer(problem, {}, answers.outcome) == oracle::FurtherAnswer::AllOutputs)
    answers.all_outputs = outcome_of(oracle::with_all_outputs(problem), mutant);
  return answers;
}

oracle::Answers answers_of(const Problem& problem, const Mutant& mutant) {
  return answers_of(problem, outcome_of(problem, mutant), mutant);
}

oracle::Answers answers_of(const Problem& problem, const Composite& faults) {
  const auto ran = [&](const Problem& asked) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = run(asked, faults);
    return outcome;
  };
  oracle::Answers answers{ran(problem)};
  if (oracle::further_answer(problem, {}, answers.outcome) == oracle::FurtherAnswer::AllOutputs)
    answers.all_outputs = ran(oracle::with_all_outputs(problem));
  return answers;
}

bool is_for_mutants(const Problem& problem) {
  return expectation_of(problem).kind != Expectation::Kind::Refuse;
}

}  // namespace cellproof::lab::mutants
