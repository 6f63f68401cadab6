#pragma once

#include <optional>
#include <vector>

#include "reference/mpfr_real.hpp"
#include "reference/reference.hpp"

namespace cellproof::reference {

/// Each asked-for output of the problem's trajectory, rounded once to its type; nullopt for outputs not asked for.
Outputs rounded_outputs(const Problem& problem, const Trajectory<Mpfr50>& trajectory);

}  // namespace cellproof::reference
