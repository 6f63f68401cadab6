#pragma once

#include <string>
#include <vector>

#include "reports/tally.hpp"

namespace cellproof::reports::html {

/// The engine's part of the first screen: its name, its counts as a bar and in words, its worst groups.
std::string engine_card(const EngineTally& engine, const std::vector<Group>& groups);

/// The id of a group on the page; the position is the one in `groups`.
std::string group_anchor(const std::vector<Group>& groups, std::size_t position);

/// Everything about one engine: faults, readings, gaps, undecided cases.
std::string engine_section(const EngineTally& engine, const std::vector<Group>& groups);

}  // namespace cellproof::reports::html
