#pragma once

#include <string>
#include <vector>

#include "reports/capabilities.hpp"

namespace cellproof::reports::html {

/// An engine's operators and what it supports of each, refuses and breaks on; "" where no plain case was asked.
std::string capability_table(const std::string& engine, const std::vector<Capabilities>& all);

}  // namespace cellproof::reports::html
