#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "engines/environment.hpp"
#include "engines/file_descriptor.hpp"

namespace cellproof::engines {

/// A program that cannot be started, for a reason of its own: which, and why.
class SpawnError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Spawned {
  pid_t keeper = -1;  ///< a child of this process
  pid_t worker = -1;  ///< the keeper's; leader of a process group of its own
  FileDescriptor
      control;  ///< to the keeper (engines/keeper/report.hpp); closing it ends both and all that descends from them
  FileDescriptor to_worker;    ///< its descriptor 3
  FileDescriptor from_worker;  ///< its descriptor 4
};

/// Starts a program under a keeper, with nothing on stdin, `log` as stdout and stderr, the protocol's pipes on 3 and 4,
/// and no other descriptor of ours. It is killed, with all that descends from it, when this process dies, however it
/// dies; a core is never dumped. A name without '/' is looked up in PATH. Throws SpawnError,
/// std::invalid_argument for an environment that cannot be, and std::system_error where the system has no more
/// processes, descriptors or memory.
Spawned spawn_worker(const std::vector<std::string>& command, int log, const WorkerEnvironment& environment = {});

}  // namespace cellproof::engines
