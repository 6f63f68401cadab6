#pragma once

#include <initializer_list>

#include "oracle/quantized/quantiser.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle::testing {

/// The quantiser in single precision for exactly these numbers.
template <class Real = double>
Quantiser<Real> over(std::initializer_list<double> values) {
  DataRange<Real> range;
  for (const double v : values) range.add(Enclosure<Real>::point(v));
  return {range, f32};
}

}  // namespace cellproof::oracle::testing
