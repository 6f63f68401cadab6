#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/honest_outputs.hpp"
#include "spec/problem.hpp"

namespace cellproof::campaign {

/// Honest outputs under some readings that come to the same.
struct Way {
  std::vector<std::string> readings;  ///< "default", "clip-scope=gates", or several choices with blanks between them
  oracle::HonestOutputs outputs;
};

/// Returns all ways that the open clauses leave for a valid problem, the default first: outputs that one of them admits
/// as a whole are never called wrong. nullopt where the readings are too many to be tried.
std::optional<std::vector<Way>> ways_of(const Problem& problem);

/// Does one of the ways admit all of the outputs?
bool any_admits(const std::vector<Way>& ways, const Outputs& outputs);

}  // namespace cellproof::campaign
