#include "oracle/step/activation.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/step/rounding.hpp"

namespace cellproof::oracle {

template <class Real>
Real value_of(const Activation& a, const Real& x) {
  const auto alpha = static_cast<Real>(a.alpha), beta = static_cast<Real>(a.beta);
  switch (a.kind) {
    case ActivationKind::Relu:
      return max(Real(0), x);
    case ActivationKind::Tanh:
      return tanh(x);
    case ActivationKind::Sigmoid: {
      if (x >= 0) return 1 / (1 + exp(-x));
      const Real e = exp(x);
      return e / (1 + e);
    }
    case ActivationKind::Affine:
      return alpha * x + beta;
    case ActivationKind::LeakyRelu:
      return by_sign(x, x, Real(alpha * x));
    case ActivationKind::ThresholdedRelu:
      if (a.keeps_equal ? surely_at_most(alpha, x) : surely_less(alpha, x)) return x;
      if constexpr (carries_its_error<Real>) {
        if (!(a.keeps_equal ? surely_less(x, alpha) : surely_at_most(x, alpha))) return joined(x, 0);
      }
      return 0;
    case ActivationKind::ScaledTanh:
      return alpha * tanh(Real(beta * x));
    case ActivationKind::HardSigmoid:
      return clamped<Real>(alpha * x + beta, 0, 1);
    case ActivationKind::Elu:
      // Far out, Ball's expm1 need not be told apart from infinity, where the other branch is the value.
      return surely_at_most(Real(0), x) ? x : by_sign(x, x, Real(alpha * expm1(x)));
    case ActivationKind::Softsign:
      if (isinf(x)) return x < 0 ? -1 : 1;
      return x / (1 + abs(x));
    case ActivationKind::Softplus:
      return max(x, Real(0)) + log1p(exp(Real(-abs(x))));
  }
  return x;
}

template <class Real>
std::optional<Real> least_slope_near(ActivationKind kind, const Real& y, const Real& reach) {
  if (!surely_at_most(reach, Real(longest_sloped_reach))) return std::nullopt;
  switch (kind) {
    case ActivationKind::Tanh:
      return least_slope<ActivationKind::Tanh>(y, reach);
    case ActivationKind::Sigmoid:
      return least_slope<ActivationKind::Sigmoid>(y, reach);
    case ActivationKind::Softplus:
      return least_slope<ActivationKind::Softplus>(y, reach);
    default:
      return std::nullopt;
  }
}

template <class Real>
std::optional<Real> steepest_slope_near(ActivationKind kind, const Real& y, const Real& reach) {
  if (!surely_at_most(reach, Real(longest_sloped_reach))) return std::nullopt;
  switch (kind) {
    case ActivationKind::Tanh:
      return steepest_slope<ActivationKind::Tanh>(y, reach);
    case ActivationKind::Sigmoid:
      return steepest_slope<ActivationKind::Sigmoid>(y, reach);
    case ActivationKind::Softplus:
      return steepest_slope<ActivationKind::Softplus>(y, reach);
    default:
      return std::nullopt;
  }
}

namespace {

template <class Real>
class Imager {
 public:
  Imager(const Activation& activation, const Enclosure<Real>& x, const Arithmetic& arithmetic)
      : a_(activation),
        x_(x),
        m_(arithmetic),
        u_alpha_(error_of_parameter(activation.alpha)),
        u_beta_(error_of_parameter(activation.beta)) {}

  Image<Real> of_numbers() const {
    switch (a_.kind) {
      case ActivationKind::Relu:
        return one(stored(grazed(between_ends(), x_)));
      case ActivationKind::Tanh:
      case ActivationKind::Sigmoid:
        return one(kernel(between_ends(), 1, m_.activation_floor));
      case ActivationKind::Softplus:
        // log(1 + e^x) as written loses everything below one unit roundoff; far to the right it is x.
        return one(kernel(between_ends(), 1, x_.lo < 80 ? m_.activation_floor : 0));
      case ActivationKind::Softsign: {
        const Enclosure<Real> y = between_ends();
        return one(rounded(y, std::max(3 * m_.u_elementwise, m_.activation_relative) * y.magnitude()));
      }
      case ActivationKind::Affine:
        return one(line());
      case ActivationKind::ScaledTanh:
        return one(scaled_tanh());
      case ActivationKind::HardSigmoid:
        return one(hard_sigmoid());
      case ActivationKind::LeakyRelu:
        return one(leaky_relu());
      case ActivationKind::Elu:
        return one(elu());
      case ActivationKind::ThresholdedRelu:
        return thresholded_relu();
    }
    return one(x_);
  }

