#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/contracts_tried.hpp"
#include "oracle/decide.hpp"

namespace cellproof::oracle {

/// The readings of a clause beside the default that compute something and can be told apart from outside.
std::vector<std::string_view> other_values(const ClauseInfo& clause);

/// The other readings that a failing case is tried under, fewest differences first.
struct ReadingChoices {
  std::vector<Readings> candidates;
  std::string untried;  ///< why the list is not all there is; "" when it is
};

/// Each other reading of the value clauses touched (those proved for the engine first), then the proved ones together,
/// then every combination if there are at most 256. `refuse` is no way to compute and is left out.
ReadingChoices reading_choices(const Problem& problem, const Readings& proved);

/// Default, other readings, wider contracts, both: the first hypothesis that explains every element. What none of them
/// explains diverges, and then names the faults that would.
Judgement search(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                 const EngineContext& engine);

/// search()'s verdict alone, with as little work as it takes.
Verdict search_verdict(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                       const EngineContext& engine);

}  // namespace cellproof::oracle
