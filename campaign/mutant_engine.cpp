#include "campaign/mutant_engine.hpp"

#include "spec/expectation.hpp"

namespace cellproof::campaign {

Outcome outcome_of(const Problem& problem, const engines::mutants::Mutant& mutant) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = engines::mutants::run(problem, mutant);
  return outcome;
}

oracle::EngineContext context_of(const engines::mutants::Mutant& mutant) {
  oracle::EngineContext engine;
  engine.probe = [&mutant](const Problem& problem) { return outcome_of(problem, mutant); };
  return engine;
}

bool is_for_mutants(const Problem& problem) {
  return expectation_of(problem).kind != Expectation::Kind::Refuse;
}

}  // namespace cellproof::campaign