  /// Does an infinite argument meet a formula that IEEE arithmetic makes NaN (inf / inf, 0 * inf)?
  bool invalid_at_infinity() const {
    if (x_.is_finite()) return false;
    switch (a_.kind) {
      case ActivationKind::Softsign:
        return true;
      case ActivationKind::Affine:
      case ActivationKind::HardSigmoid:
      case ActivationKind::LeakyRelu:
      case ActivationKind::Elu:
        return may_be_zero(a_.alpha);
      case ActivationKind::ScaledTanh:
        return may_be_zero(a_.beta);
      default:
        return false;
    }
  }

 private:
  /// Relative, where the parameter may be rounded or flushed on its way in.
  double error_of_parameter(double value) const {
    const double lost = m_.lost_as_input(std::abs(value));
    return lost > 0 ? m_.u_attribute + lost / std::abs(value) : m_.u_attribute;
  }
  bool may_be_zero(double parameter) const { return parameter == 0 || m_.lost_as_input(std::abs(parameter)) > 0; }

  static Image<Real> one(const Enclosure<Real>& part) {
    Image<Real> result;
    result.parts[0] = part;
    return result;
  }

  /// The image of a monotone function, in either sense: exactly its values at the ends, or, where that costs less and
  /// is as good as exact, the tangent's cone around its value at the centre.
  Enclosure<Real> between_ends() const {
    const Real y = value_of(a_, x_.centre);
    if (x_.is_point() && x_.centre == x_.lo) return {y, y, y, x_.flags};
    if (x_.lo <= x_.centre && x_.centre <= x_.hi) {
      const Real right = x_.hi - x_.centre, left = x_.centre - x_.lo;
      if (const auto steepest = steepest_slope_near(a_.kind, y, max(right, left)))
        return {y, y - *steepest * left, y + *steepest * right, x_.flags};
    }
    const Real p = value_of(a_, x_.lo);
    const Real q = x_.is_point() ? p : value_of(a_, x_.hi);
    return {y, min(p, q), max(p, q), x_.flags};
  }

  /// Exact image of a function with a knee at 0 where its pieces may slope either way.
  Enclosure<Real> around_knee() const {
    Enclosure<Real> y = between_ends();
    if (x_.lo < 0 && x_.hi > 0) {
      y.lo = min(y.lo, Real(0));
      y.hi = max(y.hi, Real(0));
    }
    return y;
  }

  Enclosure<Real> stored(const Enclosure<Real>& y) const {
    if (!m_.stored_intermediates) return y;
    Enclosure<Real> result = widened(y, m_.u_storage * y.magnitude() + m_.eta_storage);
    if (a_.kind == ActivationKind::Relu || a_.kind == ActivationKind::HardSigmoid) result.lo = max(Real(0), result.lo);
    return result;
  }

  Enclosure<Real> rounded(const Enclosure<Real>& y, double error) const {
    const double magnitude = y.magnitude();
    double all = function_error<Real>(error, magnitude, m_);
    if (m_.stored_intermediates) all += m_.u_storage * (magnitude + error) + m_.eta_storage;
    return widened(y, all);
  }

  Enclosure<Real> kernel(const Enclosure<Real>& y, double scale, double floor) const {
    return rounded(y, m_.activation_relative * y.magnitude() + scale * floor);
  }

