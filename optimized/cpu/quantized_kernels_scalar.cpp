#include <cmath>

#include "optimized/cpu/quantized_kernels.hpp"

namespace cellproof::cpu {
namespace {

constexpr std::size_t lanes = 4;  // as the scalar float kernels have

void multiply(const QuantizedMultiplication& m) {
  const std::size_t width = m.vectors * lanes;
  for (std::size_t row = 0; row < m.row_count; ++row) {
    for (std::size_t column = 0; column < m.blocks * width; ++column) {
      const std::size_t in_block = column % width;
      const std::int8_t* panel = m.panels + column / width * m.groups * width;
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < m.groups; ++k) sum += m.rows[row][k] * panel[k * width + in_block];
      m.sums[row * m.stride + column] = sum;
    }
  }
}

void dequantize(const Dequantization& d) {
  for (std::size_t row = 0; row < d.rows; ++row) {
    const std::int32_t row_sum = d.row_sums[row] - d.offset;
    for (std::size_t i = 0; i < d.columns; ++i) {
      const std::int32_t sum =
          d.sums[row * d.sums_stride + i] - row_sum * d.zero_point[i] - d.quantization.zero_point * d.column_sum[i];
      d.out[row * d.out_stride + i] =
          static_cast<float>(sum) * (d.quantization.scale * d.scale[i]) + (d.bias ? d.bias[i] : 0);
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

std::int32_t quantize(const float* values, std::size_t count, const Quantization& quantization, std::uint8_t* bytes) {
  const auto zero = static_cast<float>(quantization.zero_point);
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float offset = std::nearbyint(bounded(values[i] / quantization.scale, -zero, 255 - zero));
    const std::int32_t byte = static_cast<std::int32_t>(offset) + quantization.zero_point;
    bytes[i] = static_cast<std::uint8_t>(byte);
    sum += byte;
  }
  return sum;
}

}  // namespace

Quantization quantization_of(float low, float high) {
  const float scale = high == low ? 1 : (high - low) / 255;
  return {scale, static_cast<std::int32_t>(std::nearbyint(bounded(0 - low / scale, 0, 255)))};
}

const QuantizedKernels& scalar_quantized_kernels() {
  static constexpr QuantizedKernels table{lanes, 1, 4, 0, multiply, dequantize, range, quantize};
  return table;
}

}  // namespace cellproof::cpu
