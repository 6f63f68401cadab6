#include "reference/dynamic_quantization.hpp"

#include <cmath>

namespace cellproof::reference {
namespace {

/// The lower bound for a NaN, as a maximum that returns its second operand gives it.
float clamp(float value, float low, float high) {
  if (!(value > low)) return low;
  return value < high ? value : high;
}

/// Half to even: the default rounding mode, which nothing in the project changes.
float round_half_to_even(float value) {
  return std::nearbyint(value);
}

}  // namespace

Quantization quantization_of(std::span<const float> values) {
  float low = 0, high = 0;
  for (float value : values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const float scale = high == low ? 1.0F : (high - low) / 255.0F;
  const float zero_point = round_half_to_even(clamp(0.0F - low / scale, 0.0F, 255.0F));
  return {scale, static_cast<std::int32_t>(zero_point)};
}

std::int32_t quantize(float value, const Quantization& quantization) {
  const auto zero_point = static_cast<float>(quantization.zero_point);
  const float bounded = clamp(value / quantization.scale, -zero_point, 255.0F - zero_point);
  return static_cast<std::int32_t>(round_half_to_even(bounded)) + quantization.zero_point;
}

}  // namespace cellproof::reference