  /// Can alpha x + beta be formed without any rounding?
  bool line_is_exact(double product_magnitude) const {
    if (!x_.is_point()) return false;
    const int grid = product_grid(lowest_bit(a_.alpha), lowest_bit(x_.lo));
    return never_rounded(std::min(grid, lowest_bit(a_.beta)), product_magnitude + std::abs(a_.beta), m_);
  }

  Enclosure<Real> line() const {
    const double p = std::abs(a_.alpha) * x_.magnitude();
    Enclosure<Real> y = between_ends();
    if (line_is_exact(p)) return y;
    return rounded(y, (m_.u_elementwise + u_alpha_ + slack<Real>)*p + u_beta_ * std::abs(a_.beta) +
                          m_.u_elementwise * (y.magnitude() + 2 * m_.u_elementwise * p));
  }

  Enclosure<Real> hard_sigmoid() const {
    const double p = std::abs(a_.alpha) * x_.magnitude(), b = std::abs(a_.beta);
    const auto alpha = static_cast<Real>(a_.alpha), beta = static_cast<Real>(a_.beta);
    const auto bounded = [](const Real& v) { return clamped<Real>(v, 0, 1); };
    double error = 0;
    if (!line_is_exact(p)) {
      error = (m_.u_elementwise + u_alpha_) * p + u_beta_ * b + m_.u_elementwise * (p + b) + slack<Real> * (p + b) +
              m_.eta_elementwise;
    }
    const Real p_lo = alpha * x_.lo + beta, p_hi = alpha * x_.hi + beta;
    const Enclosure<Real> wide =
        widened<Real>({alpha * x_.centre + beta, min(p_lo, p_hi), max(p_lo, p_hi), x_.flags}, error);
    const Enclosure<Real> y = grazed({bounded(wide.centre), bounded(wide.lo), bounded(wide.hi), x_.flags}, wide);
    // Clamped on both ends to the same side, or computed without rounding: the value is known exactly.
    return y.is_point() ? y : stored(y);
  }

  Enclosure<Real> scaled_tanh() const {
    // The inner product beta x is rounded, too.
    const Enclosure<Real> outer{x_.centre, x_.lo, x_.hi, x_.flags};
    const Enclosure<Real> grown = widened(outer, (m_.u_elementwise + u_beta_) * x_.magnitude() + m_.eta_elementwise);
    const Enclosure<Real> y = Imager(a_, grown, m_).between_ends();
    return rounded(y, (m_.activation_relative + m_.u_elementwise + u_alpha_) * y.magnitude() +
                          m_.activation_floor * std::abs(a_.alpha));
  }

  Enclosure<Real> leaky_relu() const {
    Enclosure<Real> y = around_knee();
    if (surely_at_most(Real(0), x_.lo)) return stored(y);  // the identity branch has no error
    const double p = std::abs(a_.alpha) * std::max(0.0, upper(-x_.lo));
    if (line_is_exact(p)) return y;
    return rounded(y, (m_.u_elementwise + u_alpha_) * p);
  }

  Enclosure<Real> elu() const {
    const Enclosure<Real> y = around_knee();
    if (surely_at_most(Real(0), x_.lo)) return stored(y);
    const double deepest = upper(abs(value_of(a_, x_.lo)));
    return rounded(
        y, (m_.activation_relative + m_.u_elementwise + u_alpha_) * deepest + m_.activation_floor * std::abs(a_.alpha));
  }

