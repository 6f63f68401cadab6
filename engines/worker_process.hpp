#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/spawn.hpp"

namespace cellproof::engines {

/// How a process ended.
struct Death {
  int exit_code = 0;
  int signal = 0;                  ///< 0: it exited
  bool killed_for_memory = false;  ///< by the kernel, which ran out of it
  /// "exited with code 3", "SIGSEGV (Segmentation fault)"
  std::string describe() const;
};

/// A worker's process. It never becomes a zombie and never outlives this object, nor does anything in its process
/// group.
class WorkerProcess {
 public:
  /// Throws SpawnError.
  WorkerProcess(const std::vector<std::string>& command, int log);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int to_worker() const { return spawned_.to_worker.number(); }
  int from_worker() const { return spawned_.from_worker.number(); }
  void close_requests() { spawned_.to_worker.close(); }

  /// How it ended, when it has. Asks without waiting.
  std::optional<Death> death();
  /// Kills it and its group, unless it is dead already.
  Death kill();
  /// Does it end by itself within this time?
  bool ends_within(std::chrono::milliseconds time);
  /// Has the kernel killed any process for want of memory since this one started?
  bool memory_ran_out() const;
  /// Resident memory in bytes, that of the processes it started included; 0 when it is dead.
  std::uint64_t resident_bytes() const;

 private:
  Death reap();

  Spawned spawned_;
  std::uint64_t kernel_kills_;  ///< for memory, on the whole machine, when the worker started
  std::optional<Death> death_;
};

}  // namespace cellproof::engines
