#pragma once

#include <string>
#include <vector>

#include "oracle/faults/every_fault.hpp"
#include "oracle/knowledge.hpp"
#include "spec/finding.hpp"
#include "spec/joined_node.hpp"

namespace cellproof::oracle {

/// A judgement of several nodes, of which some take what others gave and nobody saw.
struct JoinedJudgement {
  std::size_t node = 0;             ///< the judgement is of its outputs: the first that do not follow, or else the last
  Judgement judgement;              ///< its faults are those of `guilty`, where they are of one node
  std::vector<std::size_t> behind;  ///< the node and those that it rests on unseen: one of them is wrong if it is
  std::vector<std::size_t> guilty;  ///< a fault in one of these explains all that was seen; empty where none does
};

/// Judges what was seen of all nodes at once. What an earlier node made of its inputs is bounded by the certified
/// forward bound, so that a divergence is proved; one and the same reading and contract is supposed of all nodes, and a
/// fault in one of them. Each problem must be valid. The nodes stand in the order of their graph.
JoinedJudgement judge_joined(const std::vector<JoinedNode>& nodes, const Knowledge& known,
                             FaultList tried = every_fault());

}  // namespace cellproof::oracle
