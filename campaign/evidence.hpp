#pragma once

#include <vector>

#include "campaign/case_trial.hpp"
#include "engines/probe.hpp"
#include "oracle/knowledge.hpp"
#include "spec/evidence.hpp"

namespace cellproof::campaign {

/// Reads what the outcome of a case of suite readings tells of the clause that it is there to decide, and, where
/// results were compared, of the other value clauses that it touches; empty for cases of other suites. A refusal counts
/// where that clause is all that leaves one open, and the engine runs the plain case of the same version. A gap, a
/// crash and an undecided result tell nothing: evidence with empty lists. `ask` may be empty: no engine is at hand
/// then.
std::vector<Evidence> evidence_of(const Trial& trial, const Outcome& outcome, const Judgement& judgement,
                                  const oracle::Knowledge& known, const engines::Probe& ask);

}  // namespace cellproof::campaign
