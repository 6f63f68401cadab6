#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/shown_causes.hpp"

namespace cellproof::reports::html {

/// A cause as something to unfold: its sentence and status, what the text says and where, then its groups.
std::string cause_details(const ShownCause& shown, const std::vector<Group>& groups, bool unfolded);

/// A cause that the base had and this run has not.
std::string fixed_details(const std::string& engine, const Cause& cause, const std::string& base);

/// "new", "known", "fixed", "waived" or "same", as a chip.
std::string since_chip(std::string_view since);

/// "proved", as a chip.
std::string status_chip(CauseStatus status);

}  // namespace cellproof::reports::html
