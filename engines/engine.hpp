#pragma once

#include <optional>
#include <string>

#include "spec/contract.hpp"
#include "spec/outcome.hpp"
#include "spec/problem.hpp"

namespace cellproof::engines {

struct EngineDescription {
  std::string name;
  std::string version;
  std::optional<ContractId> contract;  ///< declared for every type; nullopt: the type's default
  bool takes_threads = false;  ///< computes with as many threads as the environment variable CELLPROOF_THREADS says
  bool same_bits = false;      ///< as fuzz/law.hpp's Declared has it: whatever the threads, the batch and the cut of T
};

struct Support {
  bool supported = true;
  std::string reason;  ///< one line, when not supported
};

/// Anything that computes recurrent operators and is held to account. In-process by nature; WorkerEngine is the one
/// implementation that puts a process between.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual EngineDescription describe() = 0;
  virtual Support supports(const Problem& problem) = 0;
  /// Never throws for what the engine does; throws only where the harness itself is broken.
  virtual Outcome run(const Problem& problem) = 0;
};

}  // namespace cellproof::engines
