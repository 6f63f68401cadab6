#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "campaign/shard.hpp"

namespace cellproof::campaign {

/// A run's part of the cases and, where a scheduler has chosen it, what that one wants to be told.
struct ShardChoice {
  Shard shard;
  std::string chosen_by;              ///< "SLURM_ARRAY_TASK_ID=5 of 4 to 7"; "" of I/N
  std::filesystem::path status_file;  ///< to touch: it tells Bazel that the test knows of shards; "" for none
  std::filesystem::path junit;        ///< where Bazel reads the test's JUnit XML; "" for none
};

/// Value of an environment variable, null where it is not set.
using Environment = std::function<const char*(const char*)>;

/// Reads I/N, or asks a scheduler's environment where the text is `bazel`, `slurm` or `kubernetes`, `/N` behind it
/// being the number of parts that are expected. No environment is asked without its name: a part of the cases that
/// nobody asked for would pass as all of them. Throws std::invalid_argument with one line that names the variable.
ShardChoice choose_shard(std::string_view text, const Environment& environment);

/// Touches the status file. Throws std::system_error where it cannot.
void advertise_sharding(const ShardChoice& choice);

/// Says which part a run is, for its first and last line; "" for one of all cases.
std::string line_on_shard(const ShardChoice& choice);

}  // namespace cellproof::campaign
