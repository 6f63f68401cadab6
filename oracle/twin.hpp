#pragma once

#include "oracle/decide.hpp"

namespace cellproof::oracle {

/// Is the case better judged in a run that asks for all outputs? Without Y the errors of all steps add up, and little
/// can be said after a few; a single step is as sharp either way.
bool needs_twin(const Problem& problem);

/// The problem with every output of its operator asked for.
Problem with_all_outputs(const Problem& problem);

/// Runs the problem with all outputs asked for and judges that run. Outputs that are the same in both runs inherit its
/// verdict; a difference that the forward judge cannot call rounding is a divergence of its own (any-output-subset).
Judgement decide_by_twin(const Problem& problem, const Outcome& outcome, const EngineContext& engine);

}  // namespace cellproof::oracle
