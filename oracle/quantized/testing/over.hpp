#pragma once

#include <initializer_list>

#include "oracle/quantized/quantiser.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle::testing {

/// The quantiser in single precision for exactly these numbers.
inline Quantiser over(std::initializer_list<double> values) {
  DataRange range;
  for (const double v : values) range.add(Enclosure<double>::point(v));
  return {range, f32};
}

}  // namespace cellproof::oracle::testing
