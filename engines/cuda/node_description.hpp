#pragma once

#include <array>
#include <vector>

#include "optimized/cuda/cellproof_cuda.h"
#include "spec/problem.hpp"

namespace cellproof::engines {

/// A problem as the C interface takes it. It points into the problem.
class CudaNodeDescription {
 public:
  explicit CudaNodeDescription(const Problem& problem);
  CudaNodeDescription(const CudaNodeDescription&) = delete;
  CudaNodeDescription& operator=(const CudaNodeDescription&) = delete;

  const cellproof_node& node() const { return node_; }
  /// What comes with a run: the data of the graph inputs.
  const std::array<const void*, CELLPROOF_INPUTS>& data() const { return data_; }

 private:
  void set_attributes(const Attributes& attributes);
  void set_inputs(const Problem& problem);

  cellproof_node node_{};
  std::vector<const char*> names_;
  std::array<const void*, CELLPROOF_INPUTS> data_{};
};

}  // namespace cellproof::engines
