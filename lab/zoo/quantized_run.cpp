#include "lab/zoo/quantized_run.hpp"

#include <algorithm>
#include <cmath>

#include "lab/zoo/honest_cell.hpp"
#include "lab/zoo/plain_outputs.hpp"

namespace cellproof::lab::zoo {
namespace {

constexpr float largest_code = 255;

/// NaN becomes `least`.
float within(float x, float least, float greatest) {
  return x > least ? std::min(x, greatest) : least;
}

/// Codes for numbers of a range, and what they stand for: scale * (code - zero point).
class Coder {
 public:
  Coder(float least, float greatest, const Quantisation& way) : way_(way) {
    if (least == greatest) return;
    scale_ = way.scale_by_reciprocal ? (greatest - least) * (1 / largest_code) : (greatest - least) / largest_code;
    reciprocal_ = 1 / scale_;
    zero_point_ = std::nearbyint(within(quotient(-least), 0, largest_code));
  }

  float scale() const { return scale_; }

  /// The code of a number, the zero point subtracted.
  std::int64_t digit(float x) const {
    const float q = quotient(x);
    if (way_.zero_point_first) {
      return static_cast<std::int64_t>(std::nearbyint(within(q + zero_point_, 0, largest_code)) - zero_point_);
    }
    return static_cast<std::int64_t>(std::nearbyint(within(q, -zero_point_, largest_code - zero_point_)));
  }

 private:
  /// No honest engine takes the reciprocal of a scale that is so small that its reciprocal is infinite.
  float quotient(float x) const {
    return way_.values_by_reciprocal && std::isfinite(reciprocal_) ? x * reciprocal_ : x / scale_;
  }

  Quantisation way_;
  float scale_ = 1, reciprocal_ = 1, zero_point_ = 0;
};

/// The numbers that are quantised together: their extremes, and 0.
class Extremes {
 public:
  void take(float x) {
    least_ = std::min(least_, x);
    greatest_ = std::max(greatest_, x);
  }
  Coder coder(const Quantisation& way) const { return {least_, greatest_, way}; }

 private:
  float least_ = 0, greatest_ = 0;
};

/// Product of each row of weights with a vector: an exact sum of integers, and the two scales.
void multiply(const QuantizedMatrix& matrix, const float* vector, const Coder& coder, const Quantisation& way,
              std::vector<ScaledSum<float>>& sums) {
  sums.resize(matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < matrix.columns; ++k)
      sum += coder.digit(vector[k]) * (matrix.codes[k * matrix.rows + row] - matrix.zero_points[row]);
    const auto rounded = static_cast<float>(sum);
    sums[row] = way.scaled_apart ? ScaledSum<float>{rounded * coder.scale(), matrix.scales[row]}
                                 : ScaledSum<float>{rounded, coder.scale() * matrix.scales[row]};
  }
}

class OneDirection {
 public:
  OneDirection(const QuantizedNode& whole, std::size_t d, const Style& style, std::uint64_t seed)
      : whole_(whole),
        node_(whole.lstm),
        direction_(node_.directions[d]),
        d_(d),
        way_(quantisation_of(seed)),
        cell_(node_, direction_, style, seed + 2 * d),
        x_(cell_.kept({node_.X.begin(), node_.X.end()})),
        h_(cell_.kept({direction_.h.begin(), direction_.h.end()})),
        c_(cell_.kept({direction_.c.begin(), direction_.c.end()})) {}

  void run(PlainOutputs& outputs) {
    std::size_t longest = 0;
    for (const std::size_t length : node_.lengths) longest = std::max(longest, length);
    Extremes block;
    std::for_each_n(x_.begin(), longest * node_.N * node_.I, [&](float x) { block.take(x); });
    const Coder of_x = block.coder(way_);
    for (std::size_t step = 0; step < longest; ++step) {
      const Coder of_h = states_before(step).coder(way_);
      for (std::size_t n = 0; n < node_.N; ++n) {
        if (step >= node_.lengths[n]) continue;
        const std::size_t t = direction_.reverse ? node_.lengths[n] - 1 - step : step;
        take_step(t, n, of_x, of_h);
        std::copy_n(h_.begin() + at(n), node_.H, outputs.y(node_, t, d_, n));
      }
    }
    for (std::size_t n = 0; n < node_.N; ++n) {
      std::copy_n(h_.begin() + at(n), node_.H, outputs.h(node_, d_, n));
      std::copy_n(c_.begin() + at(n), node_.H, outputs.c(node_, d_, n));
    }
  }

 private:
  std::ptrdiff_t at(std::size_t n) const { return static_cast<std::ptrdiff_t>(n * node_.H); }

  Extremes states_before(std::size_t step) const {
    Extremes states;
    for (std::size_t n = 0; n < node_.N; ++n) {
      if (step > node_.lengths[n] && whole_.Y_is_asked_for) continue;
      std::for_each_n(h_.begin() + at(n), node_.H, [&](float h) { states.take(h); });
    }
    return states;
  }

  void take_step(std::size_t t, std::size_t n, const Coder& of_x, const Coder& of_h) {
    const QuantizedDirection& matrices = whole_.directions[d_];
    multiply(matrices.W, x_.data() + (t * node_.N + n) * node_.I, of_x, way_, from_x_);
    multiply(matrices.R, h_.data() + at(n), of_h, way_, from_h_);
    std::vector<float> h(h_.begin() + at(n), h_.begin() + at(n + 1)), c(c_.begin() + at(n), c_.begin() + at(n + 1));
    cell_.step_from_sums(from_x_, from_h_, h, c);
    std::ranges::copy(h, h_.begin() + at(n));
    std::ranges::copy(c, c_.begin() + at(n));
  }

  const QuantizedNode& whole_;
  const fuzz::ResolvedNode& node_;
  const fuzz::ResolvedDirection& direction_;
  std::size_t d_;
  Quantisation way_;
  HonestCell<float> cell_;
  std::vector<float> x_, h_, c_;
  std::vector<ScaledSum<float>> from_x_, from_h_;
};

}  // namespace

Quantisation quantisation_of(std::uint64_t seed) {
  const std::uint64_t bits = (seed + 1) * 0x9E3779B97F4A7C15ull >> 60;
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

PlainOutputs run_quantized(const QuantizedNode& node, const Style& style, std::uint64_t seed) {
  PlainOutputs outputs(node.lstm);
  for (std::size_t d = 0; d < node.directions.size(); ++d) OneDirection(node, d, style, seed).run(outputs);
  return outputs;
}

}  // namespace cellproof::lab::zoo
