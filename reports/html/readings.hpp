#pragma once

#include <string>
#include <vector>

#include "reports/tally.hpp"

namespace cellproof::reports::html {

/// The readings that the engine follows where they are not our default, clause by clause.
std::string readings(const EngineTally& engine, const std::vector<const Group*>& groups);

}  // namespace cellproof::reports::html
