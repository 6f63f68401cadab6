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

#include "campaign/exit_code.hpp"
#include "campaign/shard.hpp"
#include "corpus/suite.hpp"
#include "engines/worker_engine.hpp"
#include "reports/render.hpp"
#include "reports/store.hpp"
#include "spec/contract.hpp"
#include "spec/finding.hpp"
#include "spec/run_metadata.hpp"

namespace cellproof::campaign {

/// Options of `cellproof run`, names already checked.
struct RunOptions {
  std::vector<corpus::Suite> suites;  ///< tiers expanded, in order
  std::vector<std::string> engines;   ///< NAME or NAME=COMMAND
  Shard shard;
  std::string shard_chosen_by;  ///< a scheduler's words: ShardChoice; "" where the user has
  int jobs = 1;                 ///< worker processes per engine
  std::uint64_t seed = 0;       ///< added to the seed of every generated case
  /// Wall time from `begun` on, since making the suites may take a good part of it. Each engine gets an equal share,
  /// and a fifth of its share is kept for reductions: when the rest is over no case is asked and no hypothesis tried.
  std::optional<std::chrono::duration<double>> time_budget;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;  ///< for tests
  std::map<std::string, ContractId> contracts;  ///< --contract ENGINE=ID
  engines::WorkerOptions worker;
  std::filesystem::path journal;  ///< which case is in which engine right now
  /// Number of findings to explain: of each engine so many failing findings, one for each signature, the worst first,
  /// are made smaller as far as it goes; nullopt: one for every signature, with about a fifth of the run's calls of the
  /// engine.
  std::optional<std::size_t> explain;
  std::filesystem::path report;  ///< folder for the reduced cases
  /// Findings of another run that prove how the engines read the pages; empty: this run's own do. A shard has a part of
  /// them.
  std::vector<Finding> readings_of;
};

struct RunResult {
  std::int64_t judged = 0;        ///< findings added by this call
  std::vector<Finding> findings;  ///< everything that the store holds now, signatures included
  double engine_seconds =
      0;  ///< inside the engines' own calls (session creation, run, release), repeats and twins included
  /// Workers that are ending: unloading a runtime takes a while, in which reports can be written.
  std::vector<std::jthread> endings;
};

/// Drives every case of the suites through every engine and adds a finding for each that `store` does not hold yet.
/// Suites without end take what is left of the time budget, without which they end at a signal alone; `store` keeps
/// few of their cases (Searched). Findings depend on nothing but case and engine, and on what suite `readings`, where
/// it is among the suites, proves of the engine: not on jobs, order, or what was run before. Engines that are absent,
/// cannot start, or can no longer be started are noted in the store. A signal that StopOnSignal takes ends it early.
/// Progress goes to stderr. Throws for a broken harness only (StoreError, CorpusError, std::system_error). `warm`: a
/// worker of the first engine that is getting ready already, or null.
RunResult run(const RunOptions& options, reports::Store& store, std::unique_ptr<engines::WorkerEngine> warm = nullptr);

/// Everything about options and machine that two runs must share to be compared; `command_line` as typed.
RunMetadata metadata_of_run(const RunOptions& options, const std::string& command_line);

/// The part of it that says where and by what something was measured, for whatever runs no suite.
RunMetadata metadata_of_machine(const std::string& command_line);

}  // namespace cellproof::campaign
