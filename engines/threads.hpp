#pragma once

namespace cellproof::engines {

/// The environment variable with which the harness tells a worker with how many threads it is to compute.
inline constexpr const char* threads_variable = "CELLPROOF_THREADS";

/// For a worker: with how many threads it is to compute, as threads_variable says; 1 where it
/// says nothing, or no number from 1 to 1024.
int threads_asked_for();

}  // namespace cellproof::engines
