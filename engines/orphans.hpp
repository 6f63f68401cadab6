#pragma once

#include <sys/types.h>

#include <string>

namespace cellproof::engines {

/// Mark that a keeper puts into the environment of its worker, so that its orphans are known by it: this process's id,
/// padded, so that no environment is longer than another.
std::string harness_mark();

/// From now on the orphans of a keeper that is killed become children of this process.
void adopt_orphans();

/// Kills and reaps what a dead keeper has left to this process: its worker, and the children of this process that carry
/// its mark or belong to the worker's process group (0: it is not known). Children of any other origin are left alone.
void end_orphans(pid_t worker);

}  // namespace cellproof::engines
