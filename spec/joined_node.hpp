#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/outcome.hpp"
#include "spec/problem.hpp"

namespace cellproof {

/// Element of an output of one of several nodes.
struct NodeElement {
  std::uint32_t node = 0, output = 0;
  std::uint64_t element = 0;
  friend bool operator==(const NodeElement&, const NodeElement&) = default;
};

/// One of several recurrent nodes in one graph, of which some take what others give.
struct JoinedNode {
  std::string name;                 ///< as the graph has it
  Problem problem;                  ///< its X holds zeros where an earlier node makes it
  std::vector<NodeElement> X_from;  ///< by element of X; empty where X is known
  Outputs outputs;                  ///< by position: what was seen of them
  int opset = 0;
};

}  // namespace cellproof
