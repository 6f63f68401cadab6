#pragma once

#include <optional>
#include <vector>

#include "oracle/layout.hpp"
#include "oracle/structural_violation.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// An engine's answer to a problem, by position.
/// Returns the first output that has not the number, type or shape that was asked for.
std::optional<StructuralViolation> broken_outputs(const Problem& problem, const Outputs& outputs, const Layout& layout);

}  // namespace cellproof::oracle
