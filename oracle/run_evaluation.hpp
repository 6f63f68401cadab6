#pragma once

#include <cstdint>
#include <vector>

#include "oracle/element_evaluation.hpp"

namespace cellproof::oracle {

/// Takes every row of every direction through its steps. Where Y is given, each step starts from the engine's own state
/// (the residual judge); elsewhere from the set that the step before leads to (the forward judge). `stop_early`: return
/// as soon as one element is beyond its bound. `bits`: a precision level of oracle/precision_levels.hpp. `only`: leaves
/// all other elements untouched, where rows do not depend on each other (is_by_rows).
ElementEvaluation run_evaluation(const Task& task, Tier tier, bool stop_early, int bits, const Stretch* only = nullptr);

/// Says if a row can be judged without the others. Not where a range is taken over states that were not observed, or a
/// fault leads from one row to the next.
bool is_by_rows(const Task& task);

/// Returns the gates of one unit at one step.
std::vector<Trace::Value> gates_at(const Task& task, std::int64_t d, std::int64_t b, std::int64_t rank,
                                   std::int64_t unit, int bits);

/// The forward sets of all states, with no outputs looked at.
Trajectory forward_sets(const Task& task, int bits);

}  // namespace cellproof::oracle
