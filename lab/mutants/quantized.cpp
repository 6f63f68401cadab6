#include "lab/mutants/quantized.hpp"

#include <algorithm>
#include <cmath>

#include "lab/mutants/faulty_cell.hpp"
#include "lab/mutants/with_bits.hpp"
#include "lab/zoo/plain_outputs.hpp"

namespace cellproof::lab::mutants {
namespace {

/// `low` for NaN.
float bounded(float value, float low, float high) {
  return value > low ? std::min(value, high) : low;
}

/// real = scale * (code - zero point), fitted to a range.
class Codes {
 public:
  Codes(float low, float high, const Faults& faults) : faults_(&faults) {
    if (low == high) return;
    if (faults.codes_are_symmetric) {
      least_ = -127;
      greatest_ = 127;
      scale_ = std::max(-low, high) / 127.0F;
      return;
    }
    scale_ = with_bits((high - low) / faults.steps_of_range, faults.scale_bits);
    zero_point_ = std::nearbyint(bounded(-low / scale_, 0.0F, 255.0F));
  }

  float scale() const { return scale_; }
  int zero_point() const { return static_cast<int>(zero_point_); }
  /// Factor that a value becomes in a product: its code, from which the zero point has been subtracted.
  int digit(float value) const {
    const float code = bounded(value / scale_, least_ - zero_point_, greatest_ - zero_point_);
    const float whole = faults_->codes_are_cut_off ? std::trunc(code)
                        : faults_->ties_away       ? std::round(code)
                                                   : std::nearbyint(code);
    return static_cast<int>(faults_->zero_points_of_codes_ignored ? whole + zero_point_ : whole);
  }

 private:
  const Faults* faults_;
  float scale_ = 1, zero_point_ = 0, least_ = 0, greatest_ = 255;
};

/// The smallest and the largest of some numbers and 0.
class Range {
 public:
  explicit Range(const Faults& faults) : faults_(faults), is_empty_(faults.range_may_lack_zero) {}
  void add(float value) {
    if (is_empty_) low_ = high_ = value;
    is_empty_ = false;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  Codes codes() const { return {low_, high_, faults_}; }

 private:
  const Faults& faults_;
  float low_ = 0, high_ = 0;
  bool is_empty_;
};

/// Two products of unsigned with signed bytes, added as the byte instruction of SSSE3 and AVX2 adds them: what 16 bits
/// do not hold is lost.
int lost_of_pairs(const QuantizedMatrix& matrix, const float* v, const Codes& codes, std::size_t row) {
  int lost = 0;
  for (std::size_t k = 0; k + 1 < matrix.columns; k += 2) {
    int pair = 0;
    for (const std::size_t i : {k, k + 1})
      pair += (codes.digit(v[i]) + codes.zero_point()) * matrix.codes[i * matrix.rows + row];
    lost += pair - std::clamp(pair, -32768, 32767);
  }
  return lost;
}

std::vector<float> product(const QuantizedMatrix& matrix, const float* v, const Codes& codes, const Faults& faults) {
  const int bits = faults.scaled_product_bits;
  std::vector<float> result(matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    int sum = faults.pairs_of_products_saturate && matrix.codes_are_signed ? -lost_of_pairs(matrix, v, codes, row) : 0;
    for (std::size_t k = 0; k < matrix.columns; ++k) {
      sum += codes.digit(v[k]) * (matrix.codes[k * matrix.rows + row] - matrix.zero_points[row]);
    }
    result[row] = with_bits(static_cast<float>(sum) * (codes.scale() * matrix.scales[row]), bits);
  }
  return result;
}

class DirectionRun {
 public:
  DirectionRun(const QuantizedNode& node, std::size_t d, const Faults& faults)
      : whole_(node), node_(node.lstm), d_(d), faults_(faults), cell_(node.lstm, node.lstm.directions[d], faults) {
    x_.assign(node_.X.begin(), node_.X.end());
  }

  void run(PlainOutputs& outputs) {
    for (std::size_t n = 0; n < node_.N; ++n) start(n, outputs);
    const std::size_t longest = node_.lengths.empty() ? 0 : *std::ranges::max_element(node_.lengths);
    const Codes of_x = range_of_x(longest).codes(), of_first_h = range_of_h(0).codes();
    for (std::size_t step = 0; step < longest; ++step) {
      const auto reset = static_cast<std::size_t>(faults_.resets_every);
      for (std::size_t n = 0; reset > 0 && step > 0 && step % reset == 0 && n < node_.N; ++n)
        if (step < node_.lengths[n]) start(n, outputs);
      const Codes of_h = faults_.range_of_first_h ? of_first_h : range_of_h(step).codes();
      for (std::size_t n = 0; n < node_.N; ++n) {
        if (step < node_.lengths[n]) advance(step, n, of_x, of_h, outputs);
      }
    }
    for (std::size_t n = 0; n < node_.N; ++n) {
      std::ranges::copy(h_[n], outputs.h(node_, d_, n));
      std::ranges::copy(c_[n], outputs.c(node_, d_, n));
    }
    if (faults_.padding_is_computed) go_on_in_padding(of_x, outputs);
  }

