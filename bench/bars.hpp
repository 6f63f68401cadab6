#pragma once

#include <vector>

#include "bench/rows.hpp"
#include "reports/bench.hpp"

namespace cellproof::bench {

/// What our CPU implementation is to reach in a row, and how far it came: speed in ratio to others, or to the machine's
/// limit, each the median of the rounds. None where it is not the first contestant, or where the row has no bar. A bar
/// about others of whom nobody took part, or about a limit that is not known, has no measured value. Those who failed
/// count for nothing: their time is that of another function.
std::vector<reports::BenchBar> bars_of(const Row& row, const reports::BenchRow& result);

}  // namespace cellproof::bench
