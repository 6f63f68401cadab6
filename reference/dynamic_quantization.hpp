#pragma once

#include <cstdint>
#include <span>

namespace cellproof::reference {

/// Turns floats into uint8 as DynamicQuantizeLSTM does while it runs: real = scale * (quantised - zero_point). All of
/// it is IEEE binary32 arithmetic, one rounding per operation, and part of what the operator means: nothing here is
/// computed wider.
struct Quantization {
  float scale = 1;
  std::int32_t zero_point = 0;  ///< 0 to 255
};

/// The quantisation whose range is that of the values and 0. A NaN does not widen the range.
Quantization quantization_of(std::span<const float> values);

/// 0 to 255: value / scale, bounded to what uint8 can hold, rounded half to even, moved by the zero point. NaN becomes
/// 0.
std::int32_t quantize(float value, const Quantization& quantization);

}  // namespace cellproof::reference
