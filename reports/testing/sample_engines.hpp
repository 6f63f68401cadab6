#pragma once

#include <vector>

#include "spec/finding.hpp"

namespace cellproof::reports {

/// Test support: what the engines of the sample report do with its cases, one engine after the other.
std::vector<Finding> findings_of_sample_engines();

}  // namespace cellproof::reports
