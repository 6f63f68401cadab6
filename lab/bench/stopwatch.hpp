#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "lab/bench/statistics.hpp"

namespace cellproof::lab::bench {

/// Calls work() for about so many seconds, at least once, and returns the median time of a call. Short calls are timed
/// several at a time, so that reading the clock (some 20 ns) is no part of the figure.
template <class Work>
double median_time_of(Work work, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double shortest_sample = 20e-6;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const Clock::time_point begin = Clock::now();
  std::size_t calls = 1;
  std::vector<double> samples;
  do {
    const Clock::time_point sample_begin = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) work();
    const double took = since(sample_begin);
    if (took < shortest_sample) {
      calls *= 2;  // too short to be told from the clock's own time
      continue;
    }
    samples.push_back(took / static_cast<double>(calls));
  } while (samples.empty() || since(begin) < seconds);
  return quantile_of(std::move(samples), 0.5);
}

}  // namespace cellproof::lab::bench
