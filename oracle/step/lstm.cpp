#include <algorithm>

#include "oracle/step/grid.hpp"
#include "oracle/step/step.hpp"

namespace cellproof::oracle {
namespace {

// Order of the gates in W, R and B (i o f c) and of the peepholes in P (i o f).
constexpr int gate_i = 0, gate_o = 1, gate_f = 2, gate_c = 3;

/// Into how many parts the cell is cut before each is asked whether it can have produced the observed element.
constexpr int slices = 8;

template <class Real>
bool all_points(std::initializer_list<const Enclosure<Real>*> sets) {
  return std::ranges::all_of(sets, [](const Enclosure<Real>* s) { return s->is_point(); });
}

template <class Real>
Enclosure<Real> slice_of(const Enclosure<Real>& whole, int part) {
  const Real width = whole.hi - whole.lo;
  const Real lo = whole.lo + width * part / slices;
  const Real hi = part == slices - 1 ? whole.hi : whole.lo + width * (part + 1) / slices;
  return {clamped(whole.centre, lo, hi), lo, hi, whole.flags};
}

}  // namespace

/// C = f (.) C' + i (.) c~, or the coupled forms.
template <class Real>
auto Stepper<Real>::lstm_cell(const Set& i, const Set& f, const Set& g, const Set& before) const -> Set {
  const int grid_before = before.is_point() ? lowest_bit(before.centre) : no_grid;
  const int grid_g = g.is_point() ? lowest_bit(g.centre) : no_grid;
  Set result;
  double intermediates = 0;
  bool exact = false;
  if (cell_.coupling == Coupling::Uncoupled) {
    result = sum_of_parts(product(f, before), product(i, g));
    intermediates = f.magnitude() * before.magnitude() + i.magnitude() * g.magnitude();
    exact = all_points({&i, &f, &g, &before}) && never_rounded(std::min(product_grid(lowest_bit(f.centre), grid_before),
                                                                        product_grid(lowest_bit(i.centre), grid_g)),
                                                               intermediates, m_);
  } else {
    const bool input_leads = cell_.coupling == Coupling::InputLeads;
    const Set& lead = input_leads ? i : f;
    const Set& at_zero = input_leads ? before : g;
    const Set& at_one = input_leads ? g : before;
    result = blend_of_parts(lead, at_zero, at_one);
    const double rest = std::max(upper(abs(Real(1 - lead.lo))), upper(abs(Real(1 - lead.hi))));
    intermediates = 2 * rest * at_zero.magnitude() + lead.magnitude() * at_one.magnitude();
    exact = all_points({&lead, &g, &before}) &&
            never_rounded(product_grid(std::min(0, lowest_bit(lead.centre)), std::min(grid_before, grid_g)),
                          (1 + lead.magnitude()) * (before.magnitude() + g.magnitude()), m_);
  }
  result = elementwise(result, intermediates, true, exact);
  if (cell_.clip_scope == ClipScope::StoredCell) result = clipped(result);
  return kept_with(result, cell_.switches.cell_bits);
}

/// The pre-activation of a gate that looks at the cell, through a peephole if there is one.
template <class Real>
auto Stepper<Real>::lstm_gate_sum(const StepInput<Real>& in, int gate, int unit, const Set& C) const -> Set {
  const int row = gate * cell_.hidden + unit;
  if (!cell_.P.empty()) {
    return sum_of_row(row, Share::Both, h_, state_, in, &C, cell_.P[static_cast<std::size_t>(row)]);
  }
  Set a = sum_of_row(row, Share::Both, h_, state_, in, nullptr, 0);
  // "Assumed to be 0" makes NaN of an infinite cell, leaving the term out does not: no reading fixes which.
  if (C.is_finite() || C.empty() || m_.manner.peephole == Manner::Absent::LeftOut) return a;
  const bool multiplied = m_.manner.peephole == Manner::Absent::Multiplied && C.is_point();
  return multiplied ? Set::nan(a.flags) : a.with(may_be_nan | is_unspecified);
}

/// H = o (.) h(C) over a set of cells. The output gate `o` is given where it does not depend on C (no peephole).
template <class Real>
auto Stepper<Real>::lstm_output(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                                const double* observed) const -> Outcome {
  Outcome outcome;
  const Image<Real> gate = o ? *o : gate_of(gate_o, 0, lstm_gate_sum(in, gate_o, unit, C));
  const bool clips = cell_.clip_scope == ClipScope::ArgumentOfH && cell_.switches.clips_argument_of_h;
  const Image<Real> squashed = function_of(2, C, clips);
  for (int a = 0; a < gate.count; ++a) {
    for (int b = 0; b < squashed.count; ++b) {
      const Set& og = gate.parts[static_cast<std::size_t>(a)];
      const Set& hc = squashed.parts[static_cast<std::size_t>(b)];
      const bool exact = og.is_point() && hc.is_point() &&
                         never_rounded(product_grid(lowest_bit(og.centre), lowest_bit(hc.centre)),
                                       og.magnitude() * hc.magnitude(), m_);
      const Set H = elementwise(product(og, hc), 0, false, exact);
      outcome.H = a == 0 && b == 0 ? H : hull(outcome.H, H);
      if (observed) {
        const Match m = match(H, *observed, m_);
        outcome.surely = outcome.surely || (m.inside && !m.open);
        outcome.agrees = outcome.agrees || m.inside;
        if (o && gate.count == 1 && squashed.count == 1 && m.inside) {
          outcome.rise = least_rise(og, C, hc, clips);
          outcome.below = m.below;
          outcome.above = m.above;
        }
      }
    }
  }
  return outcome;
}

/// How fast o h(C) rises with C at least, given h at the centre; 0 where that is not known.
template <class Real>
double Stepper<Real>::least_rise(const Set& o, const Set& C, const Set& h, bool clips) const {
  const StepSwitches& s = cell_.switches;
  const bool may_be_clipped = clips && cell_.clip && !(C.magnitude() < *cell_.clip * (1 - m_.u_attribute));
  if (may_be_clipped || s.sigmoid_saturates_beyond || s.softplus_overflows || s.tanh_overflows) return 0;
  if (!surely_less(Real(0), o.lo) || !C.contains(C.centre)) return 0;
  const auto least =
      least_slope_near(cell_.activation[2].kind, h.centre, max(Real(C.hi - C.centre), Real(C.centre - C.lo)));
  return least ? std::max(0.0, lower(Real(o.lo * *least * (1 - slack<Real>)))) : 0;
}

/// The cells that can have produced the element. Those up to c lead to outputs that end at least rise (hi - c) below
/// where all cells' outputs end, so that c is too small if that is more than these reach beyond the element; and so on
/// the other side.
template <class Real>
auto Stepper<Real>::producing(const Set& C, double rise, double below, double above) const -> Set {
  constexpr double own_error = 0x1p-20;  // of the reaches, as a share
  const double room = slack<Real> * C.magnitude();
  const double from_top = above * (1 + own_error) / rise + room;
  const double from_bottom = below * (1 + own_error) / rise + room;
  if (!std::isfinite(from_top) || !std::isfinite(from_bottom)) return C;
  Set kept{C.centre, max(C.lo, Real(C.hi - from_top)), min(C.hi, Real(C.lo + from_bottom)), C.flags};
  if (!surely_at_most(kept.lo, kept.hi)) return C;
  kept.centre = clamped(C.centre, kept.lo, kept.hi);
  return kept;
}

/// As lstm_output, and cuts off the ends of the set of cells that cannot have produced the observed element.
template <class Real>
auto Stepper<Real>::lstm_observe(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                                 const double* observed) const -> Outcome {
  Outcome whole = lstm_output(in, unit, C, o, observed);
  whole.kept = C;
  const bool divisible = C.is_finite() && isfinite(Real((C.hi - C.lo) * slices));
  const bool cut = observed && divisible && !C.is_point() && std::isfinite(*observed);
  if (!cut) return whole;
  if (whole.rise > 0) {
    whole.kept = producing(C, whole.rise, whole.below, whole.above);
    return whole;
  }
  // The parts' own outputs are sharper than the whole's where o and h both move with C.
  Set by_parts;
  bool surely = false;
  const auto agrees = [&](int part) {
    const Outcome one = lstm_output(in, unit, slice_of(C, part), o, observed);
    by_parts = part == 0 ? one.H : hull(by_parts, one.H);
    surely = surely || one.surely;
    return one.agrees;
  };
  int first = 0, last = slices - 1;
  while (first < slices && !agrees(first)) ++first;
  whole.agrees = first < slices;
  if (!whole.agrees) {  // nothing explains the element: go on from the prediction
    by_parts.centre = whole.H.centre;
    whole.H = by_parts;
    return whole;
  }
  while (last > first && !agrees(last)) --last;
  for (int part = first + 1; !surely && part < last; ++part) agrees(part);  // the ends may have been close calls
  whole.surely = surely;
  whole.kept.lo = slice_of(C, first).lo;
  whole.kept.hi = slice_of(C, last).hi;
  whole.kept.centre = clamped(C.centre, whole.kept.lo, whole.kept.hi);
  return whole;
}

/// One unit, from the sums of its rows.
template <class Real>
void Stepper<Real>::lstm_unit(const StepInput<Real>& in, int j, std::vector<Set>& C, const double* observed,
                              std::vector<Set>& H, std::vector<Match>& matches, Trace* trace) const {
  const auto unit = static_cast<std::size_t>(j);
  const Set before = C[unit];
  const auto gate = [&](int g) { return gate_of(g, 0, lstm_gate_sum(in, g, j, before)); };
  Image<Real> i, f;
  if (cell_.coupling != Coupling::ForgetLeads) i = gate(gate_i);
  if (cell_.coupling != Coupling::InputLeads) f = gate(gate_f);
  const Image<Real> g =
      gate_of(gate_c, 1, sum_of_row(gate_c * cell_.hidden + j, Share::Both, h_, state_, in, nullptr, 0));
  Image<Real> o;
  const bool old_cell = cell_.switches.o_sees_old_cell, o_in_advance = cell_.P.empty() || old_cell;
  if (o_in_advance) o = gate_of(gate_o, 0, lstm_gate_sum(in, gate_o, j, old_cell ? before : Set::point(0)));

  Outcome all;
  Set first_cell;
  bool first = true;
  for (int pi = 0; pi < i.count; ++pi) {
    for (int pf = 0; pf < f.count; ++pf) {
      for (int pg = 0; pg < g.count; ++pg) {
        const auto part = [](const Image<Real>& image_of, int k) {
          return image_of.parts[static_cast<std::size_t>(k)];
        };
        const Set updated = lstm_cell(part(i, pi), part(f, pf), part(g, pg), before);
        const Outcome one =
            lstm_observe(in, j, updated, o_in_advance && (updated.is_finite() || updated.empty()) ? &o : nullptr,
                         observed ? observed + j : nullptr);
        if (first) {
          first_cell = updated;
          all = one;
        } else {
          all.H = hull(all.H, one.H);
          // Cells that cannot have produced the element drop out as soon as there are others.
          if (!observed || all.agrees == one.agrees) {
            all.kept = hull(all.kept, one.kept);
          } else if (one.agrees) {
            all.kept = one.kept;
          }
          all.agrees = all.agrees || one.agrees;
          all.surely = all.surely || one.surely;
        }
        first = false;
      }
    }
  }
  C[unit] = all.kept;
  if (observed && !std::isnan(observed[j]) && !may_swallow_nan(cell_.activation[2].kind) && !C[unit].empty()) {
    C[unit].flags &= static_cast<std::uint8_t>(~may_be_nan);
  }
  H[unit] = all.H;
  if (observed) {
    matches[unit] = match(all.H, observed[j], m_);
    Match& m = matches[unit];
    m.inside = all.agrees;
    m.open = m.inside && !all.surely;
    m.ratio = m.inside ? std::min(m.ratio, 1.0) : std::max(m.ratio, std::nextafter(1.0, 2.0));
  }
  if (trace && trace->unit == j) {
    if (cell_.coupling != Coupling::ForgetLeads) note(trace, j, "i", i.whole());
    if (cell_.coupling != Coupling::InputLeads) note(trace, j, "f", f.whole());
    note(trace, j, "c~", g.whole());
    note(trace, j, "C", first_cell);
    note(trace, j, "o", gate_of(gate_o, 0, lstm_gate_sum(in, gate_o, j, first_cell)).whole());
    note(trace, j, "H", H[unit]);
  }
}

template <class Real>
bool Stepper<Real>::plain_lstm_unit(int j, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
                                    std::vector<Match>& matches) const {
  if constexpr (carries_its_error<Real>) {
    return false;
  } else {
    const auto unit = static_cast<std::size_t>(j);
    if (!plain_lstm_->plain[unit]) return false;
    const Set cell = plain_lstm_->cells[unit], output = plain_lstm_->outputs[unit];
    if (observed) {
      const double rise = plain_lstm_->rise[unit];
      const Match m = match(output, observed[j], m_);
      if (!m.inside || !std::isfinite(observed[j]) || !(rise > 0)) return false;  // its cell has to be cut into slices
      matches[unit] = m;
      C[unit] = producing(cell, rise, m.below, m.above);
    } else {
      C[unit] = cell;
    }
    H[unit] = output;
    return true;
  }
}

template <class Real>
void Stepper<Real>::lstm(const StepInput<Real>& in, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
                         std::vector<Match>& matches, Trace* trace) {
  sum_over(state_, 0, cell_.rows, h_, x_.in_double());
  bool plain = false;
  if constexpr (!carries_its_error<Real>) {
    plain = plain_lstm_ && !in.x_products && !trace;
    if (plain) plain_lstm_->step(x_, h_, x_grid_, state_.grid, C);
  }
  for (int j = 0; j < cell_.hidden; ++j) {
    if (!plain || !plain_lstm_unit(j, C, observed, H, matches)) lstm_unit(in, j, C, observed, H, matches, trace);
  }
}

template void Stepper<double>::lstm(const StepInput<double>&, std::vector<Set>&, const double*, std::vector<Set>&,
                                    std::vector<Match>&, Trace*);
template void Stepper<Ball>::lstm(const StepInput<Ball>&, std::vector<Set>&, const double*, std::vector<Set>&,
                                  std::vector<Match>&, Trace*);

}  // namespace cellproof::oracle
