#pragma once

#include <cstdint>
#include <vector>

#include "reference/cell.hpp"
#include "reference/dynamic_quantization.hpp"
#include "reference/rounding.hpp"
#include "spec/tensor.hpp"

namespace cellproof::reference {

/// A vector of floats after dynamic quantisation.
struct QuantizedVector {
  Quantization quantization;
  std::vector<std::int32_t> values;
};

/// A weight tensor of DynamicQuantizeLSTM, [D,K,4H] with one scale and zero point per direction ([D]) or per output
/// column
/// ([D,4H]): real = scale * (quantised - zero_point).
class QuantizedWeights {
 public:
  QuantizedWeights(const Tensor& weights, const Tensor& scale, const Tensor& zero_point, bool first_zero_point_only)
      : weights_(weights), scale_(scale), zero_point_(zero_point), first_zero_point_only_(first_zero_point_only) {}

  /// Column `n` of the product with direction d's matrix: the integers are multiplied and added exactly, then scaled.
  template <class Real>
  Real times(const QuantizedVector& x, std::int64_t d, std::int64_t n) const {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      const auto row = static_cast<std::int64_t>(k);
      sum += (x.values[k] - x.quantization.zero_point) * (integer(row, d, n) - zero_point(d, n));
    }
    return Real(sum) * (Real(x.quantization.scale) * Real(scale(d, n)));
  }
  /// The same product without dynamic quantisation (dq-granularity=none): with the real weights.
  template <class Real>
  Real times(const Vector<Real>& x, std::int64_t d, std::int64_t n) const {
    Real sum(0);
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto row = static_cast<std::int64_t>(k);
      sum += x[k] * (Real(integer(row, d, n) - zero_point(d, n)) * Real(scale(d, n)));
    }
    return sum;
  }

 private:
  std::int64_t integer(std::int64_t k, std::int64_t d, std::int64_t n) const {
    return weights_.integer(weights_.offset({d, k, n}));
  }
  double scale(std::int64_t d, std::int64_t n) const { return scale_.value(parameter(scale_, d, n)); }
  std::int64_t zero_point(std::int64_t d, std::int64_t n) const {
    return zero_point_.integer(parameter(zero_point_, d, first_zero_point_only_ ? 0 : n));
  }
  static std::size_t parameter(const Tensor& parameters, std::int64_t d, std::int64_t n) {
    return parameters.rank() == 1 ? parameters.offset({d}) : parameters.offset({d, n});
  }

  const Tensor& weights_;
  const Tensor& scale_;
  const Tensor& zero_point_;
  bool first_zero_point_only_;
};

/// The number as the kernel would hold it between steps: a float.
template <class Real>
float as_float(const Real& x) {
  return static_cast<float>(round_once(x, float_format(ElementType::Float)));
}

}  // namespace cellproof::reference
