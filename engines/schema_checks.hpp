#pragma once

#include <string>

#include "spec/problem.hpp"

namespace cellproof::engines {

/// Names what a node breaks that only its operator's version decides, and that the C interface therefore cannot see:
/// which attributes, inputs, outputs and types the version has. One line that names the clause; "" where all is well.
/// Written from the operators' pages, apart from spec/rules.
std::string schema_complaint(const Problem& problem);

}  // namespace cellproof::engines
