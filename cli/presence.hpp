#pragma once

#include <string>

#include "engines/worker_engine.hpp"

namespace cellproof::cli {

enum class Presence { Here, Absent, CannotStart };

/// Starts the worker of an engine that stands so on the command line, NAME or NAME=COMMAND; says on stderr, in one
/// line, why it does not greet.
Presence presence_of(engines::WorkerEngine& worker, const std::string& argument);

}  // namespace cellproof::cli
