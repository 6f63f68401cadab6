#pragma once

#include <string>
#include <vector>

namespace cellproof::engines {

/// For a worker: with how many threads it is to compute, as the environment variable CELLPROOF_THREADS says; 1 where it
/// says nothing, or no number from 1 to 1024.
int threads_asked_for();

/// For the harness: the command that starts a worker with that variable set.
std::vector<std::string> with_threads(std::vector<std::string> command, int threads);

}  // namespace cellproof::engines
