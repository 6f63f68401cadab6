#include "optimized/node/testing/equations.hpp"

#include <cstddef>
#include <utility>

namespace cellproof::node::testing {
namespace {

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// One sequence in one direction.
class Walk {
 public:
  Walk(const Numbers& numbers, std::int64_t d, std::int64_t n)
      : s_(numbers), d_(d), n_(n), h_(index(s_.H)), c_(index(s_.H)) {
    for (std::int64_t j = 0; j < s_.H; ++j) {
      if (!s_.h0.empty()) h_[index(j)] = s_.h0[state(j)];
      if (!s_.c0.empty()) c_[index(j)] = s_.c0[state(j)];
    }
  }

  void write(Results& out) {
    const std::int64_t length = s_.lengths.empty() ? s_.T : s_.lengths[index(n_)];
    const bool backwards = s_.reverse || d_ == 1;
    for (std::int64_t s = 0; s < length; ++s) {
      const std::int64_t t = backwards ? length - 1 - s : s;
      take_step(t);
      for (std::int64_t j = 0; j < s_.H; ++j) out.Y[y(t, j)] = h_[index(j)];
    }
    for (std::int64_t j = 0; j < s_.H; ++j) {
      out.Y_h[state(j)] = h_[index(j)];
      if (s_.op == CELLPROOF_LSTM) out.Y_c[state(j)] = c_[index(j)];
    }
  }

 private:
  std::size_t state(std::int64_t j) const {
    return index((s_.batch_first ? n_ * s_.D + d_ : d_ * s_.N + n_) * s_.H + j);
  }
  std::size_t y(std::int64_t t, std::int64_t j) const {
    return index((s_.batch_first ? (n_ * s_.T + t) * s_.D + d_ : (t * s_.D + d_) * s_.N + n_) * s_.H + j);
  }
  double bias(std::int64_t row, std::int64_t j) const {
    return s_.B.empty() ? 0 : s_.B[index((d_ * 2 * s_.gates() + row) * s_.H + j)];
  }
  /// X_t * W_g^T + Wb_g of a unit, and H * R_g^T + Rb_g.
  double of_x(std::int64_t g, std::int64_t j, std::int64_t t) const {
    const std::int64_t row = (d_ * s_.gates() + g) * s_.H + j;
    double sum = bias(g, j);
    for (std::int64_t k = 0; k < s_.I; ++k)
      sum += s_.W[index(row * s_.I + k)] * s_.X[index((s_.batch_first ? n_ * s_.T + t : t * s_.N + n_) * s_.I + k)];
    return sum;
  }
  double of_h(std::int64_t g, std::int64_t j, const std::vector<double>& h) const {
    const std::int64_t row = (d_ * s_.gates() + g) * s_.H + j;
    double sum = bias(s_.gates() + g, j);
    for (std::int64_t k = 0; k < s_.H; ++k) sum += s_.R[index(row * s_.H + k)] * h[index(k)];
    return sum;
  }
  double peephole(std::int64_t g, std::int64_t j) const {
    return s_.P.empty() ? 0 : s_.P[index((d_ * 3 + g) * s_.H + j)];
  }
  double clipped(double x) const { return x > s_.clip ? s_.clip : x < -s_.clip ? -s_.clip : x; }
  double sigmoid(double x) const { return 1 / (1 + std::exp(-clipped(x))); }
  double tanh(double x) const { return std::tanh(clipped(x)); }

  void take_step(std::int64_t t) {
    const auto gate = [&](std::int64_t g, std::int64_t j) { return of_x(g, j, t) + of_h(g, j, h_); };
    std::vector<double> next(h_.size()), reset(h_.size());
    if (s_.op == CELLPROOF_GRU)
      for (std::int64_t j = 0; j < s_.H; ++j) reset[index(j)] = sigmoid(gate(1, j)) * h_[index(j)];
    for (std::int64_t j = 0; j < s_.H; ++j) {
      double& c = c_[index(j)];
      if (s_.op == CELLPROOF_RNN) {
        next[index(j)] = s_.is_relu ? std::fmax(clipped(gate(0, j)), 0.0) : tanh(gate(0, j));
      } else if (s_.op == CELLPROOF_GRU) {  // z r h
        const double z = sigmoid(gate(0, j));
        const double inner = s_.linear_before_reset ? sigmoid(gate(1, j)) * of_h(2, j, h_) : of_h(2, j, reset);
        next[index(j)] = (1 - z) * tanh(of_x(2, j, t) + inner) + z * h_[index(j)];
      } else {  // i o f c
        const double i = sigmoid(gate(0, j) + peephole(0, j) * c);
        const double f = s_.input_forget ? 1 - i : sigmoid(gate(2, j) + peephole(2, j) * c);
        c = f * c + i * tanh(gate(3, j));
        next[index(j)] = sigmoid(gate(1, j) + peephole(1, j) * c) * tanh(c);
      }
    }
    h_ = std::move(next);
  }

  const Numbers& s_;
  std::int64_t d_, n_;
  std::vector<double> h_, c_;
};

}  // namespace

Results by_the_equations(const Numbers& numbers) {
  const std::size_t states = index(numbers.D * numbers.N * numbers.H);
  Results out{std::vector<double>(index(numbers.T) * states), std::vector<double>(states),
              std::vector<double>(numbers.op == CELLPROOF_LSTM ? states : 0)};
  for (std::int64_t d = 0; d < numbers.D; ++d)
    for (std::int64_t n = 0; n < numbers.N; ++n) Walk(numbers, d, n).write(out);
  return out;
}

}  // namespace cellproof::node::testing
