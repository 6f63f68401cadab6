#include "optimized/cpu/quantized_weights.hpp"

#include <algorithm>
#include <cmath>

namespace cellproof::cpu {
namespace {

/// Element i of int8 data as it is, of uint8 data less `moved_by`.
std::int32_t as_signed(cellproof_type type, const void* data, std::size_t i, std::int32_t moved_by) {
  if (type == CELLPROOF_INT8) return static_cast<const std::int8_t*>(data)[i];
  return static_cast<const std::uint8_t*>(data)[i] - moved_by;
}

/// By how much uint8 weights are moved, and whether there is a -128 then, which some kernels take longer for.
struct Move {
  std::int32_t by;
  bool reaches_lowest;
};

Move move_of(cellproof_type type, const void* data, std::size_t first, std::size_t count) {
  if (type == CELLPROOF_INT8) {
    const auto* weights = static_cast<const std::int8_t*>(data) + first;
    return {0, std::find(weights, weights + count, std::int8_t{-128}) != weights + count};
  }
  const auto* weights = static_cast<const std::uint8_t*>(data) + first;
  const bool has_least = std::find(weights, weights + count, std::uint8_t{0}) != weights + count;
  const bool has_greatest = std::find(weights, weights + count, std::uint8_t{255}) != weights + count;
  return {has_least && !has_greatest ? 127 : 128, has_least && has_greatest};
}

/// Place of the scale or zero point of column `column` of a direction: one for all, or one each.
std::size_t parameter_at(const cellproof_tensor& tensor, std::size_t direction, std::size_t columns,
                         std::size_t column) {
  return tensor.rank == 1 ? direction : direction * columns + column;
}

}  // namespace

QuantizedWeights::QuantizedWeights(std::size_t length_, std::size_t H_, std::size_t lanes_, std::size_t group_)
    : length(length_), H(H_), lanes(lanes_), group(group_), groups((length_ + group_ - 1) / group_) {
  const std::size_t columns = (H + lanes - 1) / lanes * 4 * lanes;
  bytes = Buffer<std::int8_t>(groups * group * columns);
  scale = Buffer<float>(columns);
  zero_point = Buffer<std::int32_t>(columns);
  column_sum = Buffer<std::int32_t>(columns);
}

void QuantizedWeights::pack(const Node& node, std::size_t direction, std::size_t first_input, const void* weights,
                            const float* scales, const void* zero_points) {
  const cellproof_type type = node.inputs[CELLPROOF_W].type;
  const cellproof_tensor& scale_tensor = node.inputs[first_input];
  const cellproof_tensor& zero_point_tensor = node.inputs[first_input + 1];
  const Move move = move_of(type, weights, direction * length * 4 * H, length * 4 * H);
  reach_lowest = move.reaches_lowest;
  one_for_all = scale_tensor.rank == 1 && zero_point_tensor.rank == 1;
  if (one_for_all && H > 0) {
    std::fill_n(scale.data(), scale.size(), scales[direction]);
    std::fill_n(zero_point.data(), zero_point.size(), as_signed(type, zero_points, direction, move.by));
  }
  for (std::size_t unit = 0; unit < H; ++unit) {
    for (std::size_t gate = 0; gate < 4; ++gate) {
      const std::size_t from = gate * H + unit;
      const std::size_t block_column = gate * lanes + unit % lanes, column = unit / lanes * 4 * lanes + block_column;
      std::int8_t* packed = bytes.data() + unit / lanes * groups * 4 * lanes * group;
      scale[column] = scales[parameter_at(scale_tensor, direction, 4 * H, from)];
      zero_point[column] =
          as_signed(type, zero_points, parameter_at(zero_point_tensor, direction, 4 * H, from), move.by);
      column_sum[column] = 0;
      for (std::size_t k = 0; k < length; ++k) {
        const std::int32_t weight = as_signed(type, weights, (direction * length + k) * 4 * H + from, move.by);
        packed[(k / group * 4 * lanes + block_column) * group + k % group] = static_cast<std::int8_t>(weight);
        column_sum[column] += weight - zero_point[column];
      }
    }
  }
  scales_are_finite =
      std::all_of(scale.data(), scale.data() + scale.size(), [](float value) { return std::isfinite(value); });
}

}  // namespace cellproof::cpu
