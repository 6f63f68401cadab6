#pragma once

#include <memory>

#include "oracle/faulty_step/quantiser_switches.hpp"
#include "oracle/quantized/product.hpp"

namespace cellproof::oracle {

/// The parts of dynamic quantisation as the switches have them: as long as those stand as they are, the very ones of
/// the operator. Matrix and arithmetic must outlive a product. For double and for balls.
template <class Real>
std::unique_ptr<DataRange<Real>> faulty_range_of(const QuantiserSwitches& switches);
template <class Real>
std::unique_ptr<Quantiser<Real>> faulty_quantiser_of(const DataRange<Real>& range, const Arithmetic& arithmetic,
                                                     const QuantiserSwitches& switches);
template <class Real>
std::unique_ptr<QuantizedProduct<Real>> faulty_product_of(const QuantizedMatrix& matrix, const Arithmetic& arithmetic,
                                                          const QuantiserSwitches& switches);

}  // namespace cellproof::oracle
