#pragma once

#include <sys/types.h>

namespace cellproof::engines {

/// Starts a program as the worker of this keeper: leader of a process group, descriptors 0 to 4 as they are here and no
/// others, default signals, killed when the keeper dies. `command`: its file and then argv. Returns its process id, or
/// minus the errno for which it cannot be started.
pid_t start_worker(char* const* command);

}  // namespace cellproof::engines
