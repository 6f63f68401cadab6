#include "lab/bench/subject.hpp"

#include "lab/bench/stopwatch.hpp"

namespace cellproof::lab::bench {

Figures Subject::measure(double seconds) {
  return {{"seconds", median_time_of([this] { run(); }, seconds)}};
}

}  // namespace cellproof::lab::bench
