#pragma once

#include <optional>
#include <vector>

#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// The case that passes and differs from a failing cause's smallest case in the fewest axis values, sizes counted last:
/// the one that its reduction has seen pass, else one of the run. Nothing where all differ in more than three, and
/// where the cause is a reading or runs what must be refused.
std::optional<PassingCase> nearest_pass(const Cause& cause, const std::vector<Finding>& findings);

}  // namespace cellproof::campaign
