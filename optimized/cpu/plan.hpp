#pragma once

#include <memory>

#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// Addresses of the data of one run: constant or given with the run, nullptr for inputs that the node does not have and
/// outputs that are not wanted.
struct Arguments {
  std::array<const void*, CELLPROOF_INPUTS> inputs{};
  std::array<void*, CELLPROOF_OUTPUTS> outputs{};

  template <class T>
  const T* input(std::size_t position) const {
    return static_cast<const T*>(inputs[position]);
  }
};

/// A way to compute one node, with all memory that it takes.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Packs what is constant: those weights whose data is there. Called once, before any run.
  virtual void pack_constants(const Arguments& constants) = 0;
  /// Allocates nothing and throws nothing; lengths have been checked.
  virtual void run(const Arguments& arguments) = 0;
};

struct ExecutorChoice {
  std::unique_ptr<Executor> executor;
  const char* path;
};

/// The executor for a path, AUTO resolved by the processor's features. `node` must outlive it. The path must not be
/// missing here.
ExecutorChoice make_executor(const Node& node, cellproof_cpu_path path, std::size_t threads);

/// "" or what this machine lacks.
const char* missing_for(cellproof_cpu_path path);

}  // namespace cellproof::cpu
