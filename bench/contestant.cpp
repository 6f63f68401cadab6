#include "bench/contestant.hpp"

#include "bench/stopwatch.hpp"

namespace cellproof::bench {

Figures Contestant::measure(double seconds) {
  return {{"seconds", median_time_of([this] { run(); }, seconds)}};
}

}  // namespace cellproof::bench
