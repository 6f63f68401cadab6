#pragma once

#include <string>
#include <utility>

#include "engines/node/node_engine.hpp"
#include "optimized/cuda/cellproof_cuda.h"

namespace cellproof::engines {

/// The project's CUDA implementation (optimized/cuda), on a device or with its loops on the host.
class CudaEngine : public NodeEngine {
 public:
  /// `runs`: as of NodeEngine; from the third time on a device replays its recording.
  CudaEngine(cellproof_cuda_machine machine, std::string name, int runs = 1)
      : NodeEngine(runs), machine_(machine), name_(std::move(name)) {}
  EngineDescription describe() override;

 private:
  cellproof_status prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                           std::span<char> message) override;
  bool is_a_known_limit(const std::string&) const override { return false; }

  cellproof_cuda_machine machine_;
  std::string name_;
};

}  // namespace cellproof::engines
