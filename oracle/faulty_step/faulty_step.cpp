#include "oracle/faulty_step/faulty_step.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "oracle/at.hpp"
#include "oracle/faulty_step/with_bits.hpp"
#include "oracle/step/clip.hpp"
#include "oracle/step/elementwise.hpp"
#include "oracle/step/step_of.hpp"

namespace cellproof::oracle {
namespace {

/// Units at once are what the specification's are. Operands are rounded before anything is made of them.
Units units_of(StepSwitches switches) {
  switches.x_bits = switches.h_bits = 0;
  switches.factors = FactorRounding::ToEven;
  return switches == StepSwitches{} ? Units::AtOnce : Units::OneByOne;
}

/// An operator's step with what the switches change of every operator's.
template <class Base, class Real>
class Faulty : public Base {
 public:
  using Set = Enclosure<Real>;

  Faulty(const FaultyCell& cell, const Arithmetic& arithmetic, Tier tier)
      : Base(cell, arithmetic, tier, units_of(cell.switches)), s_(cell.switches) {}

 protected:
  using Base::cell_, Base::m_, Base::sums_;

  void take_x(const double* x, const double* radius) override {
    const auto rounded = [&](double factor) { return factor_with_bits(factor, s_.x_bits, s_.factors); };
    rounded_x_.assign(x, x + cell_.inputs);
    for (double& factor : rounded_x_) factor = rounded(factor);
    if (!radius) return Base::take_x(rounded_x_.data(), nullptr);
    rounded_x_radius_.assign(radius, radius + cell_.inputs);
    for (std::size_t k = 0; k < rounded_x_.size(); ++k) {
      double& r = rounded_x_radius_[k];
      if (std::isfinite(r)) r = std::max(rounded(x[k] + r) - rounded_x_[k], rounded_x_[k] - rounded(x[k] - r));
    }
    Base::take_x(rounded_x_.data(), rounded_x_radius_.data());
  }

  /// The first of a GRU's two vectors is done with when the second comes.
  void take_state(const Real* centre, const double* radius, StateProduct<Real>& h) override {
    if (s_.h_bits == 0) return Base::take_state(centre, radius, h);
    rounded_centre_.assign(centre, centre + cell_.hidden);
    rounded_radius_.assign(radius, radius + cell_.hidden);
    for (int k = 0; k < cell_.hidden; ++k) {
      const auto rounded = [&](const Real& x) { return factor_with_bits(x, s_.h_bits, s_.factors); };
      const Real r = static_cast<Real>(radius[k]), middle = rounded(centre[k]);
      const Real above = rounded(centre[k] + r) - middle, below = middle - rounded(centre[k] - r);
      rounded_centre_[at(k)] = middle;
      if (isfinite(r)) rounded_radius_[at(k)] = std::max(upper(above), upper(below));
    }
    Base::take_state(rounded_centre_.data(), rounded_radius_.data(), h);
  }

  Set part(int row, Share share, const StateProduct<Real>& h, const StepInput<Real>& in) const override {
    Set product = kept_with(Base::part(row, share, h, in), s_.product_bits);
    const std::vector<double>& late = share == Share::XOnly ? s_.late_Wb : s_.late_Rb;
    if (late.empty() || late[at(row)] == 0) return product;
    const Set sum = added(product, Set::point(static_cast<Real>(late[at(row)])));
    const bool stored = s_.stores_reset_part && share == Share::HOnly && row / cell_.units == 1;
    return stored ? kept_with(sum, s_.product_bits) : sum;
  }

  Set summed(int row, const StateProduct<Real>& h, const StepInput<Real>& in) const override {
    if (!sums_apart()) return Base::summed(row, h, in);
    const auto clipped_or_not = [&](Share share, bool clips) {
      const Set sum = part(row, share, h, in);
      return clips ? clipped(sum) : sum;
    };
    return added(clipped_or_not(Share::XOnly, s_.clips_x_part), clipped_or_not(Share::HOnly, s_.clips_h_part));
  }

  Set summed_with_peephole(int row, const StateProduct<Real>& h, const StepInput<Real>& in, const Set& C,
                           double p) const override {
    if (!s_.clips_before_peephole && !sums_apart()) return Base::summed_with_peephole(row, h, in, C, p);
    const Set sum = summed(row, h, in);
    return added(s_.clips_before_peephole ? clipped(sum) : sum, product(Set::point(static_cast<Real>(p)), C));
  }

  Set clipped(const Set& a) const override {
    if (!cell_.clip) return a;
    const auto bounded = [this](Real x, const Real& limit) {
      if (s_.clips_above) x = min(limit, x);
      return s_.clips_below ? max(Real(-limit), x) : x;
    };
    return clipped_by(a, *cell_.clip, m_, bounded, s_.clipped_nan.value_or(m_.mode.nan));
  }

  Image<Real> function_of(int slot, const Set& a, bool clips) const override {
    const Activation& function = cell_.activation[at(slot)];
    const Set argument = clips && !s_.clips_results ? clipped(a) : a;
    Image<Real> result = Base::function_of(slot, argument, false);
    if (function.kind == ActivationKind::Sigmoid) {
      keep_with(result, s_.sigmoid_bits);
      let_saturate(argument, result);
    }
    if (s_.softplus_overflows || s_.tanh_overflows) let_overflow(function, argument, result);
    if (s_.nan != BoundedNan::Kept && argument.has(may_be_nan)) bound_nan(function.kind, result);
    for (int part = 0; clips && s_.clips_results && part < result.count; ++part) {
      result.parts[at(part)] = clipped(result.parts[at(part)]);
    }
    return result;
  }

