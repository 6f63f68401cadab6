#include "optimized/cpu/quantized_weights.hpp"

namespace cellproof::cpu {
namespace {

/// Element i of int8 data as it is, of uint8 data less 128.
std::int32_t as_signed(cellproof_cpu_type type, const void* data, std::size_t i) {
  if (type == CELLPROOF_CPU_INT8) return static_cast<const std::int8_t*>(data)[i];
  return static_cast<const std::uint8_t*>(data)[i] - 128;
}

/// Where column `column` of a direction has its scale or zero point: one for all, or one each.
std::size_t parameter_at(const cellproof_cpu_tensor& tensor, std::size_t direction, std::size_t columns,
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
  const cellproof_cpu_type type = node.inputs[CELLPROOF_CPU_W].type;
  const cellproof_cpu_tensor& scale_tensor = node.inputs[first_input];
  const cellproof_cpu_tensor& zero_point_tensor = node.inputs[first_input + 1];
  for (std::size_t unit = 0; unit < H; ++unit) {
    for (std::size_t gate = 0; gate < 4; ++gate) {
      const std::size_t from = gate * H + unit;
      const std::size_t block_column = gate * lanes + unit % lanes, column = unit / lanes * 4 * lanes + block_column;
      std::int8_t* packed = bytes.data() + unit / lanes * groups * 4 * lanes * group;
      scale[column] = scales[parameter_at(scale_tensor, direction, 4 * H, from)];
      zero_point[column] = as_signed(type, zero_points, parameter_at(zero_point_tensor, direction, 4 * H, from));
      column_sum[column] = 0;
      for (std::size_t k = 0; k < length; ++k) {
        const std::int32_t weight = as_signed(type, weights, (direction * length + k) * 4 * H + from);
        packed[(k / group * 4 * lanes + block_column) * group + k % group] = static_cast<std::int8_t>(weight);
        column_sum[column] += weight - zero_point[column];
      }
    }
  }
}

}  // namespace cellproof::cpu
