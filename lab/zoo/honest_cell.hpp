#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "fuzz/guided/resolved_node.hpp"
#include "lab/zoo/honest_functions.hpp"
#include "lab/zoo/summation.hpp"
#include "lab/zoo/zoo.hpp"
#include "spec/element_type.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::lab::zoo {

/// A product of a row of weights and a vector that is an integer (or one that is scaled already) and a scale.
template <class F>
struct ScaledSum {
  F sum = 0, scale = 0;
};

/// One direction's cell in the arithmetic of F and in the style's manner.
template <class F>
class HonestCell {
 public:
  HonestCell(const fuzz::ResolvedNode& node, const fuzz::ResolvedDirection& direction, const Style& style,
             std::uint64_t seed)
      : node_(node),
        direction_(direction),
        style_(style),
        sum_(style.summation, seed),
        function_(style.evaluation, seed + 1),
        W_(as_factors(kept({direction.W.begin(), direction.W.end()}))),
        R_(as_factors(kept({direction.R.begin(), direction.R.end()}))),
        Wb_(kept({direction.Wb.begin(), direction.Wb.end()})),
        Rb_(kept({direction.Rb.begin(), direction.Rb.end()})),
        P_(kept({direction.P.begin(), direction.P.end()})) {}

  /// A number as this engine keeps inputs, states and what comes between them.
  F kept(F value) const { return style_.states ? in(*style_.states, value) : value; }
  std::vector<F> kept(std::vector<F> values) const {
    for (F& value : values) value = kept(value);
    return values;
  }

  /// Replaces h (and c) by the next state.
  void step(const std::vector<F>& input, std::vector<F>& h, std::vector<F>& c) {
    const std::vector<F> x = as_factors(kept(input));
    if (has_cell_state(node_.op)) return lstm(x, h, c);
    node_.op == Operator::GRU ? gru(x, h) : rnn(x, h);
  }

  /// A step of LSTM whose matrix products are given by row.
  void step_from_sums(const std::vector<ScaledSum<F>>& of_x, const std::vector<ScaledSum<F>>& of_h, std::vector<F>& h,
                      std::vector<F>& c) {
    of_x_ = &of_x;
    of_h_ = &of_h;
    lstm({}, h, c);
    of_x_ = of_h_ = nullptr;
  }

 private:
  /// Rounded to a narrow type, whose subnormals may be zeros.
  F in(ElementType type, F value) const {
    const double rounded = round_to(type, static_cast<double>(value));
    const bool vanishes = style_.flushed && std::abs(rounded) < float_format(type).min_normal;
    return vanishes ? F(0) : static_cast<F>(rounded);
  }
  /// The nearest number of float's range in 11 bits: the largest floats are infinite there, and the smallest are zeros.
  static F in_tf32(F value) {
    if (!std::isfinite(value) || value == 0) return value;
    const int unit = std::max(std::ilogb(value), -126) - 10;
    const F rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
    return std::abs(rounded) < std::ldexp(F(1), 128) ? rounded
                                                     : std::copysign(std::numeric_limits<F>::infinity(), value);
  }
  F as_factor(F value) const {
    if (style_.factors_of_tf32) return in_tf32(value);
    return style_.factors ? in(*style_.factors, value) : value;
  }
  std::vector<F> as_factors(std::vector<F> values) const {
    for (F& value : values) value = as_factor(value);
    return values;
  }

  void rnn(const std::vector<F>& x, std::vector<F>& before) {
    const std::vector<F> h = as_factors(before);
    std::vector<F> next;
    for (std::size_t unit = 0; unit < node_.H; ++unit) next.push_back(activate(0, sum(unit, x, h)));
    before = std::move(next);
  }

  void gru(const std::vector<F>& x, std::vector<F>& h) {
    const std::size_t H = node_.H;
    const std::vector<F> state = as_factors(h);
    std::vector<F> z, r, reset, next;
    for (std::size_t unit = 0; unit < H; ++unit) {
      z.push_back(activate(0, sum(unit, x, state)));
      r.push_back(activate(0, sum(H + unit, x, state)));
      reset.push_back(kept(r[unit] * h[unit]));
    }
    reset = as_factors(std::move(reset));
    for (std::size_t unit = 0; unit < H; ++unit) {
      const std::size_t row = 2 * H + unit;
      const F argument = node_.linear_before_reset ? reset_sum(row, r[unit], x, state) : sum(row, x, reset);
      const F candidate = activate(1, argument);
      next.push_back(kept(style_.fused ? std::fma(z[unit], kept(h[unit] - candidate), candidate)
                                       : kept(kept(1 - z[unit]) * candidate) + kept(z[unit] * h[unit])));
    }
    h = std::move(next);
  }

