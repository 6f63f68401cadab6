#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cellproof {

/// Facts of a run: what it was asked for, by which program, where, and how its last call ended. Words as people read
/// them; "" for what is not known.
struct RunMetadata {
  std::string command;
  std::string cellproof;  ///< version of the program
  std::string compiler;
  std::string suites;
  std::string corpus_hash;
  std::string shard;            ///< "1/2"; of a merged store "1/4+3/4"
  std::string shard_chosen_by;  ///< variables of a scheduler; "" where the command line says it
  std::string seed;
  std::string jobs;
  std::string started;
  std::string cpu;
  std::string vector_features;
  std::string system;
  std::string wall_time;   ///< of the last call
  std::string in_engines;  ///< time of the last call inside the engines
  std::string ended_early;
  std::vector<std::string> not_run;  ///< what was asked for and has no finding

  void forget_last_call();
  friend bool operator==(const RunMetadata&, const RunMetadata&) = default;
};

/// Names and words of what is known, in the order in which they are shown and stored: "corpus hash", "ab".
std::vector<std::pair<std::string, std::string>> rows_of(const RunMetadata& metadata);
/// The inverse of rows_of. Leaves out names that it does not know.
RunMetadata run_metadata_of(const std::vector<std::pair<std::string, std::string>>& rows);

/// Something in which two runs differ, and what they say.
struct RunDifference {
  std::string_view name;
  std::string first, second;
};

/// All differences in what says which findings there are: program, suites and their cases, seed; none where findings of
/// both can stand in one store. `same_shard`: the shard counts, too.
std::vector<RunDifference> differences_of_runs(const RunMetadata& first, const RunMetadata& second, bool same_shard);

}  // namespace cellproof
