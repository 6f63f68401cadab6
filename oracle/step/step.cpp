#include "oracle/step/step.hpp"

#include "oracle/at.hpp"
#include "oracle/step/clip.hpp"

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
  sets.H.resize(at(cell_.units));
  if (observed) sets.matches.assign(at(cell_.units), Match{});
  take_x(in.x, in.x_radius);
  take_units(in, observed, sets, trace);
}

template <class Real>
void Step<Real>::take_x(const double* x, const double* radius) {
  sums_.take_x(x, radius);
}

template <class Real>
void Step<Real>::take_state(const Real* centre, const double* radius, StateProduct<Real>& h) {
  sums_.take_state(centre, radius, h);
}

template <class Real>
auto Step<Real>::part(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const -> Set {
  return sums_.sum(row, share, h, in);
}

template <class Real>
auto Step<Real>::summed(int row, const StateProduct<Real>& h, const StepInput<Real>& in) const -> Set {
  return sums_.sum(row, Share::Both, h, in);
}

template <class Real>
auto Step<Real>::summed_with_peephole(int row, const StateProduct<Real>& h, const StepInput<Real>& in, const Set& C,
                                      double p) const -> Set {
  return sums_.sum_with_peephole(row, h, in, C, p);
}

template <class Real>
auto Step<Real>::clipped(const Set& a) const -> Set {
  if (!cell_.clip) return a;
  return clipped_by(a, *cell_.clip, m_,
                    [](const Real& x, const Real& limit) { return max(Real(-limit), min(limit, x)); });
}

template <class Real>
Image<Real> Step<Real>::function_of(int slot, const Set& a, bool clips) const {
  return image(cell_.activation[at(slot)], clips ? clipped(a) : a, m_);
}

template <class Real>
Image<Real> Step<Real>::gate_of(int, int slot, const Set& a) const {
  return function_of(slot, a, true);
}

template class Step<double>;
template class Step<Ball>;
template void note(Trace*, int, const char*, const Enclosure<double>&);
template void note(Trace*, int, const char*, const Enclosure<Ball>&);

}  // namespace cellproof::oracle
