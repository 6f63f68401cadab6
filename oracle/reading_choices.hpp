#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/problem.hpp"
#include "spec/readings.hpp"
#include "spec/reason.hpp"

namespace cellproof::oracle {

/// Returns the readings of a clause beside the default that compute something and can be told apart from outside.
std::vector<std::string_view> other_values(const ClauseInfo& clause);

/// The other readings that a failing case is tried under, fewest differences first.
struct ReadingChoices {
  std::vector<Readings> candidates;
  std::optional<reason::NotAllTried> untried;  ///< why the list is not all there is; nullopt when it is
};

/// The value clauses touched of which more than one reading computes something and can be told apart from outside.
std::vector<Clause> open_clauses(const Problem& problem);

/// Each other reading of the value clauses touched (those proved for the engine first), then the proved ones together,
/// then every combination if there are at most 256; of more, oracle/combinations.hpp keeps what the outputs leave.
/// `refuse` is no way to compute and is left out.
ReadingChoices reading_choices(const Problem& problem, const Readings& proved);

}  // namespace cellproof::oracle
