#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "campaign/shard.hpp"
#include "corpus/suite.hpp"
#include "engines/worker_engine.hpp"
#include "reports/render.hpp"
#include "reports/store.hpp"
#include "spec/contract.hpp"

namespace cellproof::campaign {

/// What `cellproof run` was asked for, names already checked.
struct RunOptions {
  std::vector<corpus::Suite> suites;  ///< tiers expanded, in order
  std::vector<std::string> engines;   ///< NAME or NAME=COMMAND
  Shard shard;
  int jobs = 1;            ///< worker processes per engine
  std::uint64_t seed = 0;  ///< added to the seed of every generated case
  /// After this much wall time nothing is asked of an engine and no hypothesis is tried; each engine gets an equal
  /// share of it. It counts from `begun`: making the suites may take a good part of it.
  std::optional<std::chrono::duration<double>> time_budget;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;  ///< for tests
  std::map<std::string, ContractId> contracts;  ///< --contract ENGINE=ID
  engines::WorkerOptions worker;
  std::filesystem::path journal;  ///< which case is in which engine right now
  /// Of each engine so many failing findings, one for each signature, the worst first, are made smaller; nullopt: one
  /// for every 150 cases, so that it takes a small share of the run's time.
  std::optional<std::size_t> explain;
  std::filesystem::path report;  ///< folder for the reduced cases
};

struct RunResult {
  std::int64_t judged = 0;        ///< findings added by this call
  std::vector<Finding> findings;  ///< everything that the store holds now, signatures included
  bool interrupted = false;       ///< by SIGINT or SIGTERM, or by the time budget
  double engine_seconds =
      0;  ///< inside the engines' own calls (session creation, run, release), repeats and twins included
  /// Workers that are ending: unloading a runtime takes a while, in which reports can be written.
  std::vector<std::jthread> endings;
};

/// Drives every case of the suites through every engine and adds a finding for each that `store` does not hold yet.
/// Findings depend on nothing but case and engine, and on what suite `readings`, where it is among the suites, proves
/// of the engine: not on jobs, order, or what was run before. Absent engines are noted in the store. Progress goes to
/// stderr. Throws for a broken harness only (StoreError, CorpusError, std::system_error). `warm`: a worker of the first
/// engine that is getting ready already, or null.
RunResult run(const RunOptions& options, reports::Store& store, std::unique_ptr<engines::WorkerEngine> warm = nullptr);

/// Asks a running run() to stop after the cases in flight; async-signal-safe.
void request_stop();

/// Everything about options and machine that two runs must share to be compared; `command_line` as typed.
reports::Passport make_passport(const RunOptions& options, const std::string& command_line);

/// The part of it that says where and by what something was measured, for whatever runs no suite.
reports::Passport machine_passport(const std::string& command_line);

/// The exit code that a set of findings deserves: 0 all as expected, 1 failing findings, 3 harness errors, 77 nothing
/// could run. Those with a signature in `waived` do not fail.
int exit_code_of(const std::vector<Finding>& findings, const std::map<std::string, reports::Waived>& waived = {});

}  // namespace cellproof::campaign
