#include "oracle/step/lstm_step.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "oracle/at.hpp"
#include "oracle/step/elementwise.hpp"
#include "oracle/step/grid.hpp"

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
int grid_of(const Enclosure<Real>& set) {
  return set.is_point() ? lowest_bit(set.centre) : no_grid;
}

template <class Real>
Enclosure<Real> slice_of(const Enclosure<Real>& whole, int part) {
  const Real width = whole.hi - whole.lo;
  const Real lo = whole.lo + width * part / slices;
  const Real hi = part == slices - 1 ? whole.hi : whole.lo + width * (part + 1) / slices;
  return {clamped(whole.centre, lo, hi), lo, hi, whole.flags};
}

/// The cells that can have produced the element. Those up to c lead to outputs that end at least rise (hi - c) below
/// where all cells' outputs end, so that c is too small if that is more than these reach beyond the element; and so on
/// the other side.
template <class Real>
Enclosure<Real> producing(const Enclosure<Real>& C, double rise, double below, double above) {
  constexpr double own_error = 0x1p-20;  // of the reaches, as a share
  const double room = slack<Real> * C.magnitude();
  const double from_top = above * (1 + own_error) / rise + room;
  const double from_bottom = below * (1 + own_error) / rise + room;
  if (!std::isfinite(from_top) || !std::isfinite(from_bottom)) return C;
  Enclosure<Real> kept{C.centre, max(C.lo, Real(C.hi - from_top)), min(C.hi, Real(C.lo + from_bottom)), C.flags};
  if (!surely_at_most(kept.lo, kept.hi)) return C;
  kept.centre = clamped(C.centre, kept.lo, kept.hi);
  return kept;
}

}  // namespace

template <class Real>
LstmStep<Real>::LstmStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier, Units units)
    : Step<Real>(cell, arithmetic, tier) {
  if constexpr (!carries_its_error<Real>) {
    if (units == Units::AtOnce && PlainLstm::suits(cell, arithmetic)) plain_.emplace(cell_, m_, sums_.errors(), tier);
  }
}

template <class Real>
void LstmStep<Real>::take_units(const StepInput<Real>& in, const double* observed, StepSets<Real>& sets, Trace* trace) {
  this->take_state(in.h, in.h_radius, h_);
  sums_.multiply(h_, 0, cell_.rows, true);
  bool plain = false;
  if constexpr (!carries_its_error<Real>) {
    plain = plain_ && !in.x_products && !trace;
    if (plain) plain_->step(sums_.x(), h_.sums, sums_.x_grid(), h_.grid, sets.C);
  }
  for (int j = 0; j < cell_.units; ++j) {
    if (!plain || !take_plain_unit(j, observed, sets)) take_unit(in, j, observed, sets, trace);
  }
}

template <class Real>
bool LstmStep<Real>::take_plain_unit(int j, const double* observed, StepSets<Real>& sets) const {
  if constexpr (carries_its_error<Real>) {
    return false;
  } else {
    const std::size_t unit = at(j);
    if (!plain_->plain[unit]) return false;
    const Set cell = plain_->cells[unit], output = plain_->outputs[unit];
    if (observed) {
      const double rise = plain_->rise[unit];
      const Match m = match(output, observed[j], m_);
      if (!m.inside || !std::isfinite(observed[j]) || !(rise > 0)) return false;  // its cell has to be cut into slices
      sets.matches[unit] = m;
      sets.C[unit] = producing(cell, rise, m.below, m.above);
    } else {
      sets.C[unit] = cell;
    }
    sets.H[unit] = output;
    return true;
  }
}

template <class Real>
auto LstmStep<Real>::gate_sum(const StepInput<Real>& in, int gate, int unit, const Set& C) const -> Set {
  const int row = gate * cell_.units + unit;
  if (!cell_.P.empty()) return this->summed_with_peephole(row, h_, in, C, cell_.P[at(row)]);
  Set a = this->summed(row, h_, in);
  // "Assumed to be 0" makes NaN of an infinite cell, leaving the term out does not: no reading fixes which.
  if (C.is_finite() || C.empty() || m_.mode.peephole == EvaluationMode::Absent::LeftOut) return a;
  const bool multiplied = m_.mode.peephole == EvaluationMode::Absent::Multiplied && C.is_point();
  return multiplied ? Set::nan(a.flags) : a.with(may_be_nan | is_unspecified);
}