 private:
  /// Puts the sequence's initial state in h and c.
  void start(std::size_t n, PlainOutputs& outputs) {
    h_.resize(node_.N);
    c_.resize(node_.N);
    if (faults_.directions_are_chained && d_ == 1) {
      const double *h = outputs.h(node_, 0, n), *c = outputs.c(node_, 0, n);
      h_[n].assign(h, h + node_.H);
      c_[n].assign(c, c + node_.H);
      return;
    }
    const ResolvedDirection& direction = node_.directions[d_];
    const auto first = static_cast<std::ptrdiff_t>(n * node_.H), last = first + static_cast<std::ptrdiff_t>(node_.H);
    h_[n].assign(direction.h.begin() + first, direction.h.begin() + last);
    c_[n].assign(direction.c.begin() + first, direction.c.begin() + last);
  }

  Range range_of_x(std::size_t longest) const {
    Range block(faults_);
    for (std::size_t t = 0; t < longest; ++t) {
      for (std::size_t n = 0; n < node_.N; ++n) {
        if (faults_.range_lacks_padding && t >= node_.lengths[n]) continue;
        for (std::size_t k = 0; k < node_.I; ++k) block.add(x_[(t * node_.N + n) * node_.I + k]);
      }
    }
    return block;
  }

  /// The kernel that everybody has looks into Y for the states before: a sequence that has ended is found there once
  /// more, then zeros. Without Y it looks at the last states.
  Range range_of_h(std::size_t step) const {
    Range range(faults_);
    for (std::size_t n = 0; n < node_.N; ++n) {
      if (step > node_.lengths[n] && whole_.Y_is_asked_for) continue;
      for (const float value : h_[n]) range.add(value);
    }
    return range;
  }

  /// Takes all sequences on to T, after their last states are out.
  void go_on_in_padding(const Codes& of_x, PlainOutputs& outputs) {
    for (std::size_t n = 0; n < node_.N; ++n) {
      for (std::size_t t = node_.lengths[n]; t < node_.T; ++t) {
        Range own(faults_);
        for (const float value : h_[n]) own.add(value);
        take_step(t, t, n, of_x, own.codes());
        std::ranges::copy(h_[n], outputs.y(node_, t, d_, n));
      }
    }
  }

  /// Takes h and c over time t with the input of another.
  void take_step(std::size_t t, std::size_t input_time, std::size_t n, const Codes& of_x, const Codes& of_h) {
    const QuantizedDirection& matrices = whole_.directions[d_];
    const auto from_x = product(matrices.W, x_.data() + (input_time * node_.N + n) * node_.I, of_x, faults_);
    const auto from_h = product(matrices.R, h_[n].data(), of_h, faults_);
    next_h_ = h_[n];
    cell_.step_from_products(t, from_x, from_h, next_h_, c_[n]);
    h_[n] = next_h_;
  }

  void advance(std::size_t step, std::size_t n, const Codes& of_x, const Codes& of_h, PlainOutputs& outputs) {
    const bool reverse = node_.directions[d_].reverse;
    const std::size_t end = reverse && faults_.reverse_takes_last_steps ? node_.T : node_.lengths[n];
    const std::size_t t = reverse ? end - 1 - step : step;
    const std::size_t read = step_read(step, node_.lengths[n]);
    take_step(t, reverse ? end - 1 - read : read, n, of_x, of_h);
    const std::size_t row = reverse && faults_.Y_in_processing_order ? step : t;
    std::ranges::copy(h_[n], outputs.y(node_, row, d_, n));
  }

  std::size_t step_read(std::size_t step, std::size_t length) const {
    const auto read = static_cast<std::ptrdiff_t>(step) - faults_.input_lag;
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(read, 0, static_cast<std::ptrdiff_t>(length) - 1));
  }

  const QuantizedNode& whole_;
  const ResolvedNode& node_;
  std::size_t d_;
  const Faults& faults_;
  FaultyCell<float> cell_;
  std::vector<std::vector<float>> h_, c_;
  std::vector<float> x_, next_h_;
};

}  // namespace

PlainOutputs compute(const QuantizedNode& node, const Faults& faults) {
  PlainOutputs outputs(node.lstm);
  for (std::size_t d = 0; d < node.directions.size(); ++d) DirectionRun(node, d, faults).run(outputs);
  spoil_outputs(node.lstm, faults, outputs);
  return outputs;
}

}  // namespace cellproof::lab::mutants
