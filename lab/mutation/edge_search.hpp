#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::lab {

/// Number of executions that a search took to prove that an engine with a fault in some narrow place (edge_mutants())
/// is wrong; nothing where it did not within those it had.
struct EdgeScore {
  std::string id;
  std::string what;
  std::optional<std::int64_t> drawn;   ///< cases drawn at random, as `fuzz` draws them
  std::optional<std::int64_t> guided;  ///< fuzz/steering: the first case of a start counts like every other
};

/// Each of the faults by itself, with the same number of executions for either search.
std::vector<EdgeScore> search_edges(std::int64_t executions, std::uint64_t seed);

}  // namespace cellproof::lab
