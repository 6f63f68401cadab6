#include "engines/mutants/quantized.hpp"

#include <algorithm>
#include <cmath>

#include "engines/mutants/faulty_cell.hpp"

namespace cellproof::engines::mutants {
namespace {

/// `low` for NaN.
float bounded(float value, float low, float high) {
  return value > low ? std::min(value, high) : low;
}

/// real = scale * (code - zero point), fitted to a range that holds 0.
struct Codes {
  float scale = 1;
  float zero_point = 0;

  void fit(float low, float high) {
    if (low == high) return;
    scale = (high - low) / 255.0F;
    zero_point = std::nearbyint(bounded(-low / scale, 0.0F, 255.0F));
  }
  int digit(float value, bool ties_away) const {
    const float steps = bounded(value / scale, -zero_point, 255.0F - zero_point);
    return static_cast<int>(ties_away ? std::round(steps) : std::nearbyint(steps));
  }
};

/// The smallest and the largest of some numbers and 0.
struct Range {
  float low = 0, high = 0;
  void add(float value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Codes codes() const {
    Codes result;
    result.fit(low, high);
    return result;
  }
};

std::vector<float> product(const QuantizedMatrix& matrix, const float* v, const Codes& codes, bool ties_away) {
  std::vector<float> result(matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    int sum = 0;
    for (std::size_t k = 0; k < matrix.columns; ++k) {
      sum += codes.digit(v[k], ties_away) * (matrix.codes[k * matrix.rows + row] - matrix.zero_points[row]);
    }
    result[row] = static_cast<float>(sum) * (codes.scale * matrix.scales[row]);
  }
  return result;
}

class DirectionRun {
 public:
  DirectionRun(const QuantizedNode& node, std::size_t d, const Faults& faults)
      : whole_(node), node_(node.lstm), d_(d), faults_(faults), cell_(node.lstm, node.lstm.directions[d], faults) {
    const PlainDirection& direction = node_.directions[d];
    for (std::size_t n = 0; n < node_.N; ++n) {
      const auto first = static_cast<std::ptrdiff_t>(n * node_.H), last = first + static_cast<std::ptrdiff_t>(node_.H);
      h_.emplace_back(direction.h.begin() + first, direction.h.begin() + last);
      c_.emplace_back(direction.c.begin() + first, direction.c.begin() + last);
    }
    x_.assign(node_.X.begin(), node_.X.end());
  }

  void run(PlainOutputs& outputs) {
    const std::size_t longest = node_.lengths.empty() ? 0 : *std::ranges::max_element(node_.lengths);
    Range block;
    for (std::size_t k = 0; k < longest * node_.N * node_.I; ++k) block.add(x_[k]);
    for (std::size_t step = 0; step < longest; ++step) {
      const Codes of_h = range_of_h(step).codes();
      for (std::size_t n = 0; n < node_.N; ++n) {
        if (step < node_.lengths[n]) advance(step, n, block.codes(), of_h, outputs);
      }
    }
    for (std::size_t n = 0; n < node_.N; ++n) {
      std::ranges::copy(h_[n], outputs.h(node_, d_, n));
      std::ranges::copy(c_[n], outputs.c(node_, d_, n));
    }
  }

 private:
  /// The kernel that everybody has looks into Y for the states before: a sequence that has ended is found there once
  /// more, then zeros. Without Y it looks at the last states.
  Range range_of_h(std::size_t step) const {
    Range range;
    for (std::size_t n = 0; n < node_.N; ++n) {
      if (step > node_.lengths[n] && whole_.Y_is_asked_for) continue;
      for (const float value : h_[n]) range.add(value);
    }
    return range;
  }

  void advance(std::size_t step, std::size_t n, const Codes& of_x, const Codes& of_h, PlainOutputs& outputs) {
    const bool reverse = node_.directions[d_].reverse;
    const std::size_t t = reverse ? node_.lengths[n] - 1 - step : step;
    const QuantizedDirection& matrices = whole_.directions[d_];
    const auto from_x = product(matrices.W, x_.data() + (t * node_.N + n) * node_.I, of_x, faults_.ties_away);
    const auto from_h = product(matrices.R, h_[n].data(), of_h, faults_.ties_away);
    next_h_ = h_[n];
    cell_.step_from_products(t, from_x, from_h, next_h_, c_[n]);
    h_[n] = next_h_;
    const std::size_t row = reverse && faults_.Y_in_processing_order ? step : t;
    std::ranges::copy(h_[n], outputs.y(node_, row, d_, n));
  }

  const QuantizedNode& whole_;
  const PlainNode& node_;
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

}  // namespace cellproof::engines::mutants
