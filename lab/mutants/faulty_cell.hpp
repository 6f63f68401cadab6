#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/mutants/faults.hpp"
#include "lab/mutants/with_bits.hpp"

namespace cellproof::lab::mutants {

/// The three cells in natural order and in the arithmetic of F, with the faults' switches in their places.
template <class F>
class FaultyCell {
 public:
  FaultyCell(const ResolvedNode& node, const ResolvedDirection& direction, const Faults& faults)
      : node_(node), direction_(direction), planted_(faults), faults_(faults) {}

  void step(std::size_t t, const std::vector<F>& x, std::vector<F>& h, std::vector<F>& c) {
    if (planted_.only_in_second_half) faults_ = 2 * t < node_.T ? Faults{} : planted_;
    if (planted_.only_in_last_step) faults_ = t + 1 < node_.T ? Faults{} : planted_;
    if (has_cell_state(node_.op)) {
      lstm(x, h, c);
    } else {
      node_.op == Operator::GRU ? gru(x, h) : rnn(x, h);
    }
    for (F& value : h) value = with_bits(value, faults_.state_bits);
  }

  /// The same where the products with W and R are known, by row: LSTM only.
  void step_from_products(std::size_t t, const std::vector<F>& from_x, const std::vector<F>& from_h, std::vector<F>& h,
                          std::vector<F>& c) {
    from_x_ = &from_x;
    from_h_ = &from_h;
    step(t, {}, h, c);
  }

 private:
  void rnn(const std::vector<F>& x, std::vector<F>& h) {
    std::vector<F> next(node_.H);
    for (std::size_t j = 0; j < node_.H; ++j) next[j] = gate(0, 0, argument(0, j, x, h));
    h = std::move(next);
  }

  void gru(const std::vector<F>& x, std::vector<F>& h) {
    std::vector<F> z(node_.H), r(node_.H), reset(node_.H);
    for (std::size_t j = 0; j < node_.H; ++j) {
      z[j] = gate(0, 0, argument(0, j, x, h));
      r[j] = gate(1, 0, argument(1, j, x, h));
      reset[j] = r[j] * h[j];
    }
    const std::vector<F> before = h;
    for (std::size_t j = 0; j < node_.H; ++j) {
      const F candidate = gate(2, 1, node_.linear_before_reset ? gated(j, r[j], x, before) : argument(2, j, x, reset));
      h[j] = (1 - z[j]) * candidate + z[j] * before[j];
    }
  }
  F gated(std::size_t j, F r, const std::vector<F>& x, const std::vector<F>& h) const {
    const F from_x = product(direction_.W, 2, j, x), from_h = product(direction_.R, 2, j, h);
    if (faults_.recurrent_bias_outside_reset) return from_x + r * from_h + Wb(2, j) + Rb(2, j);
    return from_x + r * (from_h + Rb(2, j)) + Wb(2, j);
  }

  void lstm(const std::vector<F>& x, std::vector<F>& h, std::vector<F>& c) {
    const std::vector<F> before = h;
    for (std::size_t j = 0; j < node_.H; ++j) {
      const F old_cell = c[j];
      const F i = gate(0, 0, before_peephole(argument(0, j, x, before)) + peephole(0, j) * old_cell);
      const F f =
          node_.coupled ? 1 - i : gate(2, 0, before_peephole(argument(2, j, x, before)) + peephole(2, j) * old_cell);
      const F g = gate(3, 1, argument(3, j, x, before));
      c[j] = with_bits(f * old_cell + i * g, faults_.cell_bits);
      if (faults_.clip_stored_cell) c[j] = clipped(c[j]);
      const F seen = faults_.output_peephole_sees_old_cell ? old_cell : c[j];
      const F o = gate(1, 0, before_peephole(argument(1, j, x, before)) + peephole(1, j) * seen);
      h[j] = o * (faults_.argument_of_h_unclipped ? function(2, c[j]) : clipped_function(2, c[j]));
    }
  }

  F Wb(std::size_t gate, std::size_t j) const { return static_cast<F>(direction_.Wb[gate * node_.H + j]); }
  F Rb(std::size_t gate, std::size_t j) const { return static_cast<F>(direction_.Rb[gate * node_.H + j]); }
  F peephole(std::size_t which, std::size_t j) const {
    return direction_.P.empty() ? F(0) : static_cast<F>(direction_.P[which * node_.H + j]);
  }
  F argument(std::size_t gate, std::size_t j, const std::vector<F>& x, const std::vector<F>& h) const {
    const std::size_t row = gate * node_.H + j;
    if (from_x_) return (*from_x_)[row] + (*from_h_)[row] + Wb(gate, j) + Rb(gate, j);
    const F from_x = product(direction_.W, gate, j, x), from_h = product(direction_.R, gate, j, h);
    if (!node_.clip || (!faults_.clip_x_part && !faults_.clip_h_part))
      return from_x + from_h + Wb(gate, j) + Rb(gate, j);
    const F x_part = from_x + Wb(gate, j), h_part = from_h + Rb(gate, j);
    return (faults_.clip_x_part ? clipped(x_part) : x_part) + (faults_.clip_h_part ? clipped(h_part) : h_part);
  }
  F before_peephole(F sum) const { return faults_.clip_before_peephole ? clipped(sum) : sum; }
  F product(const std::vector<double>& matrix, std::size_t gate, std::size_t j, const std::vector<F>& v) const {
    const std::size_t terms = faults_.last_product_dropped && !v.empty() ? v.size() - 1 : v.size();
    F sum = 0;
    for (std::size_t k = 0; k < terms; ++k) {
      const F weight = static_cast<F>(matrix[(gate * node_.H + j) * v.size() + k]);
      sum = with_bits(sum + operand(weight) * operand(v[k]), faults_.accumulator_bits);
    }
    return sum;
  }
  F operand(F x) const {
    return faults_.operands_are_cut ? cut_to_bits(x, faults_.operand_bits) : with_bits(x, faults_.operand_bits);
  }