template <class Real>
auto LstmStep<Real>::gates_of(const StepInput<Real>& in, int j, const Set& before) const -> Gates {
  const auto gate = [&](int g, const Set& C) { return this->gate_of(g, 0, gate_sum(in, g, j, C)); };
  Gates gates;
  if (cell_.coupling != Coupling::ForgetLeads) gates.i = gate(gate_i, before);
  if (cell_.coupling != Coupling::InputLeads) gates.f = gate(gate_f, before);
  gates.g = this->gate_of(gate_c, 1, this->summed(gate_c * cell_.units + j, h_, in));
  if (const auto C = seen_by_o(before)) gates.o = gate(gate_o, *C);
  return gates;
}

template <class Real>
auto LstmStep<Real>::uncoupled_cell(const Set& i, const Set& f, const Set& g, const Set& before) const -> Set {
  const double intermediates = f.magnitude() * before.magnitude() + i.magnitude() * g.magnitude();
  const bool exact =
      all_points({&i, &f, &g, &before}) && never_rounded(std::min(product_grid(lowest_bit(f.centre), grid_of(before)),
                                                                  product_grid(lowest_bit(i.centre), grid_of(g))),
                                                         intermediates, m_);
  return elementwise(sum_of_parts(product(f, before), product(i, g), m_), intermediates, true, exact, m_);
}

template <class Real>
auto LstmStep<Real>::coupled_cell(const Set& lead, const Set& at_zero, const Set& at_one) const -> Set {
  const double rest = std::max(upper(abs(Real(1 - lead.lo))), upper(abs(Real(1 - lead.hi))));
  const double intermediates = 2 * rest * at_zero.magnitude() + lead.magnitude() * at_one.magnitude();
  const bool exact =
      all_points({&lead, &at_zero, &at_one}) &&
      never_rounded(product_grid(std::min(0, lowest_bit(lead.centre)), std::min(grid_of(at_zero), grid_of(at_one))),
                    (1 + lead.magnitude()) * (at_zero.magnitude() + at_one.magnitude()), m_);
  const Set whole = elementwise(blend_of_parts(lead, at_zero, at_one, m_), intermediates, true, exact, m_);
  return m_.flushed_subnormals ? widened(whole, std::max(rest, lead.magnitude()) * m_.eta_elementwise) : whole;
}

template <class Real>
auto LstmStep<Real>::first_cell(const Set& i, const Set& f, const Set& g) const -> Set {
  const Set nothing = Set::point(0);
  if (cell_.coupling != Coupling::ForgetLeads) return uncoupled_cell(i, nothing, g, nothing);
  if (f.is_finite()) return coupled_cell(f, g, nothing);
  return uncoupled_cell(Set{1 - f.centre, 1 - f.hi, 1 - f.lo, f.flags}, nothing, g, nothing);
}

template <class Real>
auto LstmStep<Real>::cell_after(const StepInput<Real>& in, const Set& i, const Set& f, const Set& g,
                                const Set& before) const -> Set {
  if (in.skips_cell) return stored(first_cell(i, f, g));
  return stored(cell_.coupling == Coupling::Uncoupled    ? uncoupled_cell(i, f, g, before)
                : cell_.coupling == Coupling::InputLeads ? coupled_cell(i, before, g)
                                                         : coupled_cell(f, g, before));
}

template <class Real>
auto LstmStep<Real>::seen_by_o(const Set&) const -> std::optional<Set> {
  return cell_.P.empty() ? std::optional(Set::point(0)) : std::nullopt;
}

template <class Real>
auto LstmStep<Real>::stored(const Set& C) const -> Set {
  return cell_.clip_scope == ClipScope::StoredCell ? this->clipped(C) : C;
}

template <class Real>
auto LstmStep<Real>::output_from(const Set& o, const Set& h) const -> Set {
  const bool exact =
      o.is_point() && h.is_point() &&
      never_rounded(product_grid(lowest_bit(o.centre), lowest_bit(h.centre)), o.magnitude() * h.magnitude(), m_);
  return elementwise(product(o, h), 0, false, exact, m_);
}

template <class Real>
auto LstmStep<Real>::output_of(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                               const double* observed) const -> Outcome {
  Outcome outcome;
  const Image<Real> gate = o ? *o : this->gate_of(gate_o, 0, gate_sum(in, gate_o, unit, C));
  const Image<Real> squashed = this->function_of(2, C, clips_argument_of_h());
  for (int a = 0; a < gate.count; ++a) {
    for (int b = 0; b < squashed.count; ++b) {
      const Set &og = gate.parts[at(a)], &hc = squashed.parts[at(b)];
      const Set H = output_from(og, hc);
      outcome.H = a == 0 && b == 0 ? H : hull(outcome.H, H);
      if (!observed) continue;
      const Match m = match(H, *observed, m_);
      outcome.surely = outcome.surely || (m.inside && !m.open);
      outcome.agrees = outcome.agrees || m.inside;
      if (o && gate.count == 1 && squashed.count == 1 && m.inside) {
        outcome.rise = least_rise(og, C, hc);
        outcome.below = m.below;
        outcome.above = m.above;
      }
    }
  }
  return outcome;
}

