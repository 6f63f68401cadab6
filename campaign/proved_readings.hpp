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

/// The same with what passes show beyond it: a reading by which answers of an operator conform, where it is the only
/// one of its clause besides the default. An engine that refuses one case of a clause may compute the next.
ProvedReadings with_shown_readings(ProvedReadings proved, const std::vector<Finding>& findings);

/// The readings known of the engine that may bear on this problem.
Readings that_bear_on(const Problem& problem, const Readings& proved);

}  // namespace cellproof::campaign
