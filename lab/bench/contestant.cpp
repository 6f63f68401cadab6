#include "lab/bench/contestant.hpp"

#include "lab/bench/stopwatch.hpp"

namespace cellproof::lab::bench {

Figures Contestant::measure(double seconds) {
  return {{"seconds", median_time_of([this] { run(); }, seconds)}};
}

}  // namespace cellproof::lab::bench
