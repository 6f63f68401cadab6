#pragma once

#include <string>
#include <vector>

#include "reports/shown_causes.hpp"

namespace cellproof::reports::html {

/// A cause as something to unfold: its sentence and status, what the text says and where, then its groups.
std::string cause_details(const ShownCause& shown, const std::vector<Group>& groups, bool unfolded);

/// "proved", as a chip.
std::string status_chip(CauseStatus status);

}  // namespace cellproof::reports::html
