#pragma once

#include <string>
#include <utility>

#include "engines/node/node_engine.hpp"
#include "optimized/cpu/cellproof_cpu.h"

namespace cellproof::engines {

/// The project's CPU implementation (optimized/cpu) on one of its paths.
class CpuEngine : public NodeEngine {
 public:
  CpuEngine(cellproof_cpu_path path, std::string name, int threads = 1)
      : NodeEngine(1), path_(path), name_(std::move(name)), threads_(threads) {}
  EngineDescription describe() override;

 private:
  cellproof_status prepare(const cellproof_node& node, std::unique_ptr<NodePlan>& plan,
                           std::span<char> message) override;
  bool is_a_known_limit(const std::string&) const override { return false; }

  cellproof_cpu_path path_;
  std::string name_;
  int threads_;
};

}  // namespace cellproof::engines
