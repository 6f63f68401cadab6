#pragma once

#include <string>

#include "spec/finding.hpp"

namespace cellproof::campaign {

/// A finding in plain lines for a terminal: verdict, sentence, readings, first violation with gate values, counts.
std::string explain_finding(const Finding& finding);

}  // namespace cellproof::campaign
