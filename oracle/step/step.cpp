#include "oracle/step/step.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/at.hpp"

namespace cellproof::oracle {

template <class Real>
void note(Trace* trace, int unit, const char* name, const Enclosure<Real>& value) {
  if (!trace || trace->unit != unit) return;
  const double radius = value.empty() ? 0 : value.radius();
  trace->values.push_back({name, static_cast<double>(value.centre), radius});
}

template <class Real>
Step<Real>::Step(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
    : cell_(cell), m_(arithmetic), sums_(cell, arithmetic, tier) {}

template <class Real>
void Step<Real>::take(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) {
  sets.H.resize(at(cell_.hidden));
  if (observed) sets.matches.assign(at(cell_.hidden), Match{});
  sums_.take_x(in.x);
  take_units(in, observed, sets, trace);
}

template <class Real>
auto Step<Real>::clipped(const Set& a) const -> Set {
  if (!cell_.clip) return a;
  const auto threshold = static_cast<Real>(*cell_.clip);
  const auto shift = static_cast<Real>(m_.u_attribute * *cell_.clip);
  const bool above = cell_.switches.clips_above, below = cell_.switches.clips_below;
  const auto bounded = [=](Real x, const Real& limit) {
    if (above) x = min(limit, x);
    return below ? max(Real(-limit), x) : x;
  };
  // A NaN may come out of the two comparisons as either bound.
  const Set through_nan{0, -threshold, threshold, static_cast<std::uint8_t>(may_be_nan | is_unspecified)};
  using OfNan = Manner::OfNan;
  const OfNan chosen = m_.manner.nan;
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

template <class Real>
void Step<Real>::let_overflow(const Activation& function, const Set& argument, Image<Real>& image_of) const {
  const StepSwitches& s = cell_.switches;
  if (!argument.is_finite()) return;
  const double limit = std::log(m_.type == ElementType::Double ? std::numeric_limits<double>::max()
                                                               : double{std::numeric_limits<float>::max()});
  const auto put = [&](const Set& end, bool reached, bool wholly) {
    if (reached) image_of.parts[0] = wholly ? end : hull(image_of.parts[0], end);
  };
  if (s.softplus_overflows && function.kind == ActivationKind::Softplus) {
    put(Set::point(std::numeric_limits<Real>::infinity()), argument.hi > limit, argument.lo > limit);
  }
  const bool scaled = function.kind == ActivationKind::ScaledTanh;
  if (s.tanh_overflows && (scaled || function.kind == ActivationKind::Tanh)) {
    const Real factor = scaled ? -2 * static_cast<Real>(function.beta) : -2;
    const Real a = factor * argument.lo, b = factor * argument.hi;
    put(Set::nan(), max(a, b) > limit, min(a, b) > limit);
  }
}

template <class Real>
auto Step<Real>::function_of(int slot, const Set& a, bool clips) const -> Image<Real> {
  const StepSwitches& s = cell_.switches;
  const Activation& function = cell_.activation[at(slot)];
  const Set argument = clips && !s.clips_results ? clipped(a) : a;
  Image<Real> result = image(function, argument, m_);
  const bool saturates = s.sigmoid_saturates_beyond && function.kind == ActivationKind::Sigmoid && argument.is_finite();
  if (saturates && (argument.hi > *s.sigmoid_saturates_beyond || argument.lo < -*s.sigmoid_saturates_beyond)) {
    const Set end = Set::point(argument.centre > 0 ? 1 : 0);
    const bool wholly = min(abs(argument.lo), abs(argument.hi)) > *s.sigmoid_saturates_beyond;
    result.parts[0] = wholly ? end : hull(result.parts[0], end);
  }
  if (s.softplus_overflows || s.tanh_overflows) let_overflow(function, argument, result);
  for (int part = 0; clips && s.clips_results && part < result.count; ++part) {
    result.parts[at(part)] = clipped(result.parts[at(part)]);
  }
  return result;
}

template <class Real>
auto Step<Real>::gate_of(int gate, int slot, const Set& a) const -> Image<Real> {
  const GateSwitches& s = cell_.switches.gates[at(gate)];
  if (s.constant) {
    Image<Real> result;
    result.parts[0] = Set::point(static_cast<Real>(*s.constant));
    return result;
  }
  Image<Real> result = function_of(s.function.value_or(slot), a, s.clipped);
  for (int part = 0; s.complemented && part < result.count; ++part) {
    Set& value = result.parts[at(part)];
    value = {1 - value.centre, 1 - value.hi, 1 - value.lo, value.flags};
  }
  return result;
}

template class Step<double>;
template class Step<Ball>;
template void note(Trace*, int, const char*, const Enclosure<double>&);
template void note(Trace*, int, const char*, const Enclosure<Ball>&);

}  // namespace cellproof::oracle
