#include "oracle/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/course.hpp"
#include "oracle/ladder.hpp"
#include "oracle/task.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

struct Deviation {
  double expected;  ///< magnitude of the rounded exact value
  double largest;   ///< distance to the farthest value of its set, rounded outwards by one unit of the type
};

std::optional<Deviation> deviation(const Enclosure<Ball>& set, const Arithmetic& arithmetic) {
  if (set.empty() || !set.is_finite() || !is_ordinary(set.flags)) return std::nullopt;
  const double expected = expected_value(set, arithmetic);
  const double reach = std::max(upper(set.hi - expected), upper(expected - set.lo));
  const double rounding = 2 * arithmetic.u_storage * (std::fabs(expected) + reach) + arithmetic.storage.min_subnormal;
  return Deviation{std::fabs(expected), reach + rounding};
}

/// Up to two significant digits, upwards: what people read in data.json. Below what has so many digits: the least that
/// has.
double rounded_up(double x) {
  constexpr double least = 1e-300;
  if (x == 0) return 0;
  if (x < least) return least;
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::ceil(x / unit) * unit;
}

}  // namespace

std::optional<HonestTolerance> honest_tolerance(const Problem& problem) {
  if (problem.version.op == Operator::DynamicQuantizeLSTM) return std::nullopt;
  const ElementType type = value_type(problem);
  const Task task = task_of(problem, std::vector<std::optional<Tensor>>(output_names(problem.version.op).size()), {},
                            arithmetic_of(default_contract(type), type));
  const Trajectory sets = forward_sets(task, first_rung(type));
  std::vector<Deviation> deviations;
  const Frame& frame = task.frame;
  for (std::int64_t d = 0; d < frame.D; ++d) {
    for (std::int64_t b = 0; b < frame.N; ++b) {
      for (std::int64_t j = 0; j < frame.H; ++j) {
        const auto take = [&](const Enclosure<Ball>& set) {
          const auto found = deviation(set, task.arithmetic);
          if (found) deviations.push_back(*found);
          return found.has_value();
        };
        const std::int64_t length = frame.lengths[static_cast<std::size_t>(b)];
        for (std::int64_t rank = 0; rank < length; ++rank) {
          if (!take(sets.H[Course::y_place(frame, rank, d, b) + static_cast<std::size_t>(j)])) return std::nullopt;
        }
        if (!sets.C.empty() && length > 0 &&
            !take(sets.C[Course::state_place(frame, d, b) + static_cast<std::size_t>(j)])) {
          return std::nullopt;
        }
      }
    }
  }
  HonestTolerance tolerance;
  double scale = 0;
  for (const Deviation& d : deviations) scale = std::max(scale, d.expected);
  // Values near the scale of the outputs set rtol; what it leaves open for the small ones is atol.
  for (const Deviation& d : deviations) {
    if (d.expected >= scale / 4 && d.expected > 0) tolerance.rtol = std::max(tolerance.rtol, d.largest / d.expected);
  }
  if (tolerance.rtol >= 1) return std::nullopt;
  tolerance.rtol = rounded_up(tolerance.rtol);
  for (const Deviation& d : deviations) {
    tolerance.atol = std::max(tolerance.atol, d.largest - tolerance.rtol * d.expected);
  }
  tolerance.atol = rounded_up(tolerance.atol);
  return tolerance;
}

}  // namespace cellproof::oracle
