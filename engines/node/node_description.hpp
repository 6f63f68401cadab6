#pragma once

#include <array>
#include <string>
#include <vector>

#include "optimized/node/cellproof_node.h"
#include "spec/problem.hpp"

namespace cellproof::engines {

/// A problem as the C interfaces of optimized/ take it. It points into the problem.
class NodeDescription {
 public:
  explicit NodeDescription(const Problem& problem);
  NodeDescription(const NodeDescription&) = delete;
  NodeDescription& operator=(const NodeDescription&) = delete;

  const cellproof_node& node() const { return node_; }
  /// Data of the graph inputs, which come with a run.
  const std::array<const void*, CELLPROOF_INPUTS>& data() const { return data_; }

 private:
  cellproof_node node_{};
  std::vector<const char*> activations_;
  std::array<const void*, CELLPROOF_INPUTS> data_{};
};

/// Tensors for the outputs that a valid problem asks for, by position; all zeros.
Outputs empty_outputs(const Problem& problem);

}  // namespace cellproof::engines
