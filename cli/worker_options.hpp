#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engines/worker_engine.hpp"

namespace CLI {
class App;
}

namespace cellproof::cli {

/// Options about workers, for every command that drives engines.
struct WorkerArguments {
  std::optional<double> case_timeout;  ///< seconds
  bool clean_env = false;
  std::vector<std::string> engine_env;
};

/// Adds --case-timeout, --clean-env and --engine-env. `arguments` must outlive the command.
void add_worker_options(CLI::App& command, WorkerArguments& arguments);

/// Makes the options of a worker from them; it has no longer to greet than for a case. Throws std::invalid_argument.
engines::WorkerOptions worker_options_of(const WorkerArguments& arguments);

/// The same for a worker that is handed a model of so many bytes. Unless the user limits a case, it has a second more
/// for each 16 MiB: reading and preparing takes that on a machine at work.
engines::WorkerOptions worker_options_for_model(const WorkerArguments& arguments, std::size_t bytes);

}  // namespace cellproof::cli
