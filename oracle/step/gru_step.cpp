#include "oracle/step/gru_step.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/at.hpp"
#include "oracle/step/elementwise.hpp"
#include "oracle/step/grid.hpp"

namespace cellproof::oracle {
namespace {

// Order of the gates in W, R and B.
constexpr int gate_z = 0, gate_r = 1, gate_h = 2;

template <class Real>
Enclosure<Real> state_of(const StepInput<Real>& in, int unit) {
  using Set = Enclosure<Real>;
  const Real& h = in.h[unit];
  if (isnan(h)) return Set::nan();
  if (std::isinf(in.h_radius[unit])) return Set::anything(0, 0);
  return in.h_radius[unit] == 0 ? Set::point(h) : Set::around(h, in.h_radius[unit]);
}

}  // namespace

template <class Real>
GruStep<Real>::GruStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units)
    : Step<Real>(cell, arithmetic, tier),
      plain_(cell_, m_, sums_.errors(), tier, units),
      reset_centre_(at(cell.hidden)),
      reset_radius_(at(cell.hidden)),
      z_(at(cell.units)),
      r_(at(cell.units)) {}

template <class Real>
void GruStep<Real>::find_plain(int gate, int slot, const StateProduct<Real>& h) {
  plain_.compute(gate, slot, sums_.x(), h.sums, sums_.x_grid(), h.grid);
}

template <class Real>
std::uint8_t GruStep<Real>::take_gates(const StepInput<Real>& in) {
  sums_.multiply(h_, 0, gate_h * cell_.units, true);
  for (const int g : {gate_z, gate_r}) find_plain(g, 0, h_);
  const auto gate = [&](int g, int j) {
    const int row = g * cell_.units + j;
    if (const auto plain = plain_[row]) return *plain;
    return this->gate_of(g, 0, this->summed(row, h_, in)).whole();
  };
  std::uint8_t reset_flags = 0;
  for (int j = 0; j < cell_.units; ++j) {
    z_[at(j)] = gate(gate_z, j);
    r_[at(j)] = gate(gate_r, j);
    reset_flags |= r_[at(j)].flags;
  }
  return reset_flags;
}

template <class Real>
auto GruStep<Real>::reset_of(const Set& r, const Set& h) const -> Set {
  const bool exact =
      r.is_point() && h.is_point() &&
      never_rounded(product_grid(lowest_bit(r.centre), lowest_bit(h.centre)), r.magnitude() * h.magnitude(), m_);
  return elementwise(product(r, h), 0, true, exact, m_);
}

template <class Real>
std::uint8_t GruStep<Real>::reset_state(const StepInput<Real>& in) {
  std::uint8_t flags = 0;
  for (int k = 0; k < cell_.hidden; ++k) {
    const Set reset = reset_of(r_[at(k)], state_of(in, k));
    flags |= reset.flags;
    reset_centre_[at(k)] = reset.centre;
    reset_radius_[at(k)] = reset.radius();
    if (reset.empty()) {
      reset_centre_[at(k)] = std::numeric_limits<Real>::quiet_NaN();
    } else if (reset.has(may_be_nan) || (!reset.is_finite() && !reset.is_point())) {
      reset_centre_[at(k)] = 0;
      reset_radius_[at(k)] = std::numeric_limits<double>::infinity();
    }
  }
  return flags;
}

template <class Real>
auto GruStep<Real>::candidate_sum(const StepInput<Real>& in, int unit) const -> Set {
  const int row = gate_h * cell_.units + unit;
  if (!cell_.linear_before_reset) return this->summed(row, reset_, in);
  return scaled_sum(this->part(row, Share::XOnly, h_, in), r_[at(unit)], this->part(row, Share::HOnly, h_, in));
}

template <class Real>
auto GruStep<Real>::scaled_sum(const Set& from_x, const Set& r, const Set& inner) const -> Set {
  const Set scaled = product(r, inner);
  const Set whole = sum_of_parts(from_x, scaled, m_);
  const bool points = from_x.is_point() && inner.is_point() && r.is_point();
  const int grid =
      points ? std::min(lowest_bit(from_x.centre), product_grid(lowest_bit(r.centre), lowest_bit(inner.centre)))
             : no_grid;
  const bool exact = points && never_rounded(grid, from_x.magnitude() + scaled.magnitude(), m_);
  // Wb may be added before or after the scaled part: two more roundings than the sums have had.
  return elementwise(whole, from_x.magnitude() + 3 * scaled.magnitude(), true, exact, m_);
}

template <class Real>
Image<Real> GruStep<Real>::candidate_of(const StepInput<Real>& in, int unit, std::uint8_t flags) const {
  const auto plain = cell_.linear_before_reset || flags != 0 ? std::nullopt : plain_[gate_h * cell_.units + unit];
  if (!plain) return this->gate_of(gate_h, 1, candidate_sum(in, unit).with(flags));
  Image<Real> candidate;
  candidate.parts[0] = *plain;
  return candidate;
}

template <class Real>
auto GruStep<Real>::blended(const Set& z, const Set& candidate, const Set& h) const -> Set {
  const double rest = std::max(upper(abs(Real(1 - z.lo))), upper(abs(Real(1 - z.hi))));
  const double weight = std::max(rest, z.magnitude());
  const double sizes = candidate.magnitude() + h.magnitude();
  const bool points = z.is_point() && candidate.is_point() && h.is_point();
  const bool exact = points && never_rounded(product_grid(std::min(0, lowest_bit(z.centre)),
                                                          std::min(lowest_bit(candidate.centre), lowest_bit(h.centre))),
                                             (1 + z.magnitude()) * sizes, m_);
  const Set whole = elementwise(blend_of_parts(z, candidate, h, m_), 3 * weight * sizes, false, exact, m_);
  // h~ + z (h - h~) may lose its difference.
  return m_.flushed_subnormals ? widened(whole, weight * m_.eta_elementwise) : whole;
}

template <class Real>
void GruStep<Real>::take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) {
  this->take_state(in.h, in.h_radius, h_);
  std::uint8_t flags = take_gates(in);
  if (cell_.linear_before_reset) {
    sums_.multiply(h_, gate_h * cell_.units, cell_.rows, false);
    flags = 0;
  } else {
    flags |= reset_state(in);
    this->take_state(reset_centre_.data(), reset_radius_.data(), reset_);
    sums_.multiply(reset_, gate_h * cell_.units, cell_.rows, true);
    find_plain(gate_h, 1, reset_);
    flags &= static_cast<std::uint8_t>(~may_be_nan);
  }
  for (int j = 0; j < cell_.units; ++j) {
    const Image<Real> candidate = candidate_of(in, j, flags);
    const Set h = state_of(in, cell_.first_unit + j);
    Set& H = sets.H[at(j)];
    Match best;
    for (int part = 0; part < candidate.count; ++part) {
      const Set one = blended(z_[at(j)], candidate.parts[at(part)], h);
      H = part == 0 ? one : hull(H, one);
      if (!observed) continue;
      const Match m = match(one, observed[j], m_);
      if (part == 0 || explains_better(m, best) || (m.ratio < best.ratio && !explains_better(best, m))) best = m;
    }
    if (observed) sets.matches[at(j)] = best;
    note(trace, j, "z", z_[at(j)]);
    note(trace, j, "r", r_[at(j)]);
    note(trace, j, "h~", candidate.whole());
    note(trace, j, "H", H);
  }
}

template class GruStep<double>;
template class GruStep<Ball>;

}  // namespace cellproof::oracle
