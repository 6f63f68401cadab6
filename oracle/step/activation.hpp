#pragma once

#include <array>
#include <cstdint>

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

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

/// A function of the `activations` list with the parameters that the readings give it.
struct Activation {
  ActivationKind kind = ActivationKind::Tanh;
  double alpha = 0, beta = 0;
  bool keeps_equal = true;  ///< ThresholdedRelu at x == alpha: x, or 0 (thresholdedrelu-equality)
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

/// What honest arithmetic can make of the function over the argument's enclosure.
template <class Real>
Image<Real> image(const Activation& activation, const Enclosure<Real>& x, const Arithmetic& arithmetic);

/// Does the function possibly turn NaN into a number (the comparison in it may go either way)?
bool may_swallow_nan(ActivationKind kind);

extern template double value_of(const Activation&, const double&);
extern template Ball value_of(const Activation&, const Ball&);
extern template Image<double> image(const Activation&, const Enclosure<double>&, const Arithmetic&);
extern template Image<Ball> image(const Activation&, const Enclosure<Ball>&, const Arithmetic&);

}  // namespace cellproof::oracle
