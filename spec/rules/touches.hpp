#pragma once

#include "spec/readings.hpp"
#include "spec/rules/node_facts.hpp"

namespace cellproof::rules {

/// Could the clause matter for this node: for its values under some reading of the other clauses, or for its
/// acceptance? False for clauses that leave nothing to choose.
bool touches(const NodeFacts& facts, Clause clause);

/// May an engine refuse this node because of the clause, when all other clauses have their default reading?
bool leaves_refusal_open(const NodeFacts& facts, Clause clause);

}  // namespace cellproof::rules
