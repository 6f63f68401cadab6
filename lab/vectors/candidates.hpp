#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/vectors/ways.hpp"
#include "corpus/suite.hpp"

namespace cellproof::lab {

/// A case that may become a vector, and what it is good for.
struct VectorCandidate {
  std::string name;                       ///< in the suite that it comes from
  Case c;                                 ///< in the newest version that may have it
  std::vector<OperatorVersion> versions;  ///< all that may have it
  std::int64_t numbers = 0;               ///< that it takes to write it down
  std::vector<std::string> kills;         ///< ids of faults whose mutants no way admits
  std::vector<std::string> tells;         ///< readings whose rounded exact values the default does not admit
  std::vector<std::string> axis_values;   ///< "direction=reverse"
};

/// Returns the ids of the faults, in the operator, that the ways do not admit. Intervals are all that is looked at.
std::vector<std::string> killed_by(const Problem& problem, const std::vector<campaign::Way>& ways);

/// The case as a candidate; nullopt where it is none: it must be refused, has more than `most_numbers`, or too many
/// readings.
std::optional<VectorCandidate> candidate_of(const corpus::SuiteCase& made, std::int64_t most_numbers);

/// Those of many cases, each once, computed on all processors. Those of the smallest sizes come first.
std::vector<VectorCandidate> candidates_of(std::vector<corpus::SuiteCase> cases, std::int64_t most_numbers);

}  // namespace cellproof::lab
