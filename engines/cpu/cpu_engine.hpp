#pragma once

#include <string>

#include "engines/engine.hpp"
#include "optimized/cpu/cellproof_cpu.h"

namespace cellproof::engines {

/// The project's CPU implementation (optimized/cpu) on one of its paths. Weights that are initializers are constants of
/// the plan, all others come with the run.
class CpuEngine : public Engine {
 public:
  CpuEngine(cellproof_cpu_path path, std::string name, int threads = 1)
      : path_(path), name_(std::move(name)), threads_(threads) {}
  EngineDescription describe() override;
  Support supports(const Problem& problem) override;
  Outcome run(const Problem& problem) override;

 private:
  cellproof_cpu_path path_;
  std::string name_;
  int threads_;
};

}  // namespace cellproof::engines
