#pragma once

#include "oracle/element_evaluation.hpp"

namespace cellproof::oracle {

/// Verifies more elements of an evaluation that found no violation, but leaves elements unresolved or unspecified:
/// engines differ in what the contract and the pages leave to them, and one and the same engine does it in one way.
/// Where every element also lies within what *one* narrower way of computing can reach (functions without the floor
/// that the contract grants; one mode of treating NaN and infinities), that one's sets, which are parts of the honest
/// ones, say which elements are verified. Changes nothing where no way of those tried explains everything. `bits`: the
/// precision level that decided the evaluation.
void verify_more(const Task& task, ElementEvaluation& evaluation, int bits);

}  // namespace cellproof::oracle
