#include "oracle/quantized/testing/kernel.hpp"

#include <algorithm>
#include <cmath>

namespace cellproof::oracle::testing {
namespace {

using Floats = std::vector<float>;

struct Params {
  float scale = 1;
  int zero = 0;
};

/// NaN becomes the lowest code: as good as any, and the same on every machine.
int integer(float rounded, float least) {
  return static_cast<int>(std::isnan(rounded) ? least : rounded);
}

Params params_of(const Floats& data, const KernelStyle& s) {
  float lo = 0, hi = 0;
  if (s.range_without_zero && !data.empty()) lo = hi = data.front();
  for (const float v : data) {
    lo = std::min(lo, v);
    hi = std::max(hi, v);
  }
  if (s.symmetric) {
    const float most = std::max(-lo, hi);
    return {most == 0 ? 1 : most / 127.0F, 0};
  }
  if (hi == lo) return {};
  const float width = hi - lo;
  float scale = width / (s.divides_by_256 ? 256.0F : 255.0F);
  if (s.multiplies_by_1_over_255) scale = width * (1.0F / 255.0F);
  const float zero = s.multiplies_by_reciprocal ? -lo * (1.0F / scale) : -lo / scale;
  return {scale, integer(std::nearbyint(std::clamp(zero, 0.0F, 255.0F)), 0)};
}

/// The code without its zero point.
int digit(float v, const Params& p, const KernelStyle& s) {
  float q = s.multiplies_by_reciprocal ? v * (1.0F / p.scale) : v / p.scale;
  const auto zero = static_cast<float>(p.zero);
  const float least = s.symmetric ? -127.0F : 0.0F, most = s.symmetric ? 127.0F : 255.0F;
  if (s.adds_zero_point_first) return integer(std::clamp(std::nearbyint(q + zero), least, most), least) - p.zero;
  q = std::clamp(q, least - zero, most - zero);
  return integer(s.truncates ? std::trunc(q) : std::nearbyint(q), least - zero);
}

class Run {
 public:
  Run(const Problem& problem, const KernelStyle& style) : p_(problem), s_(style), size_(dimensions_of(problem)) {
    lengths_.assign(static_cast<std::size_t>(size_.N), size_.T);
    if (const Tensor* given = p_.input(input::sequence_lens)) {
      for (std::size_t n = 0; n < lengths_.size(); ++n) lengths_[n] = given->integer(n);
    }
    for (const std::int64_t length : lengths_) longest_ = std::max(longest_, length);
  }

  std::vector<std::optional<Tensor>> outputs() {
    Tensor Y(ElementType::Float, {size_.T, size_.D, size_.N, size_.H});
    Tensor Y_h(ElementType::Float, {size_.D, size_.N, size_.H}), Y_c = Y_h;
    for (std::int64_t d = 0; d < size_.D; ++d) {
      direction(d, Y);
      for (std::int64_t n = 0; n < size_.N; ++n) {
        for (std::int64_t j = 0; j < size_.H; ++j) {
          Y_h.set_value({d, n, j}, h_[at(n, j)]);
          Y_c.set_value({d, n, j}, c_[at(n, j)]);
        }
      }
    }
    std::vector<std::optional<Tensor>> all(3);
    if (p_.asks_for(output::Y)) all[0] = Y;
    if (p_.asks_for(output::Y_h)) all[1] = Y_h;
    if (p_.asks_for(output::Y_c)) all[2] = Y_c;
    return all;
  }

 private:
  std::size_t at(std::int64_t n, std::int64_t j) const { return static_cast<std::size_t>(n * size_.H + j); }
  bool reversed(std::int64_t d) const { return d == 1 || p_.attributes.direction == "reverse"; }
  std::int64_t length(std::int64_t n) const { return lengths_[static_cast<std::size_t>(n)]; }

  float x(std::int64_t t, std::int64_t n, std::int64_t k) const {
    return static_cast<float>(p_.input(input::X)->value({t, n, k}));
  }
  float bias(std::int64_t d, std::int64_t column) const {
    const Tensor* B = p_.input(input::B);
    return B ? static_cast<float>(B->value({d, column})) : 0;
  }
  float state(std::size_t position, std::int64_t d, std::int64_t n, std::int64_t j) const {
    const Tensor* given = p_.input(position);
    return given ? static_cast<float>(given->value({d, n, j})) : 0;
  }

  float parameter(std::size_t position, std::int64_t d, std::int64_t column, bool first_only) const {
    const Tensor& t = *p_.input(position);
    return static_cast<float>(t.rank() == 1 ? t.value({d}) : t.value({d, first_only ? 0 : column}));
  }
  float weight_scale(std::size_t weights, std::int64_t d, std::int64_t column) const {
    const bool of_W = (weights == input::W) != s_.swaps_scales;
    return parameter(of_W ? input::W_scale : input::R_scale, s_.scale_of_direction_0 ? 0 : d, column,
                     s_.first_scale_only);
  }
  int weight(std::size_t weights, std::int64_t d, std::int64_t k, std::int64_t column) const {
    const Tensor& t = *p_.input(weights);
    auto stored = static_cast<int>(t.value({d, k, column}));
    if (s_.bytes_as_other_sign)
      stored = t.type() == ElementType::Int8 ? stored & 255 : static_cast<signed char>(stored);
    if (s_.forgets_zero_points_of_weights) return stored;
    const std::size_t zero = weights == input::W ? input::W_zero_point : input::R_zero_point;
    return stored - static_cast<int>(parameter(zero, d, column, s_.first_zero_point_only));
  }

