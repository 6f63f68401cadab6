#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::oracle {

enum class ActivationKind : std::uint8_t {
  Relu,
  Tanh,
  Sigmoid,
  Affine,
  LeakyRelu,
  ThresholdedRelu,
  ScaledTanh,
  HardSigmoid,
  Elu,
  Softsign,
  Softplus,
};

/// Throws std::invalid_argument for one that the oracle does not have.
ActivationKind kind_of(const ActivationInfo& info);

/// A function of the `activations` list with the parameters that the readings give it.
struct Activation {
  ActivationKind kind = ActivationKind::Tanh;
  double alpha = 0, beta = 0;
  bool keeps_equal = true;  ///< ThresholdedRelu at x == alpha: x, or 0 (thresholdedrelu-equality)

  bool operator==(const Activation&) const = default;
};

/// The functions of one direction (0 or 1) by slot: LSTM f g h, GRU f g, RNN f; slots that the operator lacks are
/// unused. Throws std::invalid_argument for a name that is no activation.
std::array<Activation, 3> activations_of(const Problem& problem, const Readings& readings, int direction);

/// The function itself, in a form that neither overflows nor cancels. Of a ball: all its values there, also where the
/// function bends or jumps.
template <class Real>
Real value_of(const Activation& activation, const Real& x);

/// The image of an enclosure: two parts where it straddles the jump of ThresholdedRelu, the exact value's branch first.
template <class Real>
struct Image {
  std::array<Enclosure<Real>, 2> parts;
  int count = 1;

  void add(const Enclosure<Real>& part) { parts[static_cast<std::size_t>(count++)] = part; }
  Enclosure<Real> whole() const { return count == 2 ? hull(parts[0], parts[1]) : parts[0]; }
};

// Between which slopes Tanh, Sigmoid and Softplus rise over an argument whose ends are within `reach` of its centre,
// from the value `y` at the centre. With |f''| <= bend f', the slope changes by at most a factor e^(bend r) within r,
// and 1 - t <= e^-t, e^t <= 1 + 2 t for the short arguments that are let through.

/// The longest reach that is let through.
inline constexpr double longest_sloped_reach = 0x1p-6;

template <ActivationKind kind, class Real>
Real slope_at(const Real& y) {
  if constexpr (kind == ActivationKind::Tanh) {  // f' = 1 - f^2, f'' = -2 f f'
    return (1 - y) * (1 + y);
  } else if constexpr (kind == ActivationKind::Sigmoid) {  // f' = f (1 - f), f'' = (1 - 2 f) f'
    return y * (1 - y);
  } else {  // f' = 1 - e^-f, f'' = e^-f f'
    static_assert(kind == ActivationKind::Softplus);
    return -expm1(-y);
  }
}

template <ActivationKind kind>
inline constexpr double slope_bend = kind == ActivationKind::Tanh ? 2 : 1;

template <ActivationKind kind, class Real>
Real least_slope(const Real& y, const Real& reach) {
  return slope_at<kind>(y) * (1 - slope_bend<kind> * reach);
}
template <ActivationKind kind, class Real>
Real steepest_slope(const Real& y, const Real& reach) {
  return slope_at<kind>(y) * (1 + 2 * slope_bend<kind> * reach);
}

/// The same of whichever function; nullopt of those without such bounds and of longer arguments.
template <class Real>
std::optional<Real> least_slope_near(ActivationKind kind, const Real& y, const Real& reach);
template <class Real>
std::optional<Real> steepest_slope_near(ActivationKind kind, const Real& y, const Real& reach);

/// Encloses what honest arithmetic can make of the function over the argument's enclosure.
template <class Real>
Image<Real> image(const Activation& activation, const Enclosure<Real>& x, const Arithmetic& arithmetic);

/// Does the function possibly turn NaN into a number (the comparison in it may go either way)?
bool may_swallow_nan(ActivationKind kind);

extern template double value_of(const Activation&, const double&);
extern template Ball value_of(const Activation&, const Ball&);
extern template Image<double> image(const Activation&, const Enclosure<double>&, const Arithmetic&);
extern template Image<Ball> image(const Activation&, const Enclosure<Ball>&, const Arithmetic&);

}  // namespace cellproof::oracle
