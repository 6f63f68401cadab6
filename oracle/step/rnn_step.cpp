#include "oracle/step/rnn_step.hpp"

#include "oracle/at.hpp"

namespace cellproof::oracle {

template <class Real>
RnnStep<Real>::RnnStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units)
    : Step<Real>(cell, arithmetic, tier), plain_(cell_, m_, sums_.errors(), tier, units) {}

template <class Real>
void RnnStep<Real>::take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) {
  this->take_state(in.h, in.h_radius, h_);
  sums_.multiply(h_, 0, cell_.rows, true);
  plain_.compute(0, 0, sums_.x(), h_.sums, sums_.x_grid(), h_.grid);
  for (int j = 0; j < cell_.units; ++j) {
    Set& H = sets.H[at(j)];
    if (const auto plain = trace ? std::nullopt : plain_[j]) {
      H = *plain;
      if (observed) sets.matches[at(j)] = match(H, observed[j], m_);
      continue;
    }
    const Set a = this->summed(j, h_, in);
    const Image<Real> value = this->gate_of(0, 0, a);
    H = value.whole();
    if (observed) {
      Match& best = sets.matches[at(j)] = match(value.parts[0], observed[j], m_);
      if (value.count == 2) {
        const Match other = match(value.parts[1], observed[j], m_);
        if (explains_better(other, best)) best = other;
      }
    }
    note(trace, j, "a", this->clipped(a));
    note(trace, j, "H", H);
  }
}

template class RnnStep<double>;
template class RnnStep<Ball>;

}  // namespace cellproof::oracle
