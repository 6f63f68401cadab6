#include "optimized/cpu/quantized_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

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

QuantizedWeights::QuantizedWeights(std::size_t length_, std::size_t H_, std::size_t lanes_,
                                   const QuantizedFormat& format_)
    : format(&format_), length(length_), H(H_), lanes(lanes_), groups((length_ + format_.group - 1) / format_.group) {
  const std::size_t columns = (H + lanes - 1) / lanes * 4 * lanes;
  if (format->in_words)
    words = Buffer<std::int16_t>(columns / (word_vectors * lanes) * words_of_piece(lanes, groups));
  else
    bytes = Buffer<std::int8_t>(groups * format->group * columns);
  scale = Buffer<float>(columns);
  zero_point = Buffer<std::int32_t>(columns);
  column_sum = Buffer<std::int32_t>(columns);
}

const void* QuantizedWeights::block(std::size_t b) const {
  if (format->in_words) return words.data() + b * quantized_vectors / word_vectors * words_of_piece(lanes, groups);
  return bytes.data() + b * groups * quantized_vectors * lanes * format->group;
}

void QuantizedWeights::put(std::size_t column, std::size_t k, std::int32_t weight) {
  const std::size_t group = format->group, width = (format->in_words ? word_vectors : quantized_vectors) * lanes;
  const std::size_t part = column / width, place = column % width;
  if (!format->in_words) {
    bytes[((part * groups + k / group) * width + place) * group + k % group] = static_cast<std::int8_t>(weight);
    return;
  }
  const std::size_t vector = k / group * word_vectors + place / lanes, pair = k % group / 2;
  std::int16_t* piece = words.data() + part * words_of_piece(lanes, groups) + 2 * width;
  piece[((vector * 2 + pair) * lanes + place % lanes) * 2 + k % 2] = static_cast<std::int16_t>(weight);
}

/// Sums up the products of a column that has been put.
void QuantizedWeights::put_pair_products(std::size_t column) {
  const std::size_t width = word_vectors * lanes, place = column % width;
  std::int16_t* piece = words.data() + column / width * words_of_piece(lanes, groups);
  const std::int16_t* weights = piece + 2 * width + (place / lanes * 2 * lanes + place % lanes) * 2;
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < groups; ++k, weights += word_group * width)
    sum -= weights[0] * weights[2 * lanes] + weights[1] * weights[2 * lanes + 1];
  std::memcpy(piece + 2 * place, &sum, sizeof sum);
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
      const std::size_t from = gate * H + unit, column = (unit / lanes * 4 + gate) * lanes + unit % lanes;
      scale[column] = scales[parameter_at(scale_tensor, direction, 4 * H, from)];
      zero_point[column] =
          as_signed(type, zero_points, parameter_at(zero_point_tensor, direction, 4 * H, from), move.by);
      column_sum[column] = 0;
      for (std::size_t k = 0; k < length; ++k) {
        const std::int32_t weight = as_signed(type, weights, (direction * length + k) * 4 * H + from, move.by);
        put(column, k, weight);
        column_sum[column] += weight - zero_point[column];
      }
      if (format->in_words) put_pair_products(column);
    }
  }
  scales_are_finite =
      std::all_of(scale.data(), scale.data() + scale.size(), [](float value) { return std::isfinite(value); });
}

}  // namespace cellproof::cpu
