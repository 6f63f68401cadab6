#pragma once

#include <optional>
#include <vector>

#include "spec/contract.hpp"
#include "spec/finding.hpp"
#include "spec/joined_node.hpp"

namespace cellproof::campaign {

/// Judges what lies beside a graph of several recurrent nodes: fills in what a finding says of outputs. The finding is
/// of the node whose outputs do not follow; its reason names the others, and the guilty one where that is known.
void judge_joined_nodes(const std::vector<JoinedNode>& nodes, std::optional<ContractId> declared, Finding& finding);

}  // namespace cellproof::campaign
