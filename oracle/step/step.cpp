#include "oracle/step/step.hpp"

#include "oracle/at.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/step/rounding.hpp"

namespace cellproof::oracle {
namespace {

/// What an infinite or NaN addend makes of a sum.
struct SpecialSum {
  bool nan = false, plus = false, minus = false, unknown = false, skippable_nan = false;
  double finite_magnitude = 0;  ///< of the addends that are neither

  template <class Real>
  void add(const Real& term) {
    if (isfinite(term)) finite_magnitude += upper(abs(term));
    nan = nan || isnan(term);
    plus = plus || term == std::numeric_limits<Real>::infinity();
    minus = minus || term == -std::numeric_limits<Real>::infinity();
  }
};

}  // namespace

template <class Real>
Stepper<Real>::Stepper(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
    : cell_(cell), m_(arithmetic), tier_(tier), errors_(cell.terms, arithmetic.u_accumulate) {
  zeros_.assign(at(cell.rows), 0);
  x_values_.resize(at(cell.inputs));
  if constexpr (carries_its_error<Real>) {
    if (!cell.W.empty()) W_.emplace(cell.W, cell.rows, cell.inputs);
    if (!cell.R.empty()) R_.emplace(cell.R, cell.rows, cell.hidden);
  } else if (PlainLstm::suits(cell, arithmetic)) {
    plain_lstm_.emplace(cell_, m_, errors_, tier);
  } else if (cell.op == Operator::GRU || cell.op == Operator::RNN) {
    plain_gates_.emplace(cell_, m_, errors_, tier);
  }
  for (auto* units : {&z_, &r_}) units->resize(at(cell.hidden));
  reset_centre_.resize(at(cell.hidden));
  reset_radius_.resize(at(cell.hidden));
}

template <class Real>
void Stepper<Real>::step(const StepInput<Real>& in, std::vector<Set>& C, const double* observed, std::vector<Set>& H,
                         std::vector<Match>& matches, Trace* trace) {
  H.resize(at(cell_.hidden));
  if (observed) matches.assign(at(cell_.hidden), Match{});
  sum_over_x(in.x);
  state_ = vector_of(in.h, in.h_radius);
  h_.reset(cell_.rows);
  switch (cell_.op) {
    case Operator::GRU:
      return gru(in, observed, H, matches, trace);
    case Operator::RNN:
      return rnn(in, observed, H, matches, trace);
    default:
      return lstm(in, C, observed, H, matches, trace);
  }
}

template <class Real>
void Stepper<Real>::sum_over_x(const double* x) {
  x_grid_ = any_grid;
  x_sum_ = 0;
  for (int k = 0; k < cell_.inputs; ++k) {
    const double factor = with_bits(x[k], cell_.switches.operand_bits);
    x_values_[at(k)] = static_cast<Real>(factor);
    x_grid_ = std::min(x_grid_, lowest_bit(factor));
    x_sum_ += std::abs(factor);
  }
  x_.reset(cell_.rows);
  if (cell_.W.empty()) return;
  const Columns columns{cell_.W.data(), cell_.rows, 0, cell_.rows, cell_.inputs};
  if constexpr (carries_its_error<Real>) W_->add_products(0, cell_.rows, x_values_.data(), x_.value);
  add_products(columns, x_values_.data(), nullptr, zeros_.data(), x_);
}

template <class Real>
auto Stepper<Real>::rounded_operands(const Real* centre, const double* radius) -> Vector {
  rounded_centre_.assign(centre, centre + cell_.hidden);
  rounded_radius_.assign(radius, radius + cell_.hidden);
  for (int k = 0; k < cell_.hidden; ++k) {
    const auto rounded = [&](const Real& x) { return with_bits(x, cell_.switches.operand_bits); };
    const Real r = static_cast<Real>(radius[k]), middle = rounded(centre[k]);
    const Real above = rounded(centre[k] + r) - middle, below = middle - rounded(centre[k] - r);
    rounded_centre_[at(k)] = middle;
    if (isfinite(r)) rounded_radius_[at(k)] = std::max(upper(above), upper(below));
  }
  return {rounded_centre_.data(), rounded_radius_.data(), any_grid, 0};
}

template <class Real>
auto Stepper<Real>::vector_of(const Real* exact_centre, const double* exact_radius) -> Vector {
  Vector v{exact_centre, exact_radius, any_grid, 0};
  if (cell_.switches.operand_bits != 0) v = rounded_operands(exact_centre, exact_radius);
  const Real* centre = v.centre;
  for (int k = 0; k < cell_.hidden; ++k) {
    v.grid = std::min(v.grid, lowest_bit(centre[k]));
    v.sum += upper(abs(centre[k]));
  }
  return v;
}

template <class Real>
void Stepper<Real>::sum_over(const Vector& v, int first, int last, Sums<Real>& sums,
                             const std::vector<double>& before) {
  if (cell_.R.empty()) return;
  const Columns columns{cell_.R.data(), cell_.rows, first, last, cell_.hidden};
  if constexpr (carries_its_error<Real>) R_->add_products(first, last, v.centre, sums.value);
  add_products(columns, v.centre, v.radius, before.data(), sums);
}

template <class Real>
auto Stepper<Real>::state_of(const StepInput<Real>& in, int unit) const -> Set {
  const Real& h = in.h[unit];
  if (isnan(h)) return Set::nan();
  if (std::isinf(in.h_radius[unit])) return Set::anything(0, 0);
  return in.h_radius[unit] == 0 ? Set::point(h) : Set::around(h, in.h_radius[unit]);
}

template <class Real>
auto Stepper<Real>::addends_of(int row, Share share, const Sums<Real>& h, const Vector& v) const -> Addends<Real> {
  const std::size_t r = at(row);
  Addends<Real> a;
  a.terms = cell_.terms;
  a.grid = any_grid;
  if (share != Share::HOnly) {
    a.x = x_.value[r];
    a.magnitude += x_.magnitude[r];
    a.walk += x_.walk[r];
    a.squares += x_.squares[r];
    a.Wb = cell_.Wb[r];
    a.grid = std::min({a.grid, product_grid(cell_.W_grid[r], x_grid_), lowest_bit(a.Wb)});
    a.operand_sum += x_sum_ + cell_.W_sum[r];
  }
  if (share != Share::XOnly) {
    a.h = h.value[r];
    a.magnitude += h.magnitude[r];
    a.walk += h.walk[r];
    a.squares += h.squares[r];
    a.spread = h.spread[r];
    a.Rb = cell_.Rb[r];
    a.grid = std::min({a.grid, product_grid(cell_.R_grid[r], v.grid), lowest_bit(a.Rb)});
    a.operand_sum += v.sum + cell_.R_sum[r];
  }
  return a;
}

template <class Real>
auto Stepper<Real>::addends_given(int row, const StepInput<Real>& in) const -> Addends<Real> {
  const Set &x = in.x_products[row], &h = in.h_products[row];
  const bool nothing = x.is_point() && h.is_point() && x.centre == 0 && h.centre == 0;
  Addends<Real> a;
  a.x = x.centre;
  a.h = h.centre;
  a.magnitude = x.magnitude() + h.magnitude();
  a.walk = cell_.terms * a.magnitude;
  a.Wb = cell_.Wb[at(row)];
  a.Rb = cell_.Rb[at(row)];
  a.terms = cell_.terms;
  a.grid = nothing ? std::min(lowest_bit(a.Wb), lowest_bit(a.Rb)) : no_grid;
  return a;
}

template <class Real>
auto Stepper<Real>::sum_of_row(int row, Share share, const Sums<Real>& h, const Vector& v, const StepInput<Real>& in,
                               const Set* C, double p) const -> Set {
  Addends<Real> a = in.x_products ? addends_given(row, in) : addends_of(row, share, h, v);
  const bool special = !std::isfinite(a.magnitude + a.spread + std::abs(a.Wb) + std::abs(a.Rb));
  const bool plain_peephole = C && C->is_finite() && std::isfinite(p);
  if (plain_peephole) {
    a.peephole = static_cast<Real>(p) * C->centre;
    a.peephole_radius = std::abs(p) * C->radius();
    a.grid = std::min(a.grid, C->is_point() ? product_grid(lowest_bit(p), lowest_bit(C->centre)) : no_grid);
    a.operand_sum += std::abs(p) + C->magnitude();
  }
  Set result = !special ? preactivation(a, errors_, tier_, m_) : in.x_products ? Set{} : special_row(row, share, v, in);
  if (in.x_products) {
    const Set products = sum(in.x_products[row], in.h_products[row]);
    result = special ? Set::anything(products.centre, products.flags)
                     : Set{result.centre, result.lo + (products.lo - products.centre),
                           result.hi + (products.hi - products.centre),
                           static_cast<std::uint8_t>(result.flags | products.flags)};
  }
  if (!C) return result;
  if (!special && plain_peephole) return result.with(C->flags);
  const Set through = product(Set::point(static_cast<Real>(p)), *C);
  if (in.absent_state && cell_.absent_initial_c && !std::isfinite(p)) {  // an absent state may or may not be multiplied
    if (m_.manner.state == Manner::Absent::LeftOut) return result.with(C->flags);
    if (m_.manner.state == Manner::Absent::Any) return hull(result, through).with(may_be_nan | is_unspecified);
  }
  return elementwise(sum_of_parts(result, through), through.magnitude(), false, false).with(C->flags);
}

template <class Real>
auto Stepper<Real>::special_row(int row, Share share, const Vector& v, const StepInput<Real>& in) const -> Set {
  SpecialSum s;
  const std::size_t rows = at(cell_.rows), r = at(row);
  if (share != Share::HOnly) {
    for (int k = 0; k < cell_.inputs; ++k) s.add(static_cast<Real>(cell_.W[at(k) * rows + r]) * x_values_[at(k)]);
    s.add(cell_.Wb[r]);
  }
  if (share != Share::XOnly) {
    for (int k = 0; k < cell_.hidden; ++k) {
      const double w = cell_.R[at(k) * rows + r];
      const Real& h = v.centre[k];
      // Of nothing but zeros: an infinite or NaN weight, or a NaN that the reset gate makes of the state.
      const bool of_absent = in.absent_state && ((!std::isfinite(w) && h == 0) || isnan(h));
      if (of_absent && m_.manner.state != Manner::Absent::Multiplied) {
        s.skippable_nan = true;
      } else if (std::isinf(v.radius[k]) || (std::isinf(w) && upper(abs(h)) <= v.radius[k] && !(h == 0))) {
        s.unknown = true;
      } else {
        s.add(static_cast<Real>(w) * h);
      }
    }
    s.add(cell_.Rb[r]);
  }
  const bool may_be_skipped = s.skippable_nan && m_.manner.state == Manner::Absent::Any;
  const auto flags = static_cast<std::uint8_t>(may_be_skipped ? may_be_nan | is_unspecified : 0);
  if (s.nan || (s.plus && s.minus)) return Set::nan(flags);
  if (s.unknown) return Set::anything(0, flags);
  if (s.plus || s.minus) {
    // A finite part that overflows to the other infinity makes an honest NaN.
    if (!(s.finite_magnitude <= m_.largest_accumulated)) return Set::anything(0, flags);
    const Real infinity = std::numeric_limits<Real>::infinity();
    return Set::point(s.plus ? infinity : Real(-infinity)).with(flags);
  }
  if (!s.skippable_nan) return Set::anything(0, 0);  // finite addends whose sum leaves the range of double
  Addends<Real> x_part = addends_of(row, Share::XOnly, h_, v);
  if (share == Share::HOnly) x_part = Addends<Real>{};
  x_part.Rb = share == Share::XOnly ? 0 : cell_.Rb[r];
  x_part.terms = cell_.terms;
  x_part.grid = no_grid;
  return preactivation(x_part, errors_, tier_, m_).with(flags);
}

template <class Real>
auto Stepper<Real>::clipped(const Set& a) const -> Set {
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
void Stepper<Real>::let_overflow(const Activation& function, const Set& argument, Image<Real>& image_of) const {
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
auto Stepper<Real>::function_of(int slot, const Set& a, bool clips) const -> Image<Real> {
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
auto Stepper<Real>::gate_of(int gate, int slot, const Set& a) const -> Image<Real> {
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

template <class Real>
void Stepper<Real>::find_plain_gates(int gate, int slot, const Sums<Real>& h, const Vector& v) {
  if constexpr (!carries_its_error<Real>) {
    const int first = gate * cell_.hidden;
    if (PlainGates::suits(cell_, m_, gate, slot)) {
      plain_gates_->compute(first, first + cell_.hidden, slot, x_, h, x_grid_, v.grid);
    } else {
      plain_gates_->leave_out(first, first + cell_.hidden);
    }
  }
}

template <class Real>
auto Stepper<Real>::plain_gate(int row) const -> std::optional<Set> {
  if constexpr (!carries_its_error<Real>) {
    if (plain_gates_->plain[at(row)]) return plain_gates_->sets[at(row)];
  }
  return std::nullopt;
}

template <class Real>
auto Stepper<Real>::sum_of_parts(const Set& a, const Set& b) const -> Set {
  Set result = sum(a, b);
  if (result.is_finite()) return result;
  const auto overflows = [&](const Set& part) { return part.is_finite() && m_.may_overflow(part.magnitude()); };
  return overflows(a) || overflows(b) ? Set::anything(result.centre, result.flags) : result;
}

template <class Real>
auto Stepper<Real>::blend_of_parts(const Set& z, const Set& a, const Set& b) const -> Set {
  Set result = blend(z, a, b, m_.manner.blend);
  if (result.is_finite()) return result;
  const Set rest{1 - z.centre, 1 - z.hi, 1 - z.lo, z.flags};
  const Set parts = sum_of_parts(product(rest, a), product(z, b));
  return parts.has(may_have_overflowed) ? Set::anything(result.centre, result.flags) : result;
}

template <class Real>
auto Stepper<Real>::elementwise(const Set& value, double intermediates, bool storable, bool exact) const -> Set {
  const double magnitude = value.magnitude();
  // An infinite operand makes an infinite result rightly; only finite numbers overflow.
  const bool overflows = value.is_finite() && m_.may_overflow(std::max(magnitude, intermediates));
  const auto flags = static_cast<std::uint8_t>(overflows ? may_have_overflowed : 0);
  if (exact) return value.with(flags);
  double error = elementwise_error<Real>(intermediates, magnitude, m_);
  if (m_.stored_intermediates && storable) {
    error += m_.u_storage * (magnitude + error) * (1 + m_.u_storage) + m_.eta_storage;
  }
  return widened(value, error).with(flags);
}

template <class Real>
void Stepper<Real>::note(Trace* trace, int unit, const char* name, const Set& value) const {
  if (!trace || trace->unit != unit) return;
  const double radius = value.empty() ? 0 : value.radius();
  trace->values.push_back({name, static_cast<double>(value.centre), radius});
}

template class Stepper<double>;
template class Stepper<Ball>;

}  // namespace cellproof::oracle
