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

/// Sums over a row of bytes.
struct RowSums {
  std::int32_t bytes = 0;
  std::int32_t pair_products = 0;  ///< x0 * x2 + x1 * x3 of each group of four, if they are words; may have wrapped
};

/// A product of bytes, as floats: for each row and column, where `sum` is exact,
///     sum = sum over k of (rows[row][k] - byte_offset) * panels[block][k / group][vector][lane][k % group]
///     out = (sum - (row_sums[row].bytes - offset) * zero_point - quantization.zero_point * column_sum) * scale *
///     quantization.scale
///           + bias
/// the integers exactly, the two scales multiplied first. Columns are [block][vector][lane]; quantization.zero_point is
/// that of the bytes less byte_offset.
struct QuantizedProduct {
  const std::uint8_t* const* rows;  ///< padded with zeros to whole groups; words are two bytes each
  const RowSums* row_sums;
  std::size_t row_count;  ///< 1 to tile_rows
  const void* panels;     ///< aligned, padded; those of words are as QuantizedWeights says
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

/// Words of a row that are multiplied at once, and vectors of weights that a piece of them has.
constexpr std::size_t word_group = 4, word_vectors = 2;

/// Words of a piece: its columns' products, which are subtracted, are two words each.
constexpr std::size_t words_of_piece(std::size_t lanes, std::size_t groups) {
  return word_vectors * lanes * (2 + groups * word_group);
}

/// A way to multiply, and how rows and weights lie for it.
struct QuantizedFormat {
  std::size_t group;         ///< bytes of a row that are multiplied at once
  bool in_words;             ///< are bytes and weights stored as 16-bit integers?
  std::size_t tile_rows;     ///< the most that `multiply` takes; at least few_rows
  std::int32_t byte_offset;  ///< what `multiply` subtracts from every byte of a row
  void (*multiply)(const QuantizedProduct&);
  /// nullptr, or `multiply` of one row and the cell of what comes of it together, with the same bits: neither p.out nor
  /// gates.recurrent is used, and there is no bias. Blocks are taken from the last to the first where `backwards`.
  void (*lstm_of_row)(const QuantizedProduct& p, const LstmStep<float>&, bool backwards);
  /// Bytes of the values: half to even, saturated; NaN becomes 0.
  RowSums (*quantize)(const float* values, std::size_t count, const Quantization&, std::uint8_t* row);
  /// Rows that take no longer than one; 0: each takes its time. A step with so many needs none of later steps.
  std::size_t rows_at_once = 0;

  std::size_t bytes_of_group() const { return in_words ? group * sizeof(std::int16_t) : group; }
};

struct QuantizedKernels {
  std::size_t lanes;  ///< as the float kernels' that make the cell
  QuantizedFormat of_few_rows, of_many_rows;
  /// Widens [low, high] to hold the values; a NaN widens nothing.
  void (*range)(const float* values, std::size_t count, float& low, float& high);

  const QuantizedFormat& format_for(std::size_t rows) const { return rows < few_rows ? of_few_rows : of_many_rows; }
};

/// Portable C++.
const QuantizedKernels& scalar_quantized_kernels();

}  // namespace cellproof::cpu
