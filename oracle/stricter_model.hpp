#pragma once

#include "oracle/element_evaluation.hpp"
#include "oracle/tally.hpp"

namespace cellproof::oracle {

/// Verifies more elements of an evaluation that found no violation, but leaves elements unresolved or unspecified.
/// Engines differ in what the contract and the pages leave to them, and one and the same engine does it in one way. A
/// stricter model is *one* such way: functions without the floor that the contract grants, one mode of treating NaN and
/// infinities, or both. If it also reaches every element, its sets, which are parts of the honest ones, say which
/// elements are verified. Changes nothing if no model of those tried explains everything. `bits`: the precision level
/// that decided the evaluation. Returns its tally.
Tally verify_more(const Task& task, ElementEvaluation& evaluation, int bits);

}  // namespace cellproof::oracle
