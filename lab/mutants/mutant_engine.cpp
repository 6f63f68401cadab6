#include "lab/mutants/mutant_engine.hpp"

#include "spec/expectation.hpp"

namespace cellproof::lab::mutants {

Outcome outcome_of(const Problem& problem, const Mutant& mutant) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = run(problem, mutant);
  return outcome;
}

oracle::EngineContext context_of(const Mutant& mutant) {
  oracle::EngineContext engine;
  engine.probe = [&mutant](const Problem& problem) { return outcome_of(problem, mutant); };
  return engine;
}

bool is_for_mutants(const Problem& problem) {
  return expectation_of(problem).kind != Expectation::Kind::Refuse;
}

}  // namespace cellproof::lab::mutants
