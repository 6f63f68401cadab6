#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/cpu/kernels.hpp"

namespace cellproof::cpu {

/// A range of floats mapped to bytes: real = scale * (byte - zero_point). The float arithmetic that finds and applies
/// it is part of what DynamicQuantizeLSTM means.
struct Quantization {
  float scale = 1;
  std::int32_t zero_point = 0;  ///< 0 to 255
};

/// The quantisation for values between low and high; low <= 0 <= high.
Quantization quantization_of(float low, float high);

/// A product of bytes, as floats: for each row and column, where `sum` is exact,
///     sum = sum over k of (rows[row][k] - byte_offset) * panels[block][k / group][vector][lane][k % group]
///     out = (sum - (row_sum - offset) * zero_point - quantization.zero_point * column_sum) * scale *
///     quantization.scale
///           + bias
/// the integers exactly, the two scales multiplied first. Columns are [block][vector][lane]; quantization.zero_point is
/// that of the bytes less byte_offset.
struct QuantizedProduct {
  const std::uint8_t* const* rows;  ///< padded with zeros to whole groups
  const std::int32_t* row_sums;     ///< of the bytes of each row
  std::size_t row_count;            ///< 1 to tile_rows
  const std::int8_t* panels;        ///< aligned, padded
  std::size_t blocks;
  std::size_t groups;
  bool weights_reach_lowest;  ///< is a weight -128?
  std::int32_t offset;        ///< byte_offset times the length of a row
  Quantization quantization;
  const std::int32_t* zero_point;  ///< of the weights, by column
  const float* scale;              ///< of the weights, by column
  bool one_for_all;                ///< are zero_point and scale the same in all columns?
  const std::int32_t* column_sum;  ///< of weight - zero_point
  const float* bias;               ///< by column; nullptr: zero
  float* out;                      ///< aligned
  std::size_t out_stride;
};

/// Vectors of a block of hidden units: one for each gate.
constexpr std::size_t quantized_vectors = 4;

struct QuantizedKernels {
  std::size_t lanes;  ///< as the float kernels' that make the cell
  std::size_t group;  ///< bytes of a row that are multiplied at once
  std::size_t tile_rows;
  std::int32_t byte_offset;  ///< what `multiply` subtracts from every byte of a row
  void (*multiply)(const QuantizedProduct&);
  /// nullptr, or `multiply` of one row and the cell of what comes of it together, with the same bits: neither p.out nor
  /// gates.recurrent is used, and there is no bias. Blocks are taken from the last to the first where `backwards`.
  void (*lstm_of_row)(const QuantizedProduct& p, const LstmStep<float>&, bool backwards);
  /// Widens [low, high] to hold the values; a NaN widens nothing.
  void (*range)(const float* values, std::size_t count, float& low, float& high);
  /// Bytes of the values: half to even, saturated; NaN becomes 0. Returns the sum of the bytes.
  std::int32_t (*quantize)(const float* values, std::size_t count, const Quantization&, std::uint8_t* bytes);
};

/// Portable C++.
const QuantizedKernels& scalar_quantized_kernels();

}  // namespace cellproof::cpu
