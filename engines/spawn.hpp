#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "engines/descriptor.hpp"

namespace cellproof::engines {

/// A program that cannot be started: which, and why.
class SpawnError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Spawned {
  pid_t pid = -1;          ///< leader of a process group of its own
  Descriptor to_worker;    ///< its descriptor 3
  Descriptor from_worker;  ///< its descriptor 4
};

/// Starts a program with nothing on stdin, `log` as stdout and stderr, the protocol's pipes on 3 and 4, and no other
/// descriptor of ours. It is killed when this process dies, however it dies; a core is never dumped.
/// A name without '/' is looked up in PATH. Throws SpawnError.
Spawned spawn_worker(const std::vector<std::string>& command, int log);

}  // namespace cellproof::engines
