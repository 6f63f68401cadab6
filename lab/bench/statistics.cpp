#include "lab/bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cellproof::lab::bench {

double quantile_of(std::vector<double> sample, double quantile) {
  if (sample.empty()) throw std::invalid_argument("a quantile of no measurements");
  std::ranges::sort(sample);
  const double place = quantile * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sample.size() - 1);
  const double share = place - static_cast<double>(below);
  return sample[below] + share * (sample[above] - sample[below]);
}

Spread spread_of(const std::vector<double>& sample) {
  return {quantile_of(sample, 0.5), quantile_of(sample, 0.25), quantile_of(sample, 0.75)};
}

Spread spread_of_ratios(std::span<const double> numerators, std::span<const double> denominators) {
  if (numerators.size() != denominators.size())
    throw std::invalid_argument("ratios of measurements from different rounds");
  std::vector<double> ratios;
  ratios.reserve(numerators.size());
  for (std::size_t i = 0; i < numerators.size(); ++i) ratios.push_back(numerators[i] / denominators[i]);
  return spread_of(ratios);
}

}  // namespace cellproof::lab::bench
