#pragma once

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engines/keeper/process_tree.hpp"
#include "engines/registry.hpp"
#include "engines/worker_engine.hpp"
#include "spec/case.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::engines::testing {

/// The worker that misbehaves on demand, with the arguments given.
inline std::vector<std::string> hostile_command(const std::string& mode, const std::string& once = {},
                                                const std::string& how = {}) {
  return {std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile", mode, once, how};
}

/// Does not wait long, and gives little memory.
inline WorkerOptions impatient() {
  WorkerOptions options;
  options.start_timeout = std::chrono::milliseconds(5000);
  options.case_timeout = std::chrono::milliseconds(400);
  options.memory_limit_bytes = 512ull << 20;
  return options;
}

/// A small valid problem with all outputs asked for; X and, where there are states, nothing else is a graph input.
inline Problem small_problem(OperatorVersion version = {Operator::LSTM, 14}, ElementType type = ElementType::Float) {
  return make_problem(plain_case(version, type, 3, 2, 4, 5));
}

/// Asks the reference's worker about a problem that it must accept.
inline Outputs reference_outputs(const Problem& problem) {
  Outcome outcome = make_engine("reference")->run(problem);
  if (outcome.kind != OutcomeKind::Ran) throw std::runtime_error("the reference: " + outcome.message);
  return std::move(outcome.outputs);
}

/// Kills the last worker that this process has started, and waits until it is gone.
inline void kill_worker() {
  const pid_t worker = descendants_of(::getpid()).back();
  ::kill(worker, SIGKILL);
  while (state_of(worker)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// A file that does not exist, for a worker that misbehaves only once; removed at the end.
class OnceFile {
 public:
  std::string path() const { return (folder_ / "once").string(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace cellproof::engines::testing
