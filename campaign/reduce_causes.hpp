#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "campaign/reduction.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// Reduces cases of the causes that have none of a few numbers which is reduced to the end: the smallest ones of each,
/// until one is. A case that was made smaller before is taken up where that ended. `limits.most_calls` holds for each
/// case, and for one that fails by chance each of the `limits.tries`. `keep` is called with each finding that got a
/// better reduction. Returns the positions of those findings.
std::vector<std::size_t> reduce_causes(const std::vector<Cause>& causes, std::vector<Finding>& findings,
                                       const EngineUnderTest& engine, const engines::Probe& run,
                                       const ReductionLimits& limits, const std::function<void(Finding&)>& keep);

}  // namespace cellproof::campaign
