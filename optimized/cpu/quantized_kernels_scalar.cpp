#include <cmath>

#include "optimized/cpu/quantized_kernels.hpp"

namespace cellproof::cpu {
namespace {

constexpr std::size_t lanes = 4;  // as the scalar float kernels have

void multiply(const QuantizedProduct& p) {
  constexpr std::size_t width = quantized_vectors * lanes;
  for (std::size_t row = 0; row < p.row_count; ++row) {
    for (std::size_t column = 0; column < p.blocks * width; ++column) {
      const std::int8_t* weights =
          static_cast<const std::int8_t*>(p.panels) + column / width * p.groups * width + column % width;
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < p.groups; ++k) sum += p.rows[row][k] * weights[k * width];
      sum -=
          (p.row_sums[row].bytes - p.offset) * p.zero_point[column] + p.quantization.zero_point * p.column_sum[column];
      p.out[row * p.out_stride + column] =
          static_cast<float>(sum) * (p.quantization.scale * p.scale[column]) + (p.bias ? p.bias[column] : 0);
    }
  }
}

void range(const float* values, std::size_t count, float& low, float& high) {
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
}

/// low for a NaN.
float bounded(float value, float low, float high) {
  if (!(value > low)) return low;
  return value < high ? value : high;
}

RowSums quantize(const float* values, std::size_t count, const Quantization& quantization, std::uint8_t* bytes) {
  const auto zero = static_cast<float>(quantization.zero_point);
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float offset = std::nearbyint(bounded(values[i] / quantization.scale, -zero, 255 - zero));
    const std::int32_t byte = static_cast<std::int32_t>(offset) + quantization.zero_point;
    bytes[i] = static_cast<std::uint8_t>(byte);
    sum += byte;
  }
  return {sum};
}

}  // namespace

Quantization quantization_of(float low, float high) {
  const float scale = high == low ? 1 : (high - low) / 255;
  return {scale, static_cast<std::int32_t>(std::nearbyint(bounded(0 - low / scale, 0, 255)))};
}

const QuantizedKernels& scalar_quantized_kernels() {
  static constexpr QuantizedFormat format{1, false, 8, 0, multiply, nullptr, quantize};
  static constexpr QuantizedKernels table{lanes, format, format, range};
  return table;
}

}  // namespace cellproof::cpu