  F gate(std::size_t which, std::size_t slot, F x) const {
    const GateFault& fault = faults_.gates[which];
    if (fault.value) return static_cast<F>(*fault.value);
    if (fault.function >= 0) slot = static_cast<std::size_t>(fault.function);
    x = with_bits(x, faults_.argument_bits);
    const F result = fault.unclipped ? function(slot, x) : clipped_function(slot, x);
    const F value = with_bits(result, faults_.gate_bits);
    return fault.complemented ? 1 - value : value;
  }
  F clipped_function(std::size_t slot, F x) const {
    if (faults_.clip_after_function) return clipped(function(slot, x));
    if (planted_.edge)
      return static_cast<F>(planted_.edge({direction_.functions[slot], node_.clip, x, function(slot, clipped(x))}));
    return function(slot, clipped(x));
  }
  F clipped(F x) const {
    if (!node_.clip) return x;
    const F bound = *node_.clip;
    if (faults_.clip_takes_nan && std::isnan(x)) return bound;
    if (x > bound && !faults_.clip_lower_side_only) return bound;
    return x < -bound && !faults_.clip_upper_side_only ? -bound : x;
  }
  F function(std::size_t slot, F x) const {
    const ResolvedFunction& function = direction_.functions[slot];
    const std::string_view name = function.name;
    const F alpha = function.alpha, beta = function.beta;
    if (name == "Relu") return std::isnan(x) ? x : std::fmax(x, F(0));
    if (name == "Tanh") return tanh(x);
    if (name == "Sigmoid") return sigmoid(x);
    if (name == "Affine") return alpha * x + beta;
    if (name == "LeakyRelu") return x >= 0 ? x : alpha * x;
    if (name == "ThresholdedRelu") return x >= alpha || std::isnan(x) ? x : F(0);
    if (name == "ScaledTanh") return alpha * tanh(beta * x);
    if (name == "HardSigmoid") return std::isnan(x) ? x : std::fmin(std::fmax(alpha * x + beta, F(0)), F(1));
    if (name == "Elu") return x >= 0 ? x : alpha * std::expm1(x);
    if (name == "Softsign") return std::isinf(x) ? std::copysign(F(1), x) : x / (1 + std::fabs(x));
    if (name == "Softplus") return softplus(x);
    throw std::invalid_argument("mutants have no function " + std::string(name));
  }
  F softplus(F x) const {
    if (faults_.literal_softplus) return std::log(1 + std::exp(x));
    return (x > 0 ? x : F(0)) + std::log1p(std::exp(-std::fabs(x)));
  }
  F looked_up(F x) const {
    return faults_.table_bits == 0 ? x
                                   : std::ldexp(std::nearbyint(std::ldexp(x, faults_.table_bits)), -faults_.table_bits);
  }
  F tanh(F argument) const {
    if (faults_.bounded_nan != 0 && std::isnan(argument)) return static_cast<F>(faults_.bounded_nan);
    const F x = looked_up(argument);
    if (faults_.literal_tanh) return (1 - std::exp(-2 * x)) / (1 + std::exp(-2 * x));
    if (faults_.tanh_error == 0) return std::tanh(x);  // the sine of what overflows is no number
    return std::tanh(x) + static_cast<F>(faults_.tanh_error) * std::sin(5 * x);
  }
  F sigmoid(F argument) const {
    if (faults_.bounded_nan != 0 && std::isnan(argument)) return faults_.bounded_nan > 0 ? F(1) : F(0);
    const F x = looked_up(argument);
    if (faults_.sigmoid_saturates_early && std::fabs(x) > 8) return x > 0 ? F(1) : F(0);
    return with_bits(1 / (1 + std::exp(-x)), faults_.reciprocal_bits);
  }

  const ResolvedNode& node_;
  const ResolvedDirection& direction_;
  const Faults& planted_;
  Faults faults_;
  const std::vector<F>* from_x_ = nullptr;
  const std::vector<F>* from_h_ = nullptr;
};

}  // namespace cellproof::lab::mutants
