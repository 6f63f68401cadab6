#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/run.hpp"

namespace cellproof::campaign {

/// Cases of one suite that a run was asked for and has no finding of.
struct NotRun {
  std::string engine;
  std::string suite;
  std::int64_t cases = 0;  ///< how many of them
  std::int64_t asked = 0;  ///< of how many
  std::string first;       ///< name of the first
};

/// Lists what a run that was stopped early has left out, by engine and suite, in the order of the run. `absent`: names
/// of engines that could not run at all.
std::vector<NotRun> not_run(const RunOptions& options, const std::vector<Finding>& findings,
                            const std::vector<std::string>& absent);

}  // namespace cellproof::campaign
