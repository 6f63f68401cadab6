#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/at.hpp"
#include "oracle/forward/forward_step.hpp"
#include "oracle/forward/slopes.hpp"
#include "oracle/step/observation.hpp"

namespace cellproof::oracle {

/// A number of an honest engine: value + slope times the linear form of its argument + what is its own.
template <class Real>
struct Line {
  Real value{};
  double slope = 0;
  double own = 0;    ///< bounds what is not linear: roundings, bends
  double reach = 0;  ///< bounds its distance from `value`

  double near() const { return static_cast<double>(value); }
  Enclosure<Real> set() const {
    return reach == 0 ? Enclosure<Real>::point(value) : Enclosure<Real>::around(value, reach);
  }
};

/// The argument of a function: centre + a linear form + what is its own.
template <class Real>
struct Argument {
  Real centre{};
  double own = 0, slope = 0;  ///< `slope`: of the function at the centre
  int overflow = 0;           ///< the sign of the infinity that it may be instead; 0: none
};

/// The common part of the operators' forward steps. All that honest arithmetic may do comes from Base, the operator's
/// own step: its sets over what the engine's numbers can be, less those that exact arithmetic has over the same.
template <class Base, class Real>
// NOLINTNEXTLINE(misc-multiple-inheritance): a step of the operator, and what a row is followed by; they share nothing.
class LinearStep : public Base, public ForwardStep<Real> {
 public:
  using Set = Enclosure<Real>;

  LinearStep(const Cell& cell, const Arithmetic& arithmetic, Tier tier)
      : Base(cell, arithmetic, tier, Units::OneByOne), exact_(exact_arithmetic(arithmetic.type)) {
    this->H.resize(at(cell.hidden));
  }

 protected:
  using Base::cell_, Base::m_, Base::sums_;

  /// Share of what is multiplied that covers the rounding of coefficients and of sums of their products.
  static constexpr double of_rounding = 0x1p-46;

  /// Rounds up what some operations in double have given. Nothing stays nothing: so exact numbers stay exact.
  static double up(double x) { return x == 0 ? 0 : x * (1 + 0x1p-32) + std::numeric_limits<double>::min(); }

  bool is_usable(const Set& s) const {
    constexpr std::uint8_t harmless = is_grazing | is_branched;
    return !s.empty() && s.is_finite() && (s.flags & static_cast<std::uint8_t>(~harmless)) == 0;
  }

  static Set set_around(const Real& centre, double radius) {
    return radius == 0 ? Set::point(centre) : Set::around(centre, radius);
  }

  /// Returns what is a sum's own, of a set that holds `spread` (how far the state takes it) besides.
  double own_of(const Set& sum, double spread) {
    if (!is_usable(sum)) failed_ = true;
    if (sum.is_point()) return 0;
    const double rounded = std::max(0.0, sum.radius() - spread) + 0x1p-51 * upper(abs(sum.centre));
    // Partial sums are walked at the centre; the generators' products and their sums are rounded, too.
    const double more = (cell_.terms + 2) * m_.u_accumulate + 2 * m_.u_operand + share_lost_in_products(cell_.hidden);
    const double least = spread > 0 ? least_lost_in_products(cell_.hidden, state_reach_) : 0;
    return up(rounded + more * spread + m_.eta_accumulate * state_reach_ + least);
  }

  /// The argument that `sum` makes, with the same `spread`, of a function with this slope at its centre.
  Argument<Real> argument_of(Set sum, double spread, double slope) {
    int overflow = 0;
    if (sum.has(reaches_infinity)) {
      overflow = surely_less(Real(0), sum.lo) ? 1 : -1;
      sum.flags &= static_cast<std::uint8_t>(~reaches_infinity);
    }
    return {sum.centre, own_of(sum, spread), slope, overflow};
  }

  double slope(int slot, const Real& centre, bool clips) const {
    const double x = static_cast<double>(centre);
    if (clips && cell_.clip && std::abs(x) >= *cell_.clip) return 0;
    return slope_of(cell_.activation[at(slot)], x);
  }

  /// By how much `rounded`, a set of honest results, goes beyond the same of exact arithmetic.
  static double beyond(const Set& rounded, const Set& exact) {
    if (rounded.is_point() && exact.is_point()) return 0;
    const double more = std::max(upper(Real(rounded.hi - exact.hi)), upper(Real(exact.lo - rounded.lo)));
    return up(std::max(0.0, more) + 0x1p-51 * rounded.magnitude());
  }

