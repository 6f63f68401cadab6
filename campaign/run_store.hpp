#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/run.hpp"
#include "reports/store.hpp"
#include "spec/run_metadata.hpp"

namespace cellproof::campaign {

/// Opens the store of a run: one to be resumed, or a new one. Without a name of its own (`file_was_named`) the store of
/// before is kept as FILE.previous.sqlite. Throws std::invalid_argument for a store that is there and not to be
/// resumed, and for one of another run.
reports::Store open_run_store(const std::filesystem::path& file, bool resume, bool file_was_named,
                              const RunMetadata& metadata);

/// Says in the run metadata that the run has not come to its end: whoever reads the store of a run that was killed
/// cannot know how many cases are missing.
void mark_as_unfinished(reports::Store& store);

/// Lists the cases that the run was asked for and has no finding of, a line for each suite and engine.
std::vector<std::string> cases_left(const RunOptions& options, const reports::Store& store,
                                    const std::vector<Finding>& findings);

/// End of a call of `run`.
struct EndOfRun {
  double wall_seconds = 0;  ///< without the report
  std::vector<std::string> left;
  std::string cause;  ///< why there are cases left
};

/// Writes the end into the store's run metadata, in place of mark_as_unfinished, and returns the metadata.
RunMetadata record_end(reports::Store& store, const RunResult& result, const EndOfRun& end);

}  // namespace cellproof::campaign
