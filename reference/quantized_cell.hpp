#pragma once

#include <stdexcept>
#include <vector>

#include "reference/float_cells.hpp"
#include "reference/quantized_product.hpp"

namespace cellproof::reference {

/// DynamicQuantizeLSTM as run_sequences drives it: the LSTM cell with float bias, peepholes, functions and state, whose
/// two matrix products take dynamically quantised vectors. X is quantised once per direction over the block of all
/// steps up to the longest length and all sequences, padding included; H before every step, over all sequences of the
/// batch (clause dq-granularity, reading `block`; `block-chunked` takes the ranges of H over `sequences_together`
/// sequences each, from the first on; `per-step` takes the range of X per step; `none` quantises neither).
template <class Real>
class QuantizedCell {
 public:
  QuantizedCell(const Node<Real>& node, const Problem& problem, const Readings& readings,
                std::int64_t sequences_together)
      : node_(node),
        readings_(readings),
        W_(tensor(problem, input::W), tensor(problem, input::W_scale), tensor(problem, input::W_zero_point),
           readings.is(Clause::DqZeroPoint, "first-element")),
        R_(tensor(problem, input::R), tensor(problem, input::R_scale), tensor(problem, input::R_zero_point),
           readings.is(Clause::DqZeroPoint, "first-element")),
        Y_asked_for_(problem.asks_for(output::Y)),
        is_chunked_(readings.is(Clause::DqGranularity, "block-chunked")),
        sequences_together_(sequences_together) {
    if (is_chunked_ && sequences_together < 1) {
      throw std::invalid_argument(
          "dq-granularity=block-chunked gives no value of itself: how many sequences make a chunk depends on a number "
          "of threads");
    }
  }

  void begin_direction(std::int64_t d) {
    d_ = d;
    std::int64_t longest = 0;
    for (std::int64_t length : node_.settings.lengths) longest = std::max(longest, length);
    X_quantization_ = quantization_of(X_between(0, longest));
  }

  void begin_step(std::int64_t step, const std::vector<State<Real>>& states) {
    // Per step, the sequences whose own step this is stand at different input times where the direction is reversed;
    // the range is that of the elements which are processed together.
    if (readings_.is(Clause::DqGranularity, "per-step")) X_quantization_ = quantization_of(X_at(step));
    H_quantization_.clear();
    for (std::size_t n = 0; n < states.size(); ++n)
      H_quantization_.push_back(quantization_of(H_beside(n, step, states)));
  }

  State<Real> step(std::int64_t n, std::int64_t step, const State<Real>& state) const {
    const std::int64_t H = node_.settings.size.H;
    const Vector<Real> Xt = node_.Xt(d_, n, step);
    const auto lstm = [&](const auto& x, const auto& h) {
      return lstm_step(
          node_.parameters(d_), node_.lstm_functions(d_, step),
          [&](int gate, std::int64_t j) { return W_.template times<Real>(x, d_, gate * H + j); },
          [&](int gate, std::int64_t j) { return R_.template times<Real>(h, d_, gate * H + j); }, state.C);
    };
    if (readings_.is(Clause::DqGranularity, "none")) return lstm(Xt, state.H);
    return lstm(quantized(Xt, X_quantization_), quantized(state.H, H_quantization_[static_cast<std::size_t>(n)]));
  }

 private:
  static const Tensor& tensor(const Problem& problem, std::size_t position) {
    const Tensor* given = problem.input(position);
    if (!given) throw std::invalid_argument("DynamicQuantizeLSTM: input " + std::to_string(position) + " is not given");
    return *given;
  }

  /// Does this sequence's H take part in the range of H at this step? (A row of zeros does not widen any range, so rows
  /// that count as 0 may as well be left out.)
  bool counts_in_range(std::int64_t length, std::int64_t step) const {
    const bool finished = step >= length;
    if (!finished) return true;
    // The kernel reads the row before in Y, which is 0 from the step after the last one on; without Y it reads the last
    // H.
    if (readings_.is(Clause::DqFinishedRows, "as-kernel")) return !Y_asked_for_ || step <= length;
    return readings_.is(Clause::DqFinishedRows, "last-state");
  }

  /// The H of all sequences that sequence n shares its range with.
  std::vector<float> H_beside(std::size_t n, std::int64_t step, const std::vector<State<Real>>& states) const {
    std::vector<float> values;
    for (std::size_t m = 0; m < states.size(); ++m) {
      if (!counts_in_range(node_.settings.lengths[m], step) || !is_beside(m, n)) continue;
      for (const Real& h : states[m].H) values.push_back(as_float(h));
    }
    return values;
  }

  /// Do the two sequences lie in one chunk?
  bool is_beside(std::size_t m, std::size_t n) const {
    const auto together = static_cast<std::size_t>(sequences_together_);
    return !is_chunked_ || m / together == n / together;
  }

  std::vector<float> X_between(std::int64_t first, std::int64_t last) const {
    std::vector<float> values;
    for (std::int64_t t = first; t < last; ++t) {
      for (std::int64_t n = 0; n < node_.settings.size.N; ++n) {
        for (std::int64_t k = 0; k < node_.settings.size.I; ++k) {
          values.push_back(as_float(node_.layout.in_X(node_.X, t, n, k)));
        }
      }
    }
    return values;
  }
  std::vector<float> X_at(std::int64_t step) const {
    std::vector<float> values;
    for (std::int64_t n = 0; n < node_.settings.size.N; ++n) {
      if (step >= node_.settings.lengths[static_cast<std::size_t>(n)]) continue;
      for (const Real& x : node_.Xt(d_, n, step)) values.push_back(as_float(x));
    }
    return values;
  }

  static QuantizedVector quantized(const Vector<Real>& vector, const Quantization& quantization) {
    QuantizedVector result{quantization, {}};
    for (const Real& x : vector) result.values.push_back(quantize(as_float(x), quantization));
    return result;
  }

  const Node<Real>& node_;
  const Readings& readings_;
  QuantizedWeights W_, R_;
  bool Y_asked_for_, is_chunked_;
  std::int64_t sequences_together_, d_ = 0;
  Quantization X_quantization_;
  std::vector<Quantization> H_quantization_;  ///< [N]
};

}  // namespace cellproof::reference