  /// {0} and [alpha, ...]: two parts where the argument or a rounded alpha can fall on either side of the jump.
  Image<Real> thresholded_relu() const {
    if (a_.alpha == 0) return one(stored(grazed(between_ends(), x_)));  // a knee: nothing jumps
    const auto alpha = static_cast<Real>(a_.alpha);
    const Real shift = static_cast<Real>(u_alpha_ * std::abs(a_.alpha));
    const Real highest = alpha + shift, lowest = alpha - shift;
    const bool may_drop = a_.keeps_equal ? !surely_at_most(highest, x_.lo) : !surely_less(highest, x_.lo);
    const bool may_keep = a_.keeps_equal ? !surely_less(x_.hi, lowest) : !surely_at_most(x_.hi, lowest);
    const bool keeps = value_of(a_, x_.centre) == x_.centre && x_.contains(x_.centre) && may_keep &&
                       (a_.keeps_equal ? x_.centre >= lowest : x_.centre > lowest);
    const auto flags = static_cast<std::uint8_t>(x_.flags | (may_drop && may_keep ? is_branched : 0));
    const Enclosure<Real> dropped{0, 0, 0, flags};
    const Real from = max(x_.lo, lowest), to = max(from, x_.hi);
    const Enclosure<Real> kept = stored(grazed({clamped(x_.centre, from, to), from, to, flags}, x_));
    if (!may_keep) return one(dropped);
    if (!may_drop) return one(kept);
    Image<Real> both = one(keeps ? kept : dropped);
    both.add(keeps ? dropped : kept);
    return both;
  }

  const Activation& a_;
  const Enclosure<Real>& x_;
  const Arithmetic& m_;
  double u_alpha_, u_beta_;
};

/// Nothing is known where the function does not bound its argument, or may be NaN at the infinity.
template <class Real>
Image<Real> image_reaching_infinity(const Activation& activation, Enclosure<Real> x, const Arithmetic& arithmetic) {
  Image<Real> result = image(activation, x.to_infinity(), arithmetic);
  const Enclosure<Real> whole = result.whole();
  if (whole.is_finite() && !whole.has(may_be_nan)) return result;
  x.flags = static_cast<std::uint8_t>((x.flags & ~reaches_infinity) | may_have_overflowed);
  return image(activation, x, arithmetic);
}

}  // namespace

template <class Real>
Image<Real> image(const Activation& activation, const Enclosure<Real>& x, const Arithmetic& arithmetic) {
  if (x.has(reaches_infinity)) return image_reaching_infinity(activation, x, arithmetic);
  Image<Real> result;
  const Imager<Real> imager(activation, x, arithmetic);
  if (x.empty()) {
    result.parts[0] = Enclosure<Real>::nan(x.flags);
  } else {
    result = imager.of_numbers();
    const EvaluationMode::AtInfinity chosen =
        activation.kind == ActivationKind::Softsign ? arithmetic.mode.at_infinity : EvaluationMode::AtInfinity::Any;
    const bool invalid = imager.invalid_at_infinity();
    if (invalid && chosen == EvaluationMode::AtInfinity::Formula && x.is_point()) {
      result.parts[0] = Enclosure<Real>::nan(x.flags);
    } else if (invalid && chosen != EvaluationMode::AtInfinity::Limit) {
      result.parts[0].flags |= may_be_nan | is_unspecified;
      for (Real* end : {&result.parts[0].lo, &result.parts[0].hi, &result.parts[0].centre}) {
        if (isnan(*end)) *end = 0;
      }
    }
  }
  if (x.has(may_be_nan) && may_swallow_nan(activation.kind)) {
    using OfNan = EvaluationMode::OfNan;
    const Real top = activation.kind == ActivationKind::HardSigmoid ? 1 : 0;
    const OfNan chosen = arithmetic.mode.nan;
    if (chosen == OfNan::Any) {
      const Enclosure<Real> swallowed{0, 0, top, static_cast<std::uint8_t>(may_be_nan | is_unspecified)};
      result.parts[0] = hull(result.parts[0], swallowed);
    } else if (chosen != OfNan::Kept) {
      result.parts[0] = without_nan(result.parts[0], chosen == OfNan::AsLowest ? Real(0) : top);
    }
  }
  return result;
}

template std::optional<double> least_slope_near(ActivationKind, const double&, const double&);
template std::optional<Ball> least_slope_near(ActivationKind, const Ball&, const Ball&);
template double value_of(const Activation&, const double&);
template Ball value_of(const Activation&, const Ball&);
template Image<double> image(const Activation&, const Enclosure<double>&, const Arithmetic&);
template Image<Ball> image(const Activation&, const Enclosure<Ball>&, const Arithmetic&);

}  // namespace cellproof::oracle
