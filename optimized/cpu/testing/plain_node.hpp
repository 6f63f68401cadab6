#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "optimized/cpu/testing/node_case.hpp"

namespace cellproof::cpu::testing {

/// The equations of the operators' pages with their default functions, element by element in double: what the paths are
/// compared with here. It knows no tiles, panels or vectors.
template <class Real>
class PlainNode {
 public:
  PlainNode(const Recipe& recipe, const Data<Real>& data) : r_(recipe), data_(data) {}

  Results<double> run() {
    const std::size_t states = r_.D() * r_.N * r_.H;
    Results<double> out{std::vector<double>(r_.T * states), std::vector<double>(states),
                        std::vector<double>(r_.gates() == 4 ? states : 0)};
    for (std::size_t d = 0; d < r_.D(); ++d)
      for (std::size_t n = 0; n < r_.N; ++n) run_sequence(d, n, out);
    return out;
  }

 private:
  using Vector = std::vector<double>;

  std::size_t in_state(std::size_t d, std::size_t n) const {
    return (r_.batch_first ? n * r_.D() + d : d * r_.N + n) * r_.H;
  }

  void run_sequence(std::size_t d, std::size_t n, Results<double>& out) {
    const bool reverse = d == 1 || std::string(r_.direction) == "reverse";
    const std::size_t length = r_.lengths.empty() ? r_.T : static_cast<std::size_t>(r_.lengths[n]);
    Vector h(r_.H), c(r_.H);
    for (std::size_t j = 0; j < r_.H; ++j) {
      if (!data_.initial_h.empty()) h[j] = data_.initial_h[in_state(d, n) + j];
      if (!data_.initial_c.empty()) c[j] = data_.initial_c[in_state(d, n) + j];
    }
    for (std::size_t s = 0; s < length; ++s) {
      const std::size_t t = reverse ? length - 1 - s : s;
      step(d, data_.X.data() + (r_.batch_first ? n * r_.T + t : t * r_.N + n) * r_.I, h, c);
      for (std::size_t j = 0; j < r_.H; ++j)
        out.Y[(r_.batch_first ? (n * r_.T + t) * r_.D() + d : (t * r_.D() + d) * r_.N + n) * r_.H + j] = h[j];
    }
    std::copy(h.begin(), h.end(), out.Y_h.begin() + static_cast<std::ptrdiff_t>(in_state(d, n)));
    if (!out.Y_c.empty()) std::copy(c.begin(), c.end(), out.Y_c.begin() + static_cast<std::ptrdiff_t>(in_state(d, n)));
  }

  double from_x(std::size_t d, std::size_t gate, std::size_t j, const Real* x) const {
    const std::size_t row = (d * r_.gates() + gate) * r_.H + j;
    double sum = bias(d, gate, j);
    for (std::size_t k = 0; k < r_.I; ++k) sum += double(data_.W[row * r_.I + k]) * x[k];
    return sum;
  }
  double from_h(std::size_t d, std::size_t gate, std::size_t j, const Vector& h) const {
    const std::size_t row = (d * r_.gates() + gate) * r_.H + j;
    double sum = bias(d, r_.gates() + gate, j);
    for (std::size_t k = 0; k < r_.H; ++k) sum += double(data_.R[row * r_.H + k]) * h[k];
    return sum;
  }
  double bias(std::size_t d, std::size_t row, std::size_t j) const {
    return data_.B.empty() ? 0 : data_.B[(d * 2 * r_.gates() + row) * r_.H + j];
  }
  double peephole(std::size_t d, std::size_t i, std::size_t j) const {
    return data_.P.empty() ? 0 : data_.P[(d * 3 + i) * r_.H + j];
  }
  double clipped(double x) const { return r_.clip < 0 ? x : std::clamp(x, -r_.clip, r_.clip); }
  double sigmoid(double x) const { return 1 / (1 + std::exp(-clipped(x))); }
  double tanh(double x) const { return std::tanh(clipped(x)); }

  void step(std::size_t d, const Real* x, Vector& h, Vector& c) const {
    const Vector before = h;
    const auto sum = [&](std::size_t gate, std::size_t j) {
      return from_x(d, gate, j, x) + from_h(d, gate, j, before);
    };
    if (r_.op == CELLPROOF_RNN) {
      for (std::size_t j = 0; j < r_.H; ++j) h[j] = tanh(sum(0, j));
    } else if (r_.op == CELLPROOF_GRU) {
      Vector reset(r_.H);
      for (std::size_t j = 0; j < r_.H; ++j) reset[j] = sigmoid(sum(1, j)) * before[j];
      for (std::size_t j = 0; j < r_.H; ++j) {
        const double z = sigmoid(sum(0, j)), inner = from_x(d, 2, j, x);
        const double g = tanh(
            inner + (r_.linear_before_reset ? sigmoid(sum(1, j)) * from_h(d, 2, j, before) : from_h(d, 2, j, reset)));
        h[j] = (1 - z) * g + z * before[j];
      }
    } else {
      for (std::size_t j = 0; j < r_.H; ++j) {
        const double i = sigmoid(sum(0, j) + peephole(d, 0, j) * c[j]);
        const double f = r_.input_forget ? 1 - i : sigmoid(sum(2, j) + peephole(d, 2, j) * c[j]);
        c[j] = f * c[j] + i * tanh(sum(3, j));
        h[j] = sigmoid(sum(1, j) + peephole(d, 1, j) * c[j]) * tanh(c[j]);
      }
    }
  }

  const Recipe& r_;
  const Data<Real>& data_;
};

}  // namespace cellproof::cpu::testing
