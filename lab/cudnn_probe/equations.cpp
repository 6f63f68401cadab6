#include "lab/cudnn_probe/equations.hpp"

#include <cmath>

namespace cellproof::cudnn::probe {
namespace {

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// One sequence in one direction.
class Walk {
 public:
  Walk(const Sample& sample, std::int64_t d, std::int64_t n)
      : s_(sample), d_(d), n_(n), h_(index(s_.H)), c_(index(s_.H)) {
    for (std::int64_t j = 0; j < s_.H; ++j) {
      if (!s_.h0.empty()) h_[index(j)] = s_.h0[state(j)];
      if (!s_.c0.empty()) c_[index(j)] = s_.c0[state(j)];
    }
  }

  void write(std::array<std::vector<double>, 3>& out) {
    const std::int64_t length = s_.lengths.empty() ? s_.T : s_.lengths[index(n_)];
    const bool backwards = s_.reverse || d_ == 1;
    for (std::int64_t s = 0; s < length; ++s) {
      const std::int64_t t = backwards ? length - 1 - s : s;
      take_step(t);
      for (std::int64_t j = 0; j < s_.H; ++j) out[0][y(t, j)] = h_[index(j)];
    }
    for (std::int64_t j = 0; j < s_.H; ++j) {
      out[1][state(j)] = h_[index(j)];
      if (s_.op == CELLPROOF_LSTM) out[2][state(j)] = c_[index(j)];
    }
  }

 private:
  std::size_t state(std::int64_t j) const {
    return index((s_.batch_first ? n_ * s_.D + d_ : d_ * s_.N + n_) * s_.H + j);
  }
  std::size_t y(std::int64_t t, std::int64_t j) const {
    return index((s_.batch_first ? (n_ * s_.T + t) * s_.D + d_ : (t * s_.D + d_) * s_.N + n_) * s_.H + j);
  }
  /// X_t * W_g^T + Wb_g of a unit, and H * R_g^T + Rb_g.
  double of_x(std::int64_t g, std::int64_t j, std::int64_t t) const {
    const std::int64_t G = s_.gates(), row = (d_ * G + g) * s_.H + j;
    double sum = s_.B.empty() ? 0 : s_.B[index((d_ * 2 * G + g) * s_.H + j)];
    for (std::int64_t k = 0; k < s_.I; ++k)
      sum += s_.W[index(row * s_.I + k)] * s_.X[index((s_.batch_first ? n_ * s_.T + t : t * s_.N + n_) * s_.I + k)];
    return sum;
  }
  double of_h(std::int64_t g, std::int64_t j) const {
    const std::int64_t G = s_.gates(), row = (d_ * G + g) * s_.H + j;
    double sum = s_.B.empty() ? 0 : s_.B[index((d_ * 2 * G + G + g) * s_.H + j)];
    for (std::int64_t k = 0; k < s_.H; ++k) sum += s_.R[index(row * s_.H + k)] * h_[index(k)];
    return sum;
  }

  void take_step(std::int64_t t) {
    std::vector<double> next(h_.size());
    for (std::int64_t j = 0; j < s_.H; ++j) {
      const auto gate = [&](std::int64_t g) { return of_x(g, j, t) + of_h(g, j); };
      double& c = c_[index(j)];
      if (s_.op == CELLPROOF_RNN) {
        next[index(j)] = s_.is_relu ? std::fmax(gate(0), 0.0) : std::tanh(gate(0));
      } else if (s_.op == CELLPROOF_GRU) {  // z r h
        const double z = sigmoid(gate(0)), r = sigmoid(gate(1));
        next[index(j)] = (1 - z) * std::tanh(of_x(2, j, t) + r * of_h(2, j)) + z * h_[index(j)];
      } else {  // i o f c
        c = sigmoid(gate(2)) * c + sigmoid(gate(0)) * std::tanh(gate(3));
        next[index(j)] = sigmoid(gate(1)) * std::tanh(c);
      }
    }
    h_ = std::move(next);
  }

  const Sample& s_;
  std::int64_t d_, n_;
  std::vector<double> h_, c_;
};

}  // namespace

std::array<std::vector<double>, 3> by_the_equations(const Sample& s) {
  const std::size_t states = index(s.D * s.N * s.H);
  std::array<std::vector<double>, 3> out{std::vector<double>(index(s.T) * states), std::vector<double>(states),
                                         std::vector<double>(s.op == CELLPROOF_LSTM ? states : 0)};
  for (std::int64_t d = 0; d < s.D; ++d)
    for (std::int64_t n = 0; n < s.N; ++n) Walk(s, d, n).write(out);
  return out;
}

}  // namespace cellproof::cudnn::probe
