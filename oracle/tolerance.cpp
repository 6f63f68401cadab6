#include "oracle/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/contract.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/task.hpp"
#include "oracle/value_type.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

struct Deviation {
  double expected;  ///< magnitude of the rounded exact value
  double largest;   ///< distance to the farthest value of its set, rounded outwards by one unit of the type
};

/// The largest number that is finite wherever the contract lets it pass through.
double largest_finite(ContractId id, ElementType type) {
  const PrecisionContract& c = contract(id);
  double largest = float_format(type).max_finite;
  for (const Carrier carrier : {c.accumulate, c.elementwise, c.states})
    largest = std::min(largest, format_of(carrier, type).max_finite);
  return largest;
}

/// nullopt: honest values may be infinite, or none.
std::optional<Deviation> deviation(const Enclosure<Ball>& set, const Arithmetic& arithmetic, double largest_finite) {
  if (set.empty() || !set.is_finite() || !is_ordinary(set.flags)) return std::nullopt;
  const double expected = expected_value(set, arithmetic);
  const double reach = std::max(upper(set.hi - expected), upper(expected - set.lo));
  if (!(std::fabs(expected) + reach < largest_finite)) return std::nullopt;
  const double rounding = 2 * arithmetic.u_storage * (std::fabs(expected) + reach) + arithmetic.storage.min_subnormal;
  return Deviation{std::fabs(expected), reach + rounding};
}

/// Up to two significant digits, upwards: what people read in data.json.
double rounded_up(double x) {
  if (x == 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  if (unit == 0) return x;  // of the smallest numbers there is no hundredth
  return std::ceil(x / unit) * unit;
}

}  // namespace

std::optional<HonestTolerance> honest_tolerance(const Problem& problem, const Readings& readings,
                                                std::optional<ContractId> declared) {
  if (is_quantised(problem.version.op)) return std::nullopt;
  const ElementType type = value_type(problem);
  const ContractId id = declared.value_or(default_contract(type));
  const double most = largest_finite(id, type);
  const Outputs none(output_names(problem.version.op).size());
  const Observed unanswered(problem, none);
  const Task task(unanswered, readings, arithmetic_of(id, type));
  const Trajectory sets = forward_sets(task, first_precision_level(type));
  std::vector<Deviation> deviations;
  const Layout& layout = task.layout;
  for (std::int64_t d = 0; d < layout.D; ++d) {
    for (std::int64_t b = 0; b < layout.N; ++b) {
      for (std::int64_t j = 0; j < layout.H; ++j) {
        const auto take = [&](const Enclosure<Ball>& set) {
          const auto found = deviation(set, task.arithmetic, most);
          if (found) deviations.push_back(*found);
          return found.has_value();
        };
        const std::int64_t length = layout.lengths[static_cast<std::size_t>(b)];
        for (std::int64_t rank = 0; rank < length; ++rank) {
          if (!take(sets.H[ElementEvaluation::y_place(layout, rank, d, b) + static_cast<std::size_t>(j)]))
            return std::nullopt;
        }
        if (!sets.C.empty() && length > 0 &&
            !take(sets.C[ElementEvaluation::state_place(layout, d, b) + static_cast<std::size_t>(j)])) {
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
