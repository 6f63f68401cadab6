#pragma once

#include <span>
#include <vector>

#include "lab/bench/report/report.hpp"

namespace cellproof::lab::bench {

/// The value below which the share `quantile` (0 to 1) of the sample lies, between two elements by their distance from
/// it. Throws std::invalid_argument for an empty sample.
double quantile_of(std::vector<double> sample, double quantile);

/// Median and quarters. Throws std::invalid_argument for an empty sample.
Spread spread_of(const std::vector<double>& sample);

/// Median and quarters of numerators[i] / denominators[i]: what two subjects measured in the same round shared one
/// state of the machine, so their ratio spreads less than their times. Throws std::invalid_argument for samples that
/// are empty or of different sizes.
Spread spread_of_ratios(std::span<const double> numerators, std::span<const double> denominators);

}  // namespace cellproof::lab::bench