  Image<Real> gate_of(int gate, int slot, const Set& a) const override {
    const GateSwitches& s = s_.gates[at(gate)];
    if (s.constant) {
      Image<Real> result;
      result.parts[0] = Set::point(static_cast<Real>(*s.constant));
      return result;
    }
    Image<Real> result = function_of(s.function.value_or(slot), kept_with(a, s_.argument_bits), s.clipped);
    keep_with(result, s_.gate_bits);
    for (int part = 0; s.complemented && part < result.count; ++part) {
      Set& value = result.parts[at(part)];
      value = {1 - value.centre, 1 - value.hi, 1 - value.lo, value.flags};
    }
    return result;
  }

  const StepSwitches& s_;

 private:
  /// Are the two products anything by themselves before they are added?
  bool sums_apart() const { return s_.clips_x_part || s_.clips_h_part || s_.product_bits != 0; }

  Set added(const Set& a, const Set& b) const {
    return elementwise(sum_of_parts(a, b, m_), a.magnitude() + b.magnitude(), true, false, m_);
  }

  static void keep_with(Image<Real>& image_of, int bits) {
    for (int part = 0; part < image_of.count; ++part) {
      Set& value = image_of.parts[at(part)];
      value = kept_with(value, bits);
    }
  }

  void let_saturate(const Set& argument, Image<Real>& image_of) const {
    if (!s_.sigmoid_saturates_beyond || !argument.is_finite()) return;
    const double from = *s_.sigmoid_saturates_beyond;
    if (!(argument.hi > from) && !(argument.lo < -from)) return;
    const Set end = Set::point(argument.centre > 0 ? 1 : 0);
    const bool wholly = min(abs(argument.lo), abs(argument.hi)) > from;
    image_of.parts[0] = wholly ? end : hull(image_of.parts[0], end);
  }

  /// Puts into the image what a literally evaluated formula overflows to (softplus_overflows, tanh_overflows).
  void let_overflow(const Activation& function, const Set& argument, Image<Real>& image_of) const {
    if (!argument.is_finite()) return;
    const double limit = std::log(m_.type == ElementType::Double ? std::numeric_limits<double>::max()
                                                                 : double{std::numeric_limits<float>::max()});
    const auto put = [&](const Set& end, bool reached, bool wholly) {
      if (reached) image_of.parts[0] = wholly ? end : hull(image_of.parts[0], end);
    };
    if (s_.softplus_overflows && function.kind == ActivationKind::Softplus) {
      put(Set::point(std::numeric_limits<Real>::infinity()), argument.hi > limit, argument.lo > limit);
    }
    const bool scaled = function.kind == ActivationKind::ScaledTanh;
    if (s_.tanh_overflows && (scaled || function.kind == ActivationKind::Tanh)) {
      const Real factor = scaled ? -2 * static_cast<Real>(function.beta) : -2;
      const Real a = factor * argument.lo, b = factor * argument.hi;
      put(Set::nan(), max(a, b) > limit, min(a, b) > limit);
    }
  }

  void bound_nan(ActivationKind kind, Image<Real>& image_of) const {
    if (kind != ActivationKind::Sigmoid && kind != ActivationKind::Tanh) return;
    const Real below = kind == ActivationKind::Tanh ? -1 : 0, limit = s_.nan == BoundedNan::Above ? Real(1) : below;
    for (int part = 0; part < image_of.count; ++part) {
      Set& value = image_of.parts[at(part)];
      if (value.has(may_be_nan)) value = hull(value, Set::point(limit));  // or NaN: not every lane need bound it
    }
  }

  std::vector<double> rounded_x_, rounded_x_radius_;
  std::vector<Real> rounded_centre_;
  std::vector<double> rounded_radius_;
};

template <class Real>
class FaultyLstmStep : public Faulty<LstmStep<Real>, Real> {
 public:
  using Base = Faulty<LstmStep<Real>, Real>;
  using Set = Enclosure<Real>;
  using Base::Base;

 protected:
  using Base::s_;

  std::optional<Set> seen_by_o(const Set& before) const override {
    return s_.o_sees_old_cell ? std::optional(before) : Base::seen_by_o(before);
  }
  Set stored(const Set& C) const override { return kept_with(Base::stored(C), s_.cell_bits); }
  double least_rise(const Set& o, const Set& C, const Set& h) const override {
    if (s_.sigmoid_saturates_beyond || s_.softplus_overflows || s_.tanh_overflows || s_.sigmoid_bits != 0) return 0;
    return Base::least_rise(o, C, h);
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Step<Real>> faulty_step_of(const FaultyCell& cell, const Arithmetic& arithmetic, Tier tier) {
  if (cell.switches == StepSwitches{}) return step_of<Real>(cell, arithmetic, tier);
  return with_step_class<Real>(cell.op, [&]<class S>() -> std::unique_ptr<Step<Real>> {
    if constexpr (std::is_same_v<S, LstmStep<Real>>) {
      return std::make_unique<FaultyLstmStep<Real>>(cell, arithmetic, tier);
    } else {
      return std::make_unique<Faulty<S, Real>>(cell, arithmetic, tier);
    }
  });
}

template std::unique_ptr<Step<double>> faulty_step_of(const FaultyCell&, const Arithmetic&, Tier);
template std::unique_ptr<Step<Ball>> faulty_step_of(const FaultyCell&, const Arithmetic&, Tier);

}  // namespace cellproof::oracle
