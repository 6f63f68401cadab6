#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/worker_options.hpp"
#include "corpus/suite.hpp"

namespace cellproof::cli {

/// Options that `run` and `fuzz` share: whatever gives the cases, it is one campaign.
struct CampaignArguments {
  std::vector<std::string> engines;
  std::string shard = "1/1";
  int jobs = 1;
  bool resume = false;
  bool is_verbose = false;
  std::string store;
  std::string output;
  std::optional<double> seconds;                      ///< shared among the engines; nullopt: until all cases are run
  std::string_view seconds_option = "--time-budget";  ///< that gave them
  WorkerArguments worker;
  bool require_complete = false;
  std::uint64_t seed = 0;  ///< of suites without end; added to that of each case at rest
  std::vector<std::string> contracts;
  std::string waivers;
  std::vector<std::string> baselines;
  std::optional<std::size_t> explain;
  std::string readings_of;
  std::string on;                  ///< a cluster; "" for this machine
  std::vector<std::string> needs;  ///< of engines on a cluster
};

/// All but the seconds, the seed and `require_complete`. `arguments` must outlive the command, their defaults set
/// before.
void add_campaign_options(CLI::App& command, CampaignArguments& arguments);

/// Judges the engines on the suites, writes store and report and prints the summary. The suites are made once options
/// and files are known to be good. Returns the exit code.
int run_campaign(const CampaignArguments& arguments, const std::string& command_line,
                 const std::function<std::vector<corpus::Suite>()>& make_suites);

}  // namespace cellproof::cli
