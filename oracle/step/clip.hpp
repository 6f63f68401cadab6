#pragma once

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// A set bounded to +-clip, where bounded(x, limit) is x bounded to +-limit. `chosen`: what becomes of NaN.
template <class Real, class Bounded>
Enclosure<Real> clipped_by(const Enclosure<Real>& argument, double clip, const Arithmetic& m, Bounded bounded,
                           EvaluationMode::OfNan chosen) {
  using Set = Enclosure<Real>;
  using OfNan = EvaluationMode::OfNan;
  const Set a = argument.to_infinity();
  const auto threshold = static_cast<Real>(clip);
  const auto shift = static_cast<Real>(m.u_attribute * clip + m.lost_as_input(clip));
  // A NaN may come out of the two comparisons as either bound.
  const Set through_nan{0, -threshold, threshold, static_cast<std::uint8_t>(may_be_nan | is_unspecified)};
  const Real end = chosen == OfNan::AsLowest ? Real(-threshold) : threshold;
  if (a.empty()) {
    if (chosen == OfNan::Any) return through_nan.with(a.flags);
    return chosen == OfNan::Kept ? a : without_nan(a, end);
  }
  Set result{bounded(a.centre, threshold), bounded(a.lo, threshold), bounded(a.hi, threshold), a.flags};
  if (shift > 0) {
    result.lo = min(bounded(a.lo, threshold - shift), bounded(a.lo, threshold + shift));
    result.hi = max(bounded(a.hi, threshold - shift), bounded(a.hi, threshold + shift));
  }
  result = grazed(result, a);
  if (!a.has(may_be_nan) || chosen == OfNan::Kept) return result;
  return chosen == OfNan::Any ? hull(result, through_nan) : without_nan(result, end);
}

/// The same, where the evaluation mode says what becomes of NaN.
template <class Real, class Bounded>
Enclosure<Real> clipped_by(const Enclosure<Real>& a, double clip, const Arithmetic& m, Bounded bounded) {
  return clipped_by(a, clip, m, bounded, m.mode.nan);
}

}  // namespace cellproof::oracle
