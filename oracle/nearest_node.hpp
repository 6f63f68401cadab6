#pragma once

#include <optional>
#include <string>

#include "oracle/knowledge.hpp"
#include "spec/outcome.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// Names the one change of the node after which outputs that do not follow from it would: an input that an exporter
/// lost or added, with its values where the outputs show them, or another attribute. nullopt where no such change is
/// found. Made for outputs of a framework beside the node that was exported.
std::optional<std::string> nearest_node(const Problem& problem, const Outputs& outputs, const Knowledge& known);

}  // namespace cellproof::oracle
