#pragma once

#include "lab/mutants/mutants.hpp"
#include "oracle/decide.hpp"

namespace cellproof::lab::mutants {

/// What the mutant makes of a problem, as an engine's outcome.
Outcome outcome_of(const Problem& problem, const Mutant& mutant);

/// What the oracle knows of a mutant as an engine: that it can be asked again.
oracle::EngineContext context_of(const Mutant& mutant);

/// Is there something to compute: is it a problem that must not be refused?
bool is_for_mutants(const Problem& problem);

}  // namespace cellproof::lab::mutants
