#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cellproof::campaign {

/// Makes a new store of several: the shards of a run, or the same suites on other engines. Of all shards it is the
/// store of the whole run, signatures included, but for timings, for the reduced cases, of which each shard has its
/// own, and for what suite `readings` proved, of which each shard knew its part only, unless RunOptions::readings_of
/// said it. `with_causes`: those of engines that several stores hold are looked for, without asking them. What a shard
/// has not run, shards that are missing, and runs that did not come to their end stand in its metadata, as `not run`.
/// Throws std::invalid_argument for stores that differ in program, suites or seed, for an engine of two versions or
/// contracts, and for a case of an engine that two of them hold; StoreError where one cannot be read, or `to` exists or
/// cannot be written. No other process may write `to` meanwhile. Rows of theirs that are damaged are left out, stand in
/// the metadata as `not run`, and are returned, a line each.
std::vector<std::string> merge_stores(const std::vector<std::filesystem::path>& files, const std::filesystem::path& to,
                                      bool with_causes = true);

}  // namespace cellproof::campaign
