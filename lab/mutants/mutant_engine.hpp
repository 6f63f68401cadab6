#pragma once

#include "lab/mutants/mutants.hpp"
#include "oracle/answers.hpp"

namespace cellproof::lab::mutants {

/// Runs the mutant on a problem, as an engine.
Outcome outcome_of(const Problem& problem, const Mutant& mutant);

/// Returns all that the mutant says of a problem that must not be refused.
oracle::Answers answers_of(const Problem& problem, const Mutant& mutant);
/// The same of an outcome that is known already.
oracle::Answers answers_of(const Problem& problem, Outcome outcome, const Mutant& mutant);

/// Returns all that an engine with several faults says of such a problem.
oracle::Answers answers_of(const Problem& problem, const Composite& faults);

/// Is there something to compute: is it a problem that must not be refused?
bool is_for_mutants(const Problem& problem);

}  // namespace cellproof::lab::mutants
