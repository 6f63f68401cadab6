#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/environment.hpp"
#include "engines/spawn.hpp"

namespace cellproof::engines {

struct KeeperReport;

/// End of a process.
struct Death {
  int exit_code = 0;
  int signal = 0;                  ///< 0: it exited
  bool killed_for_memory = false;  ///< by the kernel, which ran out of it
  bool keeper_was_killed = false;  ///< and the worker with it; by whom is not known
  /// "exited with code 3", "SIGSEGV (Segmentation fault)"
  std::string describe() const;
};

/// A worker's process, under its keeper. It never becomes a zombie and never outlives this object, nor does anything
/// that descends from it.
class WorkerProcess {
 public:
  /// Throws SpawnError.
  WorkerProcess(const std::vector<std::string>& command, int log, const WorkerEnvironment& environment = {});
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int to_worker() const { return spawned_.to_worker.number(); }
  int from_worker() const { return spawned_.from_worker.number(); }
  void close_requests() { spawned_.to_worker.close(); }
  /// The descriptor that can be read from (POLLIN, POLLHUP) when death() has something to say; -1 when it has said it.
  int end_descriptor() const { return spawned_.control.number(); }

  /// Returns how it ended, when it has, and all that it left is ended. Asks without waiting.
  std::optional<Death> death();
  /// Kills it and all that descends from it, unless it is dead already.
  Death kill();
  /// Does it end by itself within this time?
  bool ends_within(std::chrono::milliseconds time);
  /// Has the kernel killed any process for want of memory since this one started?
  bool memory_ran_out() const;
  /// Resident memory in bytes, that of all its descendants included, daemons too; 0 when it is dead.
  std::uint64_t resident_bytes() const;

  /// Names what descends from it and has left it (a parent that died, a session of its own), while it runs:
  /// "sleep (pid 123)".
  std::vector<std::string> daemons() const;
  /// Names what outlived it and had to be killed, when it is dead: of one that ended by itself whatever was left, of
  /// one that was killed its daemons. At most 16, then "3 more".
  const std::vector<std::string>& left_behind() const { return left_behind_; }

 private:
  std::optional<Death> hear(std::chrono::milliseconds patience);
  Death conclude(const KeeperReport& report);
  Death lose_keeper();

  Spawned spawned_;
  std::uint64_t kernel_kills_;  ///< for memory, on the whole machine, when the worker started
  std::optional<Death> death_;
  std::vector<std::string> left_behind_;
};

}  // namespace cellproof::engines
