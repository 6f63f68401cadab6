#include <algorithm>
#include <cmath>

#include "optimized/cpu/elements.hpp"
#include "optimized/cpu/kernels.hpp"

namespace cellproof::cpu {
namespace {

/// Units of a block: a few sums that the compiler may keep side by side.
constexpr std::size_t lanes = 4;

template <class Real>
Real sigmoid(Real x) {
  const Real e = std::exp(-std::abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

template <class Real>
Real softsign(Real x) {
  return std::isinf(x) ? std::copysign(Real(1), x) : x / (1 + std::abs(x));
}

template <class Real>
Real hard_sigmoid(Real x, Real alpha, Real beta) {
  const Real line = std::fma(alpha, x, beta);
  return line < 0 ? 0 : line > 1 ? 1 : line;
}

/// A NaN argument gives NaN in every function.
template <class Real>
Real apply(const Activation& activation, Real x) {
  const auto alpha = static_cast<Real>(activation.alpha), beta = static_cast<Real>(activation.beta);
  switch (activation.function) {
    case Function::Relu:
      return x < 0 ? 0 : x;
    case Function::Tanh:
      return std::tanh(x);
    case Function::Sigmoid:
      return sigmoid(x);
    case Function::Affine:
      return std::fma(alpha, x, beta);
    case Function::LeakyRelu:
      return x < 0 ? alpha * x : x;
    case Function::ThresholdedRelu:
      return x < alpha ? 0 : x;
    case Function::ScaledTanh:
      return alpha * std::tanh(beta * x);
    case Function::HardSigmoid:
      return hard_sigmoid(x, alpha, beta);
    case Function::Elu:
      return x < 0 ? alpha * std::expm1(x) : x;
    case Function::Softsign:
      return softsign(x);
    case Function::Softplus:
      return (x > 0 ? x : x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x)));
  }
  return x;
}

template <class Real>
Real clipped(Real x, Real clip) {
  return x > clip ? clip : x < -clip ? -clip : x;
}

template <class Real>
Real apply(const Activation* activation, Real x, Real clip) {
  return apply(*activation, clipped(x, clip));
}

template <class Real>
bool pack(const Real* rows, std::size_t row_stride, std::size_t length, Real* out, std::size_t out_stride) {
  bool finite = true;
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      out[k * out_stride + lane] = rows[lane * row_stride + k];
      finite = finite && std::isfinite(out[k * out_stride + lane]);
    }
  }
  return finite;
}

std::size_t piece_for(std::size_t, std::size_t, bool) {
  return most_piece;
}