template <class Real>
double LstmStep<Real>::least_rise(const Set& o, const Set& C, const Set& h) const {
  const bool may_be_clipped =
      clips_argument_of_h() && cell_.clip && !(C.magnitude() < *cell_.clip * (1 - m_.u_attribute));
  if (may_be_clipped) return 0;
  if (!surely_less(Real(0), o.lo) || !C.contains(C.centre)) return 0;
  const auto least =
      least_slope_near(cell_.activation[2].kind, h.centre, max(Real(C.hi - C.centre), Real(C.centre - C.lo)));
  return least ? std::max(0.0, lower(Real(o.lo * *least * (1 - slack<Real>)))) : 0;
}

template <class Real>
auto LstmStep<Real>::observe(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                             const double* observed) const -> Outcome {
  Outcome whole = output_of(in, unit, C, o, observed);
  whole.kept = C;
  const bool divisible = C.is_finite() && isfinite(Real((C.hi - C.lo) * slices));
  const bool cut = observed && divisible && !C.is_point() && std::isfinite(*observed);
  if (!cut) return whole;
  if (!(whole.rise > 0)) return observe_slices(in, unit, C, o, observed, whole);
  whole.kept = producing(C, whole.rise, whole.below, whole.above);
  return whole;
}

template <class Real>
auto LstmStep<Real>::observe_slices(const StepInput<Real>& in, int unit, const Set& C, const Image<Real>* o,
                                    const double* observed, Outcome whole) const -> Outcome {
  // The parts' own outputs are sharper than the whole's where o and h both move with C.
  Set by_parts;
  bool surely = false;
  const auto agrees = [&](int part) {
    const Outcome one = output_of(in, unit, slice_of(C, part), o, observed);
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

template <class Real>
void LstmStep<Real>::join(Outcome& all, const Outcome& one, bool observed) {
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

template <class Real>
void LstmStep<Real>::take_unit(const StepInput<Real>& in, int j, const double* observed, StepSets<Real>& sets,
                               Trace* trace) const {
  const std::size_t unit = at(j);
  const Set before = sets.C[unit];
  const Gates gates = gates_of(in, j, before);
  const auto& [i, f, g, o] = gates;
  const auto updated_by = [&](int part) {
    const int of_i = part / (f.count * g.count), of_f = part / g.count % f.count, of_g = part % g.count;
    return cell_after(in, i.parts[at(of_i)], f.parts[at(of_f)], g.parts[at(of_g)], before);
  };
  const auto outcome_of = [&](const Set& updated) {
    const bool o_stands = o && (updated.is_finite() || updated.empty());
    return observe(in, j, updated, o_stands ? &*o : nullptr, observed ? observed + j : nullptr);
  };
  const Set cell = updated_by(0);
  Outcome all = outcome_of(cell);
  for (int part = 1; part < i.count * f.count * g.count; ++part) join(all, outcome_of(updated_by(part)), observed);
  sets.H[unit] = all.H;
  Set& C = sets.C[unit] = all.kept;
  if (observed) {
    if (!std::isnan(observed[j]) && !may_swallow_nan(cell_.activation[2].kind) && !C.empty()) {
      C.flags &= static_cast<std::uint8_t>(~may_be_nan);
    }
    Match& m = sets.matches[unit] = match(all.H, observed[j], m_);
    m.inside = all.agrees;
    m.open = m.inside && !all.surely;
    m.ratio = m.inside ? std::min(m.ratio, 1.0) : std::max(m.ratio, std::nextafter(1.0, 2.0));
  }
  if (!trace || trace->unit != j) return;
  if (cell_.coupling != Coupling::ForgetLeads) note(trace, j, "i", i.whole());
  if (cell_.coupling != Coupling::InputLeads) note(trace, j, "f", f.whole());
  note(trace, j, "c~", g.whole());
  note(trace, j, "C", cell);
  note(trace, j, "o", this->gate_of(gate_o, 0, gate_sum(in, gate_o, j, cell)).whole());
  note(trace, j, "H", sets.H[unit]);
}

template class LstmStep<double>;
template class LstmStep<Ball>;

}  // namespace cellproof::oracle
