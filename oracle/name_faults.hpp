#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/decide.hpp"

namespace cellproof::oracle {

/// Ids of the faults through which all of these diverging outputs conform, under the default readings or else under
/// those proved for the engine. Faults of precision, which excuse more than others, are named only where no other fault
/// explains. Empty also where the weights are so many that to try every fault would cost seconds.
std::vector<std::string> faults_that_explain(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                                             const EngineContext& engine);

}  // namespace cellproof::oracle
