#pragma once

#include <array>
#include <vector>

#include "optimized/cudnn/cellproof_cudnn.h"
#include "spec/problem.hpp"

namespace cellproof::engines {

/// A problem as the C interface of optimized/cudnn takes it. It points into the problem.
class CudnnNode {
 public:
  explicit CudnnNode(const Problem& problem);
  CudnnNode(const CudnnNode&) = delete;
  CudnnNode& operator=(const CudnnNode&) = delete;

  const cellproof_node& node() const { return node_; }
  /// What comes with a run: the data of the graph inputs.
  const std::array<const void*, CELLPROOF_INPUTS>& data() const { return data_; }

 private:
  cellproof_node node_{};
  std::vector<const char*> activations_;
  std::array<const void*, CELLPROOF_INPUTS> data_{};
};

}  // namespace cellproof::engines
