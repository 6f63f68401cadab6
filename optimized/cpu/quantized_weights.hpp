#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// One weight matrix of one direction of DynamicQuantizeLSTM, packed as the kernels read it: blocks of units, in a
/// block [k / group][gate][lane][k % group]. Unsigned weights are moved by 128 together with their zero points, so that
/// all are signed; by 127 where that keeps them from being -128. Columns are [block][gate][lane].
struct QuantizedWeights {
  QuantizedWeights() = default;
  QuantizedWeights(std::size_t length, std::size_t H, std::size_t lanes, std::size_t group);

  /// From the tensors' data: weights [D, length, 4H], scale and zero point [D] or [D, 4H].
  void pack(const Node& node, std::size_t direction, std::size_t first_input, const void* weights, const float* scales,
            const void* zero_points);

  const std::int8_t* block(std::size_t b) const { return bytes.data() + b * groups * 4 * lanes * group; }

  bool reach_lowest = false;  ///< is a weight -128?
  bool one_for_all = false;   ///< have all columns, padding too, the same scale and zero point?
  bool scales_are_finite = true;
  std::size_t length = 0, H = 0, lanes = 1, group = 1, groups = 0;
  Buffer<std::int8_t> bytes;
  Buffer<float> scale;              ///< by column
  Buffer<std::int32_t> zero_point;  ///< by column
  Buffer<std::int32_t> column_sum;  ///< of weight - zero point, by column
};

}  // namespace cellproof::cpu