template <class Real>
void multiply(const Multiplication<Real>& m) {
  for (std::size_t row = 0; row < m.row_count; ++row) {
    for (std::size_t v = 0; v < m.vectors; ++v) {
      Real sums[lanes] = {};
      const std::size_t place = v % m.piece, first = v - place;
      const Real* weights = m.panel + (first * m.length + place) * lanes;
      for (std::size_t k = 0; k < m.length; ++k, weights += std::min(m.piece, m.vectors - first) * lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += m.rows[row][k] * weights[lane];
      Real* out = m.out + row * m.out_stride + v * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = sums[lane] + (m.bias ? m.bias[v * lanes + lane] : 0);
    }
  }
}

template <class Real>
bool all_finite(const Real* values, std::size_t count) {
  return std::all_of(values, values + count, [](Real value) { return std::isfinite(value); });
}

/// The arguments of the functions at one unit of a row, gate by gate.
template <class Real>
class Unit {
 public:
  Unit(const Gates<Real>& gates, std::size_t count, std::size_t row, std::size_t unit)
      : width_(std::min(lanes, gates.units - unit / lanes * lanes)),
        input_(gates.input + row * gates.input_stride + unit / lanes * lanes * count + unit % lanes),
        recurrent_(gates.recurrent + row * gates.recurrent_stride + unit / lanes * lanes * count + unit % lanes) {}
  Real input(std::size_t gate) const { return input_[gate * width_]; }
  Real recurrent(std::size_t gate) const { return recurrent_[gate * width_]; }
  Real sum(std::size_t gate) const { return input(gate) + recurrent(gate); }

 private:
  std::size_t width_;
  const Real* input_;
  const Real* recurrent_;
};

/// body(unit, place in the peepholes, place in the state) for every unit of the rows.
template <class Real, class Body>
void for_each_unit(const Gates<Real>& gates, std::size_t count, std::size_t state_stride, Body body) {
  for (std::size_t row = 0; row < gates.rows; ++row)
    for (std::size_t unit = 0; unit < gates.units; ++unit)
      body(Unit<Real>(gates, count, row, unit), unit, row * state_stride + unit);
}

template <class Real>
void lstm(const LstmStep<Real>& step) {
  const Real clip = step.functions.clip;
  for_each_unit(step.gates, 4, step.state_stride, [&](const Unit<Real>& unit, std::size_t j, std::size_t at) {
    const auto peep = [&](const Real* weights, Real cell) { return weights ? weights[j] * cell : 0; };
    const Real before = step.c[at];
    const Real i = apply(step.functions.f, unit.sum(0) + peep(step.peephole_i, before), clip);
    const Real f =
        step.input_forget ? 1 - i : apply(step.functions.f, unit.sum(2) + peep(step.peephole_f, before), clip);
    const Real candidate = apply(step.functions.g, unit.sum(3), clip);
    const Real after = f * before + i * candidate;
    const Real o = apply(step.functions.f, unit.sum(1) + peep(step.peephole_o, after), clip);
    step.c[at] = after;
    step.h[at] = o * apply(step.functions.h, after, clip);
  });
}

template <class Real>
Real mix(Real z, Real candidate, Real previous) {
  return (1 - z) * candidate + z * previous;
}

template <class Real>
void gru_after(const GruStep<Real>& step) {
  const Real clip = step.functions.clip;
  for_each_unit(step.gates, 3, step.state_stride, [&](const Unit<Real>& unit, std::size_t, std::size_t at) {
    const Real z = apply(step.functions.f, unit.sum(0), clip);
    const Real r = apply(step.functions.f, unit.sum(1), clip);
    const Real candidate = apply(step.functions.g, unit.input(2) + r * unit.recurrent(2), clip);
    step.h[at] = mix(z, candidate, step.previous[at]);
  });
}

template <class Real>
void gru_gates(const GruStep<Real>& step) {
  for_each_unit(step.gates, 2, step.state_stride, [&](const Unit<Real>& unit, std::size_t, std::size_t at) {
    step.z[at] = apply(step.functions.f, unit.sum(0), step.functions.clip);
    step.reset[at] = apply(step.functions.f, unit.sum(1), step.functions.clip) * step.previous[at];
  });
}

template <class Real>
void gru_state(const GruStep<Real>& step) {
  for_each_unit(step.gates, 1, step.state_stride, [&](const Unit<Real>& unit, std::size_t, std::size_t at) {
    step.h[at] = mix(step.z[at], apply(step.functions.g, unit.sum(0), step.functions.clip), step.previous[at]);
  });
}

template <class Real>
void rnn(const RnnStep<Real>& step) {
  for_each_unit(step.gates, 1, step.state_stride, [&](const Unit<Real>& unit, std::size_t, std::size_t at) {
    step.h[at] = apply(step.functions.f, unit.sum(0), step.functions.clip);
  });
}

template <class Real>
void activate(const Activation& activation, Real* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = apply(activation, values[i]);
}

template <class Real>
void dots(const Real* row, const Real* weights, std::size_t length, std::size_t count, const Real* bias, Real* out) {
  for (std::size_t i = 0; i < count; ++i) {
    Real sum = 0;
    for (std::size_t k = 0; k < length; ++k) sum = std::fma(row[k], weights[i * length + k], sum);
    out[i] = sum + (bias ? bias[i] : 0);
  }
}

template <class Real>
constexpr Kernels<Real> table{lanes,      piece_for,  multiply<Real>,   multiply<Real>,  dots<Real>,
                              lstm<Real>, nullptr,    gru_after<Real>,  gru_gates<Real>, gru_state<Real>,
                              rnn<Real>,  pack<Real>, all_finite<Real>, activate<Real>,  widen,
                              narrow};

}  // namespace

template <>
const Kernels<float>& scalar_kernels() {
  return table<float>;
}

template <>
const Kernels<double>& scalar_kernels() {
  return table<double>;
}

}  // namespace cellproof::cpu