  void lstm(const std::vector<F>& x, std::vector<F>& h, std::vector<F>& c) {
    const std::size_t H = node_.H;
    const std::vector<F> state = as_factors(h);
    std::vector<F> next;
    for (std::size_t unit = 0; unit < H; ++unit) {
      const F i = activate(0, peephole(0, unit, c[unit], sum(unit, x, state)));
      const F f = node_.coupled ? kept(1 - i) : activate(0, peephole(2, unit, c[unit], sum(2 * H + unit, x, state)));
      const F g = activate(1, sum(3 * H + unit, x, state));
      c[unit] = kept(style_.fused ? std::fma(f, c[unit], kept(i * g)) : kept(f * c[unit]) + kept(i * g));
      const F o = activate(0, peephole(1, unit, c[unit], sum(H + unit, x, state)));
      next.push_back(kept(o * activate(2, c[unit])));
    }
    h = std::move(next);
  }

  F activate(std::size_t slot, F x) {
    if (node_.clip) {
      const F clip = *node_.clip;
      x = x > clip ? clip : x < -clip ? -clip : x;
    }
    return kept(function_(direction_.functions[slot], kept(x)));
  }

  F peephole(std::size_t which, std::size_t unit, F cell, F argument) const {
    if (P_.empty()) return argument;
    const F p = P_[which * node_.H + unit];
    return style_.fused ? std::fma(p, cell, argument) : argument + p * cell;
  }

  F with_scaled(F start, const ScaledSum<F>& product) const {
    return style_.fused ? std::fma(product.sum, product.scale, start) : start + product.sum * product.scale;
  }
  F x_part(F start, std::size_t row, const std::vector<F>& x) {
    if (of_x_) return with_scaled(start, (*of_x_)[row]);
    return sum_(start, W_.data() + row * node_.I, x.data(), node_.I);
  }
  F h_part(F start, std::size_t row, const std::vector<F>& h) {
    if (of_h_) return with_scaled(start, (*of_h_)[row]);
    return sum_(start, R_.data() + row * node_.H, h.data(), node_.H);
  }

  F as_product(F value) const { return style_.products ? in(*style_.products, value) : value; }

  /// The product with R, the biases added before it is rounded or after.
  F rounded_h_part(std::size_t row, const std::vector<F>& h, F biases) {
    const bool first = style_.bias == BiasPlace::First && (node_.op != Operator::GRU || row >= 2 * node_.H);
    const F product = h_part(0, row, h);
    const bool of_reset = node_.op == Operator::GRU && row / node_.H == 1;
    if (style_.bias == BiasPlace::First && of_reset) return as_product(as_product(product) + biases);
    return first ? as_product(product + as_product(biases)) : as_product(product) + biases;
  }

  /// x W + h R + Wb + Rb
  F sum(std::size_t row, const std::vector<F>& x, const std::vector<F>& h) {
    const F Wb = Wb_[row], Rb = Rb_[row];
    if (style_.products) return as_product(x_part(0, row, x)) + rounded_h_part(row, h, Wb + Rb);
    switch (style_.bias) {
      case BiasPlace::Last:
        return x_part(0, row, x) + h_part(0, row, h) + Wb + Rb;
      case BiasPlace::Sum:
        return x_part(0, row, x) + h_part(0, row, h) + (Wb + Rb);
      case BiasPlace::First:
        return h_part(x_part(Wb + Rb, row, x), row, h);
      case BiasPlace::Split:
        break;
    }
    return x_part(Wb, row, x) + h_part(Rb, row, h);
  }

  /// x W + r (h R + Rb) + Wb
  F reset_sum(std::size_t row, F r, const std::vector<F>& x, const std::vector<F>& h) {
    if (style_.products) return as_product(x_part(0, row, x)) + Wb_[row] + r * rounded_h_part(row, h, Rb_[row]);
    const bool bias_first = style_.bias == BiasPlace::First || style_.bias == BiasPlace::Split;
    const F inner = bias_first ? h_part(Rb_[row], row, h) : h_part(0, row, h) + Rb_[row];
    const F outer = bias_first ? x_part(Wb_[row], row, x) : x_part(0, row, x);
    const F total = style_.fused ? std::fma(r, inner, outer) : outer + r * inner;
    return bias_first ? total : total + Wb_[row];
  }

  const fuzz::ResolvedNode& node_;
  const fuzz::ResolvedDirection& direction_;
  const Style& style_;
  Summer<F> sum_;
  HonestFunctions<F> function_;
  std::vector<F> W_, R_, Wb_, Rb_, P_;
  const std::vector<ScaledSum<F>>*of_x_ = nullptr, *of_h_ = nullptr;
};

}  // namespace cellproof::lab::zoo