  /// One column of one product, scaled.
  float product(std::size_t weights, const Floats& v, const Params& q, bool quantise, std::int64_t d,
                std::int64_t column, float onto) const {
    const float w_scale = weight_scale(weights, d, column);
    if (!quantise) {
      for (std::size_t k = 0; k < v.size(); ++k) {
        onto += v[k] * (static_cast<float>(weight(weights, d, static_cast<std::int64_t>(k), column)) * w_scale);
      }
      return onto;
    }
    int sum = 0, pair = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const int code = digit(v[k], q, s_) + (s_.forgets_zero_point_of_x ? q.zero : 0);
      const int w = weight(weights, d, static_cast<std::int64_t>(k), column);
      if (s_.saturates_pairs) {  // codes times signed weights; the zero point's share is taken off again
        pair += (code + q.zero) * w;
        if (k % 2 == 1 || k + 1 == v.size()) {
          sum += std::clamp(pair, -32768, 32767);
          pair = 0;
        }
        sum -= q.zero * w;
      } else {
        sum += code * w;
      }
    }
    const auto as_float = static_cast<float>(sum);
    if (s_.scales_one_after_the_other) return onto + as_float * q.scale * w_scale;
    const float factor = q.scale * w_scale;
    return s_.fuses ? std::fma(as_float, factor, onto) : onto + as_float * factor;
  }

  Params params_of_x(std::int64_t d, std::int64_t step) const {
    Floats data;
    for (std::int64_t t = 0; t < longest_; ++t) {
      for (std::int64_t n = 0; n < size_.N; ++n) {
        if (t >= length(n) && (s_.X_range_without_padding || s_.X_per_step)) continue;
        const std::int64_t taken_at = reversed(d) ? length(n) - 1 - t : t;
        if (s_.X_per_step && taken_at != step) continue;
        for (std::int64_t k = 0; k < size_.I; ++k) data.push_back(x(t, n, k));
      }
    }
    return params_of(data, s_);
  }

  Params params_of_h(std::int64_t step, std::int64_t first, std::int64_t last) const {
    Floats data;
    for (std::int64_t n = first; n < last; ++n) {
      const bool kernel_sees = step <= length(n) || !p_.asks_for(output::Y) || s_.finished_rows_count_on;
      const bool counts = s_.finished_rows_are_left_out ? step < length(n) : kernel_sees;
      for (std::int64_t j = 0; counts && j < size_.H; ++j) data.push_back(h_[at(n, j)]);
    }
    return params_of(data, s_);
  }

  void direction(std::int64_t d, Tensor& Y) {
    h_.clear();
    c_.clear();
    for (std::int64_t n = 0; n < size_.N; ++n) {
      for (std::int64_t j = 0; j < size_.H; ++j) {
        h_.push_back(state(input::initial_h, d, n, j));
        c_.push_back(state(input::initial_c, d, n, j));
      }
    }
    const std::int64_t chunk = s_.chunk > 0 ? s_.chunk : std::max<std::int64_t>(size_.N, 1);
    std::vector<Params> first_params;
    for (std::int64_t step = 0; step < longest_; ++step) {
      const Params of_x = params_of_x(d, step);
      const Floats before = h_;
      std::vector<Params> of_h;
      for (std::int64_t n = 0; n < size_.N; n += chunk) {
        of_h.push_back(params_of_h(step, n, std::min(size_.N, n + chunk)));
      }
      if (step == 0) first_params = of_h;
      if (s_.H_range_of_first_step) of_h = first_params;
      for (std::int64_t n = 0; n < size_.N; ++n) {
        if (step >= length(n)) continue;
        const std::int64_t t = reversed(d) ? length(n) - 1 - step : step;
        const auto begin = before.begin() + static_cast<std::ptrdiff_t>(at(n, 0));
        cell(d, t, n, of_x, of_h[static_cast<std::size_t>(n / chunk)], Floats(begin, begin + size_.H));
        for (std::int64_t j = 0; j < size_.H; ++j) Y.set_value({t, d, n, j}, h_[at(n, j)]);
      }
    }
  }

  void cell(std::int64_t d, std::int64_t t, std::int64_t n, const Params& of_x, const Params& of_h, const Floats& h) {
    Floats xt;
    for (std::int64_t k = 0; k < size_.I; ++k) xt.push_back(x(t, n, k));
    const auto sum = [&](std::int64_t column) -> double {
      const float Wb = bias(d, column), Rb = s_.drops_Rb ? 0 : bias(d, 4 * size_.H + column);
      if (s_.biases_first) {
        return product(input::W, xt, of_x, s_.quantises_X, d, column, Wb) +
               product(input::R, h, of_h, s_.quantises_H, d, column, Rb);
      }
      const float from_x = product(input::W, xt, of_x, s_.quantises_X, d, column, 0);
      return product(input::R, h, of_h, s_.quantises_H, d, column, from_x) + (Wb + Rb);
    };
    std::vector<double> C;
    for (std::int64_t j = 0; j < size_.H; ++j)
      C.push_back(s_.quantises_C ? std::nearbyint(c_[at(n, j)] * 127) / 127 : c_[at(n, j)]);
    const std::vector<double> H = lstm_step(p_, d, sum, C, s_.fault);
    std::ranges::copy(C, c_.begin() + static_cast<std::ptrdiff_t>(at(n, 0)));
    std::ranges::copy(H, h_.begin() + static_cast<std::ptrdiff_t>(at(n, 0)));
  }

  const Problem& p_;
  const KernelStyle& s_;
  Dimensions size_;
  std::vector<std::int64_t> lengths_;
  std::int64_t longest_ = 0;
  Floats h_, c_;  ///< [N][H]
};

}  // namespace

std::vector<std::optional<Tensor>> run_kernel(const Problem& problem, const KernelStyle& style) {
  return Run(problem, style).outputs();
}

}  // namespace cellproof::oracle::testing
