#pragma once

#include <string>
#include <utility>

#include "engines/engine.hpp"
#include "optimized/cuda/cellproof_cuda.h"

namespace cellproof::engines {

/// The project's CUDA implementation (optimized/cuda), on a device or with its loops on the host. Weights that are
/// initializers are constants of the plan, all others come with the run.
class CudaEngine : public Engine {
 public:
  /// `runs`: how often each plan computes its problem; from the third time on a device replays its recording. Other
  /// bits than the first time are misconduct.
  CudaEngine(cellproof_cuda_machine machine, std::string name, int runs = 1)
      : machine_(machine), name_(std::move(name)), runs_(runs) {}
  EngineDescription describe() override;
  Support supports(const Problem& problem) override;
  /// Throws std::runtime_error when the device fails: this process can do nothing more with it.
  Outcome run(const Problem& problem) override;

 private:
  cellproof_cuda_machine machine_;
  std::string name_;
  int runs_;
};

}  // namespace cellproof::engines
