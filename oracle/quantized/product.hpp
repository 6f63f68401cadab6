#pragma once

#include <vector>

#include "oracle/quantized/quantiser.hpp"
#include "oracle/quantized/weights.hpp"

namespace cellproof::oracle {

/// Multiplies vectors of quantised values with one matrix, keeping its buffers.
class QuantizedProduct {
 public:
  QuantizedProduct(const QuantizedMatrix& matrix, const Arithmetic& arithmetic);

  /// Row r of `products` ([rows]) becomes float(sum over k of digit k * integer k,r) * (scale * scale of the row): the
  /// sum is an exact integer, the conversion and the two products round once each, in whatever order.
  void multiply(const std::vector<Digit>& digits, const Quantiser& quantiser, std::vector<Enclosure<double>>& products);

 private:
  Enclosure<double> scaled(std::size_t row, const Enclosure<double>& scale) const;

  const QuantizedMatrix& matrix_;
  const Arithmetic& m_;
  std::vector<double> sum_, below_, above_;  ///< [rows] the expected sum, and how far it can lie below and above
};

}  // namespace cellproof::oracle
