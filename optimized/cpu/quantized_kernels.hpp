#pragma once

#include <cstddef>
#include <cstdint>

namespace cellproof::cpu {

/// A range of floats mapped to bytes: real = scale * (byte - zero_point). The float arithmetic that finds and applies
/// it is part of what DynamicQuantizeLSTM means.
struct Quantization {
  float scale = 1;
  std::int32_t zero_point = 0;  ///< 0 to 255
};

/// The quantisation for values between low and high; low <= 0 <= high.
Quantization quantization_of(float low, float high);

/// sums[row][block][vector][lane] =
///     sum over k of (rows[row][k] - byte_offset) * panels[block][k / group][vector][lane][k % group], exactly
struct QuantizedMultiplication {
  const std::uint8_t* const* rows;  ///< padded with zeros to whole groups
  std::size_t row_count;            ///< 1 to tile_rows
  const std::int8_t* panels;        ///< aligned, padded
  std::size_t blocks;
  std::size_t vectors;  ///< of a block: 4
  std::size_t groups;
  bool weights_reach_lowest;  ///< is a weight -128?
  std::int32_t* sums;         ///< aligned
  std::size_t stride;         ///< of its rows
};

/// out = (sums - (row_sum - offset) * zero_point - quantization.zero_point * column_sum) * scale * quantization.scale
/// + bias, by row and column; the integers exactly, the two scales multiplied first. quantization.zero_point is that of
/// the bytes less what was subtracted from each of them before they were multiplied.
struct Dequantization {
  const std::int32_t* sums;
  std::size_t sums_stride;
  std::size_t rows, columns;
  const std::int32_t* row_sums;  ///< of the bytes of each row
  std::int32_t offset;           ///< what was subtracted from all bytes of a row together
  Quantization quantization;
  const std::int32_t* zero_point;  ///< of the weights, by column
  const float* scale;              ///< of the weights, by column
  bool one_for_all;                ///< are zero_point and scale the same in all columns?
  const std::int32_t* column_sum;  ///< of weight - zero_point
  const float* bias;               ///< by column; nullptr: zero
  float* out;
  std::size_t out_stride;
};

struct QuantizedKernels {
  std::size_t lanes;  ///< as the float kernels' that make the cell
  std::size_t group;  ///< bytes of a row that are multiplied at once
  std::size_t tile_rows;
  std::int32_t byte_offset;  ///< what `multiply` subtracts from every byte of a row
  void (*multiply)(const QuantizedMultiplication&);
  void (*dequantize)(const Dequantization&);
  /// Widens [low, high] to hold the values; a NaN widens nothing.
  void (*range)(const float* values, std::size_t count, float& low, float& high);
  /// Bytes of the values: half to even, saturated; NaN becomes 0. Returns the sum of the bytes.
  std::int32_t (*quantize)(const float* values, std::size_t count, const Quantization&, std::uint8_t* bytes);
};

/// Portable C++.
const QuantizedKernels& scalar_quantized_kernels();

}  // namespace cellproof::cpu
