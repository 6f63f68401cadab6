#pragma once

#include <string>

#include "engines/worker_engine.hpp"

namespace cellproof::cli {

enum class Presence { Here, Absent, CannotStart };

/// Starts the worker of an engine that stands so on the command line, NAME or NAME=COMMAND; says on stderr, in one
/// line, why it does not greet.
Presence presence_of(engines::WorkerEngine& worker, const std::string& argument);

/// Returns the exit code that counts where an engine that was asked for could not start: 77 where nothing else ran.
int with_failed_start(int code, bool an_engine_cannot_start);

}  // namespace cellproof::cli
