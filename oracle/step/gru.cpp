#include <algorithm>

#include "oracle/at.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {
namespace {

// Order of the gates in W, R and B.
constexpr int gate_z = 0, gate_r = 1, gate_h = 2;

/// Of two branches that are both admissible, the one that explains the element, and without a close call.
bool better(const Match& a, const Match& b) {
  return a.inside && (!b.inside || (b.open && !a.open));
}

}  // namespace

/// r (.) H', which takes the state's place in the product with R[h] (linear_before_reset 0). Returns the flags of its
/// elements: every candidate is made from all of them.
template <class Real>
std::uint8_t Stepper<Real>::gru_reset_state(const StepInput<Real>& in) {
  std::uint8_t flags = 0;
  for (int k = 0; k < cell_.hidden; ++k) {
    const Set h = state_of(in, k);
    const Set& r = r_[at(k)];
    const bool exact =
        r.is_point() && h.is_point() &&
        never_rounded(product_grid(lowest_bit(r.centre), lowest_bit(h.centre)), r.magnitude() * h.magnitude(), m_);
    const Set reset = elementwise(product(r, h), 0, true, exact);
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
  reset_state_ = vector_of(reset_centre_.data(), reset_radius_.data());
  return flags;
}

/// The pre-activation of h~.
template <class Real>
auto Stepper<Real>::gru_candidate(const StepInput<Real>& in, int unit) const -> Set {
  const int row = gate_h * cell_.hidden + unit;
  if (!cell_.linear_before_reset) return sum_of_row(row, Share::Both, reset_, reset_state_, in, nullptr, 0);
  const Set from_x = sum_of_row(row, Share::XOnly, h_, state_, in, nullptr, 0);
  const Set inner = sum_of_row(row, Share::HOnly, h_, state_, in, nullptr, 0);
  const Set& r = r_[at(unit)];
  const Set scaled = product(r, inner);
  const Set whole = sum_of_parts(from_x, scaled);
  const bool points = from_x.is_point() && inner.is_point() && r.is_point();
  const int grid =
      points ? std::min(lowest_bit(from_x.centre), product_grid(lowest_bit(r.centre), lowest_bit(inner.centre)))
             : no_grid;
  const bool exact = points && never_rounded(grid, from_x.magnitude() + scaled.magnitude(), m_);
  // Wb may be added before or after the scaled part: two more roundings than the sums have had.
  return elementwise(whole, from_x.magnitude() + 3 * scaled.magnitude(), true, exact);
}

/// H = (1 - z) (.) h~ + z (.) H', also where it is computed as h~ + z (.) (H' - h~).
template <class Real>
auto Stepper<Real>::gru_blend(const Set& z, const Set& candidate, const Set& h) const -> Set {
  const double rest = std::max(upper(abs(Real(1 - z.lo))), upper(abs(Real(1 - z.hi))));
  const double weight = std::max(rest, z.magnitude());
  const double sizes = candidate.magnitude() + h.magnitude();
  const bool points = z.is_point() && candidate.is_point() && h.is_point();
  const bool exact = points && never_rounded(product_grid(std::min(0, lowest_bit(z.centre)),
                                                          std::min(lowest_bit(candidate.centre), lowest_bit(h.centre))),
                                             (1 + z.magnitude()) * sizes, m_);
  return elementwise(blend_of_parts(z, candidate, h), 3 * weight * sizes, false, exact);
}

template <class Real>
void Stepper<Real>::gru(const StepInput<Real>& in, const double* observed, std::vector<Set>& H,
                        std::vector<Match>& matches, Trace* trace) {
  const int hidden = cell_.hidden;
  const bool inner_product = cell_.linear_before_reset;
  sum_over(state_, 0, gate_h * hidden, h_, x_.in_double());
  for (const int g : {gate_z, gate_r}) find_plain_gates(g, 0, h_, state_);
  const auto gate = [&](int g, int j) {
    const int row = g * hidden + j;
    if (const auto plain = plain_gate(row)) return *plain;
    return gate_of(g, 0, sum_of_row(row, Share::Both, h_, state_, in, nullptr, 0)).whole();
  };
  std::uint8_t reset_flags = 0;
  for (int j = 0; j < hidden; ++j) {
    z_[at(j)] = gate(gate_z, j);
    r_[at(j)] = gate(gate_r, j);
    reset_flags |= r_[at(j)].flags;
  }
  if (inner_product) {
    sum_over(state_, gate_h * hidden, cell_.rows, h_, zeros_);
  } else {
    reset_flags |= gru_reset_state(in);
    reset_.reset(cell_.rows);
    sum_over(reset_state_, gate_h * hidden, cell_.rows, reset_, x_.in_double());
    find_plain_gates(gate_h, 1, reset_, reset_state_);
  }
  const auto candidate_flags = static_cast<std::uint8_t>(reset_flags & ~may_be_nan);
  for (int j = 0; j < hidden; ++j) {
    Image<Real> candidate;
    const auto plain = inner_product || candidate_flags != 0 ? std::nullopt : plain_gate(gate_h * hidden + j);
    if (plain) {
      candidate.parts[0] = *plain;
    } else {
      const Set a = gru_candidate(in, j);
      candidate = gate_of(gate_h, 1, inner_product ? a : a.with(candidate_flags));
    }
    const Set h = state_of(in, j);
    Match best;
    for (int part = 0; part < candidate.count; ++part) {
      const Set one = gru_blend(z_[at(j)], candidate.parts[at(part)], h);
      H[at(j)] = part == 0 ? one : hull(H[at(j)], one);
      if (!observed) continue;
      const Match m = match(one, observed[j], m_);
      if (part == 0 || better(m, best) || (m.ratio < best.ratio && !better(best, m))) best = m;
    }
    if (observed) matches[at(j)] = best;
    note(trace, j, "z", z_[at(j)]);
    note(trace, j, "r", r_[at(j)]);
    note(trace, j, "h~", candidate.whole());
    note(trace, j, "H", H[at(j)]);
  }
}

template <class Real>
void Stepper<Real>::rnn(const StepInput<Real>& in, const double* observed, std::vector<Set>& H,
                        std::vector<Match>& matches, Trace* trace) {
  sum_over(state_, 0, cell_.rows, h_, x_.in_double());
  find_plain_gates(0, 0, h_, state_);
  for (int j = 0; j < cell_.hidden; ++j) {
    if (const auto plain = trace ? std::nullopt : plain_gate(j)) {
      H[at(j)] = *plain;
      if (observed) matches[at(j)] = match(*plain, observed[j], m_);
      continue;
    }
    const Set a = sum_of_row(j, Share::Both, h_, state_, in, nullptr, 0);
    const Image<Real> value = gate_of(0, 0, a);
    H[at(j)] = value.whole();
    if (observed) {
      matches[at(j)] = match(value.parts[0], observed[j], m_);
      if (value.count == 2) {
        const Match other = match(value.parts[1], observed[j], m_);
        if (better(other, matches[at(j)])) matches[at(j)] = other;
      }
    }
    note(trace, j, "a", clipped(a));
    note(trace, j, "H", H[at(j)]);
  }
}

template void Stepper<double>::gru(const StepInput<double>&, const double*, std::vector<Set>&, std::vector<Match>&,
                                   Trace*);
template void Stepper<Ball>::gru(const StepInput<Ball>&, const double*, std::vector<Set>&, std::vector<Match>&, Trace*);
template void Stepper<double>::rnn(const StepInput<double>&, const double*, std::vector<Set>&, std::vector<Match>&,
                                   Trace*);
template void Stepper<Ball>::rnn(const StepInput<Ball>&, const double*, std::vector<Set>&, std::vector<Match>&, Trace*);

}  // namespace cellproof::oracle
