#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "causes/engine_model.hpp"

#include "campaign/reduction.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Counts how often the finding at a position was taken up.
using Attempts = std::map<std::size_t, int>;

/// Reduces cases of the causes that have none of a few numbers which is reduced to the end: the smallest ones of each,
/// until one is. A smaller case must fail by what the cause is: the fault of a cause still explains it, and where none
/// does those of the model do not either, all together. Faults that no cause has are not asked. A case that was made
/// smaller before is taken up where that ended, once more: what is not at its end then fails by chance, or has no small
/// case. `limits.most_calls` holds for each case, and for one that fails by chance each of the `limits.tries`. `run`
/// and `keep` are called from several threads at once, `keep` with each finding that got a better reduction. Returns
/// the positions of those findings.
std::vector<std::size_t> reduce_causes(const causes::Modelled& model, std::vector<Finding>& findings,
                                       const EngineUnderTest& engine, const engines::Probe& run,
                                       const ReductionLimits& limits, Attempts& attempts,
                                       const std::function<void(Finding&)>& keep);

}  // namespace cellproof::campaign
