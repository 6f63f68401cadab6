#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "spec/finding.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::campaign {

/// Collects what an engine's findings prove of how it reads the pages: for each operator, the readings that the
/// fingerprint calls proved there. To refuse is no reading to compute with, and is left out.
using ProvedReadings = std::map<Operator, Readings>;
ProvedReadings proved_readings(const std::vector<Finding>& findings, std::string_view engine);

/// The readings known of the engine that may bear on this problem.
Readings that_bear_on(const Problem& problem, const Readings& proved);

}  // namespace cellproof::campaign
