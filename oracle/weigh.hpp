#pragma once

#include <vector>

#include "oracle/knowledge.hpp"
#include "oracle/observed.hpp"
#include "spec/evidence.hpp"

namespace cellproof::oracle {

/// Says what outputs tell of each value clause that the problem touches. A reading is excluded when the outputs are
/// beyond a certified bound under it, whatever the readings of the other clauses: under the contract that the engine is
/// judged by, or, where that leaves no reading at all, under everything that wider contracts together allow, but for
/// those that compute float tensors in 16 bits. Nothing is said of outputs of a wrong number, type or shape, nor where
/// too many combinations of readings would have to be looked at (oracle/combinations.hpp).
std::vector<Evidence> weigh(const Observed& seen, const Knowledge& known);

}  // namespace cellproof::oracle
