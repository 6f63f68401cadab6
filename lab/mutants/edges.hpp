#pragma once

#include <span>

#include "lab/mutants/mutants.hpp"

namespace cellproof::lab::mutants {

/// Faults that show only where an argument lies in a narrow place: just beyond a clip limit, at a knot, where an
/// exponential ends, on a tie of the quantiser. No suite is asked to find them, and the oracle has no hypothesis for
/// them: they measure searches. `needs` says whether the node has such a place at all.
std::span<const Mutant> edge_mutants();

}  // namespace cellproof::lab::mutants
