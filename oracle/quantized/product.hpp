#pragma once

#include <vector>

#include "oracle/quantized/quantiser.hpp"
#include "oracle/quantized/weights.hpp"

namespace cellproof::oracle {

/// Multiplies vectors of quantised values with one matrix, keeping its buffers. Compiled for double and for balls.
template <class Real>
class QuantizedProduct {
 public:
  using Set = Enclosure<Real>;

  QuantizedProduct(const QuantizedMatrix& matrix, const Arithmetic& arithmetic) : matrix_(matrix), m_(arithmetic) {}
  virtual ~QuantizedProduct() = default;
  QuantizedProduct(const QuantizedProduct&) = delete;
  QuantizedProduct& operator=(const QuantizedProduct&) = delete;

  /// Row r of `products` ([rows]) becomes float(sum over k of digit k * integer k,r) * (scale * scale of the row): the
  /// sum is an exact integer, the conversion and the two products round once each, in whatever order.
  virtual void multiply(const std::vector<Digit>& digits, const Quantiser<Real>& quantiser, std::vector<Set>& products);

 protected:
  void add_up(const std::vector<Digit>& digits);
  void scale_sums(const Set& scale, std::vector<Set>& products) const;

  const QuantizedMatrix& matrix_;
  const Arithmetic& m_;
  /// [rows] the expected sum, and how far it can lie below and above: integers, which double holds exactly.
  std::vector<double> sum_, below_, above_;

 private:
  Set scaled(std::size_t row, const Set& scale) const;
};

extern template class QuantizedProduct<double>;
extern template class QuantizedProduct<Ball>;

}  // namespace cellproof::oracle
