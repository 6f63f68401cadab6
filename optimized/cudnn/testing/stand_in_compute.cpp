#include <array>
#include <cmath>
#include <limits>

#include "optimized/cudnn/testing/elements.hpp"
#include "optimized/cudnn/testing/stand_in_state.hpp"

namespace cellproof::cudnn::testing {
namespace {

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

/// One sequence in one direction.
class Sequence {
 public:
  Sequence(const Forward& forward, std::size_t layer, std::size_t n)
      : f_(forward), rnn_(forward.rnn), layer_(layer), n_(n), H_(static_cast<std::size_t>(rnn_.H)), h_(H_), c_(H_) {
    for (std::size_t j = 0; j < H_; ++j) {
      if (f_.hx) h_[j] = element_at(f_.hx, state(j), rnn_.type);
      if (f_.cx) c_[j] = element_at(f_.cx, state(j), rnn_.type);
    }
  }

  void run() {
    const auto length = static_cast<std::size_t>(f_.x_data.lengths[n_]);
    // The second direction starts at the sequence's own end.
    for (std::size_t s = 0; s < length; ++s) step(layer_ == 1 ? length - 1 - s : s);
    for (std::size_t j = 0; j < H_; ++j) {
      if (f_.hy) set_element(f_.hy, state(j), rnn_.type, h_[j]);
      if (f_.cy) set_element(f_.cy, state(j), rnn_.type, c_[j]);
    }
  }

 private:
  std::size_t state(std::size_t j) const { return (layer_ * static_cast<std::size_t>(f_.x_data.N) + n_) * H_ + j; }
  std::size_t place(std::size_t t) const {
    const auto T = static_cast<std::size_t>(f_.x_data.T), N = static_cast<std::size_t>(f_.x_data.N);
    return f_.x_data.layout == layout::batch_first ? n_ * T + t : t * N + n_;
  }
  double weight(std::size_t i) const { return element_at(f_.weights, i, rnn_.type); }
  double bias(std::size_t id, std::size_t j) const {
    return rnn_.bias == bias::none ? 0 : weight(bias_at(rnn_, layer_, id) + j);
  }

  /// A number after its wait in memory of the layer's own type.
  double stored(double value) const {
    if (!stand_in().stores_products) return value;
    std::array<char, sizeof(double)> memory{};
    set_element(memory.data(), 0, rnn_.type, value);
    return element_at(memory.data(), 0, rnn_.type);
  }

  /// W x + bW of part `id`, or R h + bR.
  double input(std::size_t id, std::size_t j, std::size_t t) const {
    const auto I = static_cast<std::size_t>(rnn_.I);
    double sum = bias(id, j);
    for (std::size_t k = 0; k < I; ++k)
      sum += weight(matrix_at(rnn_, layer_, id) + j * I + k) * element_at(f_.x, place(t) * I + k, rnn_.type);
    return stored(sum);
  }
  double recurrent(std::size_t id, std::size_t j) const {
    const std::size_t part = rnn_.gates() + id;
    double sum = bias(part, j);
    for (std::size_t k = 0; k < H_; ++k) sum += weight(matrix_at(rnn_, layer_, part) + j * H_ + k) * h_[k];
    return sum;
  }

  double unit(std::size_t j, std::size_t t) {
    const auto gate = [&](std::size_t id) { return input(id, j, t) + recurrent(id, j); };
    if (rnn_.cell == cell::relu) {
      const double sum = gate(0);
      return sum < 0 ? 0 : sum;  // a NaN stays one
    }
    if (rnn_.cell == cell::tanh) return std::tanh(gate(0));
    if (rnn_.cell == cell::lstm) {
      const double i = logistic(gate(0)), f = logistic(gate(1)), g = std::tanh(gate(2)), o = logistic(gate(3));
      c_[j] = f * c_[j] + i * g;
      return o * std::tanh(c_[j]);
    }
    const double r = logistic(gate(0)), i = logistic(gate(1));
    const double candidate = std::tanh(r * recurrent(2, j) + input(2, j, t));
    return (1 - i) * candidate + i * h_[j];
  }

  void step(std::size_t t) {
    std::vector<double> next(H_);
    for (std::size_t j = 0; j < H_; ++j) next[j] = unit(j, t);
    for (std::size_t j = 0; j < H_; ++j) {
      const std::size_t at = (place(t) * rnn_.layers() + layer_) * H_ + j;
      set_element(f_.y, at, rnn_.type, next[j]);
      h_[j] = element_at(f_.y, at, rnn_.type);  // the state is stored in its own type
    }
  }

  const Forward& f_;
  const Rnn& rnn_;
  std::size_t layer_, n_, H_;
  std::vector<double> h_, c_;
};

}  // namespace

std::size_t weights_of(const Rnn& rnn) {
  const auto I = static_cast<std::size_t>(rnn.I), H = static_cast<std::size_t>(rnn.H);
  return rnn.layers() * rnn.gates() * H * (I + H + (rnn.bias == bias::both ? 2 : 0)) +
         static_cast<std::size_t>(stand_in().weights_shift);
}

std::size_t matrix_at(const Rnn& rnn, std::size_t layer, std::size_t id) {
  const auto I = static_cast<std::size_t>(rnn.I), H = static_cast<std::size_t>(rnn.H);
  std::size_t at = static_cast<std::size_t>(stand_in().weights_shift);
  for (std::size_t before = 0; before < layer; ++before) at += rnn.gates() * H * (I + H);
  for (std::size_t before = 0; before < id; ++before) at += H * (before < rnn.gates() ? I : H);
  return at;
}

std::size_t bias_at(const Rnn& rnn, std::size_t layer, std::size_t id) {
  const auto H = static_cast<std::size_t>(rnn.H);
  return matrix_at(rnn, rnn.layers(), 0) + (layer * 2 * rnn.gates() + id) * H;
}

void compute(const Forward& forward) {
  const Rnn& rnn = forward.rnn;
  const RnnData& x = forward.x_data;
  const std::size_t N = static_cast<std::size_t>(x.N), T = static_cast<std::size_t>(x.T);
  const double padding = x.fills ? x.fill : std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < T * N * rnn.layers() * static_cast<std::size_t>(rnn.H); ++i)
    set_element(forward.y, i, rnn.type, padding);
  for (std::size_t layer = 0; layer < rnn.layers(); ++layer)
    for (std::size_t n = 0; n < N; ++n) Sequence(forward, layer, n).run();
}

}  // namespace cellproof::cudnn::testing
