#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/node.hpp"
#include "optimized/cpu/quantized_kernels.hpp"

namespace cellproof::cpu {

/// One weight matrix of one direction of DynamicQuantizeLSTM, packed as the kernels read it: blocks of units, in a
/// block [k / group][gate][lane][k % group]. In words a block is two pieces of two gates, each of which begins with
///     [gate][lane] of -(the sum over k of w[4 * k] * w[4 * k + 2] + w[4 * k + 1] * w[4 * k + 3]) in 32 bits
/// and goes on with [k / 4][gate][k % 4 / 2][lane][k % 2]. Unsigned weights are moved by 128 together with their zero
/// points, so that all are signed; by 127 where that keeps them from being -128. Columns are [block][gate][lane].
struct QuantizedWeights {
  QuantizedWeights() = default;
  QuantizedWeights(std::size_t length, std::size_t H, std::size_t lanes, const QuantizedFormat& format);

  /// From the tensors' data: weights [D, length, 4H], scale and zero point [D] or [D, 4H].
  void pack(const Node& node, std::size_t direction, std::size_t first_input, const void* weights, const float* scales,
            const void* zero_points);

  const void* block(std::size_t b) const;

  bool reach_lowest = false;  ///< is a weight -128?
  bool one_for_all = false;   ///< have all columns, padding too, the same scale and zero point?
  bool scales_are_finite = true;
  const QuantizedFormat* format = nullptr;
  std::size_t length = 0, H = 0, lanes = 1, groups = 0;
  Buffer<std::int8_t> bytes;
  Buffer<std::int16_t> words;       ///< instead, where the format has them
  Buffer<float> scale;              ///< by column
  Buffer<std::int32_t> zero_point;  ///< by column
  Buffer<std::int32_t> column_sum;  ///< of weight - zero point, by column

 private:
  void put(std::size_t column, std::size_t k, std::int32_t weight);
  void put_pair_products(std::size_t column);
};

}  // namespace cellproof::cpu