  /// The function in `slot` over arguments that are up to `linear` off the centre and `own` more.
  Line<Real> line(int slot, const Argument<Real>& argument, double linear, bool clips) {
    const double reach = up(linear + argument.own);
    Set over = set_around(argument.centre, reach);
    const bool is_known = is_usable(over);
    if (argument.overflow != 0)
      (argument.overflow > 0 ? over.hi : over.lo) = argument.overflow * std::numeric_limits<double>::infinity();
    const Image<Real> image_of = this->function_of(slot, over, clips);
    const Set whole = image_of.whole();
    if (!is_known || !is_usable(whole)) {
      failed_ = true;
      return {};
    }
    Line<Real> result{image_of.parts[0].centre, argument.slope, 0, 0};
    const double steep = std::abs(argument.slope);
    const double anyway = std::max({0.0, upper(Real(whole.hi - result.value)), upper(Real(result.value - whole.lo))});
    double bent = anyway + steep * reach;
    if (reach > 0 && image_of.count == 1 && argument.overflow == 0) {
      const double other_slope = std::abs(argument.slope - slope(slot, argument.centre, clips));
      bent = std::min(bent, smoothly(slot, argument.centre, over, whole, clips) + other_slope * reach);
    }
    result.own = up(bent + steep * argument.own);
    result.reach = up(std::min(steep * linear + result.own, anyway));
    return result;
  }

  /// Returns what is added to an engine's state by feeding it back; infinite where that may be no number.
  static double fed_back_error(const Set& state, const Arithmetic& m) {
    const Set next = fed_back(state, m);
    if (next.is_point()) return 0;
    if (!next.is_finite()) return std::numeric_limits<double>::infinity();
    // Not radius_behind(), which knows that a large state is not flushed: this one may be small.
    return up((m.u_storage * state.magnitude() * (1 + 2 * m.u_storage) + m.eta_storage) * (1 + 2 * m.u_storage));
  }

  /// The next reference. Returns its distance from what it stands for.
  static double take_reference(const Real& centre, Real& reference) {
    reference = midpoint(centre);
    return carries_its_error<Real> ? upper(abs(Real(centre - reference))) : 0;
  }

  /// Ends a unit's step at `centre`, from which the symbols take it by `linear` and all else by `own`: fills H, the
  /// next reference, its radius and the unit's own symbol.
  void end_at(const Real& centre, double linear, double own, int unit, ForwardState<Real>& state) {
    const std::size_t j = at(unit);
    own = up(own + take_reference(centre, state.h[j]));
    this->H[j] = set_around(state.h[j], up(linear + own));
    own = up(own + fed_back_error(this->H[j], m_));
    state.symbols.own_h[j] = own;
    state.h_radius[j] = up(linear + own);
  }

  /// Takes note of how far all elements of a product's vector reach: flushed factors cost as much for each.
  void note_reach(const std::vector<double>& radii) {
    double sum = 0;
    for (const double radius : radii) sum += radius;
    state_reach_ = std::max(state_reach_, up(sum));
  }

  const Arithmetic exact_;
  bool failed_ = false;
  double state_reach_ = 0;

 private:
  /// The same as `bent` in line() where the function bends, but has neither knee nor jump in reach; otherwise infinite.
  double smoothly(int slot, const Real& centre, const Set& over, const Set& whole, bool clips) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Activation& function = cell_.activation[at(slot)];
    if (clips) {
      const Set inside = this->clipped(over);
      if (!(inside.lo == over.lo && inside.hi == over.hi)) return infinity;
    }
    const double reach = over.radius();
    if (function.kind == ActivationKind::HardSigmoid &&
        !(surely_less(Real(0), whole.lo) && surely_less(whole.hi, Real(1))))
      return infinity;
    if (function.kind == ActivationKind::ScaledTanh && !(std::abs(function.beta) * reach <= 1)) return infinity;
    const double bend = bend_of(function, static_cast<double>(centre), reach);
    if (!std::isfinite(bend)) return infinity;
    const Set ideal = image(function, over, exact_).parts[0];
    return bend + beyond(whole, ideal) * steepening_of(function, reach) * (1 + 0x1p-10) +
           2 * slack<Real> * whole.magnitude();
  }
};

}  // namespace cellproof::oracle
