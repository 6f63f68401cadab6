#pragma once

#include <string>

#include "spec/finding.hpp"

namespace cellproof::reports::html {

/// Shows where a finding first goes wrong, as a list of terms; the finding must have a first violation.
std::string first_violation(const Finding& finding);

}  // namespace cellproof::reports::html
