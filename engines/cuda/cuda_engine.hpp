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
  CudaEngine(cellproof_cuda_machine machine, std::string name) : machine_(machine), name_(std::move(name)) {}
  EngineDescription describe() override;
  Support supports(const Problem& problem) override;
  /// Throws std::runtime_error when the device fails: this process can do nothing more with it.
  Outcome run(const Problem& problem) override;

 private:
  cellproof_cuda_machine machine_;
  std::string name_;
};

}  // namespace cellproof::engines
