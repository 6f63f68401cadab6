#pragma once

#include <cmath>
#include <cstdint>

#include "optimized/cuda/products.hpp"

// DynamicQuantizeLSTM: floats as bytes, and products of bytes. Bytes that are unsigned are kept less 128, as are their
// zero points, so that every product is of signed ones; four lie in a word, filled up with zeros.

namespace cellproof::cuda {

/// x is about scale * (byte - zero_point), the byte from -128 to 127.
struct Quantization {
  float scale;
  std::int32_t zero_point;
};

/// `value` between the bounds; a NaN is the lower one.
CELLPROOF_HD inline float between(float value, float low, float high) {
  if (!(value > low)) return low;
  return value < high ? value : high;
}

/// Quantises for a range that holds 0: as DynamicQuantizeLinear, to bytes from 0 to 255, then less 128.
CELLPROOF_HD inline Quantization quantization_of(float low, float high) {
  const float scale = high == low ? 1.0F : (high - low) / 255.0F;
  const float zero = std::rint(between(0.0F - low / scale, 0.0F, 255.0F));
  return {scale, static_cast<std::int32_t>(zero) - 128};
}

CELLPROOF_HD inline std::int32_t quantized(float value, const Quantization& quantization) {
  const auto zero = static_cast<float>(quantization.zero_point);
  return static_cast<std::int32_t>(std::rint(between(value / quantization.scale, -128.0F - zero, 127.0F - zero))) +
         quantization.zero_point;
}

CELLPROOF_HD inline std::int32_t byte_of(std::int32_t word, int place) {
  return static_cast<std::int8_t>(static_cast<std::uint32_t>(word) >> (8 * place) & 255);
}

CELLPROOF_HD inline std::int32_t with_byte(std::int32_t word, int place, std::int32_t byte) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word) | (static_cast<std::uint32_t>(byte) & 255)
                                                                          << (8 * place));
}

/// The sum of the products of four bytes each.
CELLPROOF_HD inline std::int32_t dot_of_words(std::int32_t a, std::int32_t b) {
#ifdef __CUDA_ARCH__
  return __dp4a(a, b, 0);
#else
  std::int32_t sum = 0;
  for (int place = 0; place < 4; ++place) sum += byte_of(a, place) * byte_of(b, place);
  return sum;
#endif
}

/// Terms that one sum of RangeOfX looks through.
inline constexpr Index range_piece = 4096;

/// A range that holds 0. NaN counts for nothing.
struct RangePart {
  float low = 0, high = 0;
  CELLPROOF_HD void take(float value) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  CELLPROOF_HD void merge(const RangePart& other) {
    take(other.low);
    take(other.high);
  }
};

/// Sums (products.hpp) that are ranges: of pieces of X.
struct RangeOfX {
  using Part = RangePart;
  const float* values;
  Index elements;
  RangePart* ranges;  ///< by piece

  CELLPROOF_HD Index count() const { return (elements + range_piece - 1) / range_piece; }
  CELLPROOF_HD Index length() const { return range_piece; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    if (i * range_piece + k < elements) part.take(values[i * range_piece + k]);
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const { ranges[i] = part; }
};

/// The same of the state of each rank before a step. A finished one is where its last step left it; where its padding
/// is in Y, it has been zero since the step after its last.
struct RangeOfH {
  using Part = RangePart;
  const float* h;  ///< [2][rank][H]
  Index N, H;
  const Index* lengths;  ///< by rank
  Index step;
  bool finished_is_zero;
  RangePart* ranges;  ///< by rank

  CELLPROOF_HD Index count() const { return N; }
  CELLPROOF_HD Index length() const { return H; }
  CELLPROOF_HD void add(Part& part, Index rank, Index k) const {
    if (finished_is_zero && step > lengths[rank]) return;
    const Index taken = step < lengths[rank] ? step : lengths[rank];
    part.take(h[(taken % 2 * N + rank) * H + k]);
  }
  CELLPROOF_HD void finish(Index rank, const Part& part) const { ranges[rank] = part; }
};

/// One sum: what all those ranges make together.
struct JoinRanges {
  using Part = RangePart;
  const RangePart* ranges;
  Index pieces;
  Quantization* result;

  CELLPROOF_HD Index count() const { return 1; }
  CELLPROOF_HD Index length() const { return pieces; }
  CELLPROOF_HD void add(Part& part, Index, Index k) const { part.merge(ranges[k]); }
  CELLPROOF_HD void finish(Index, const Part& part) const { *result = quantization_of(part.low, part.high); }
};

struct IntegerPart {
  std::int64_t value = 0;
  CELLPROOF_HD void merge(const IntegerPart& other) { value += other.value; }
};

/// Sums over the words of a row of floats, which become bytes on the way.
struct QuantizeRows {
  using Part = IntegerPart;
  const float* values;
  const Index* at;  ///< where each row begins; null: one after the other
  Index rows, width;
  const Quantization* quantization;
  std::int32_t* words;  ///< [row][length()]
  std::int64_t* sums;   ///< of a row's bytes

  CELLPROOF_HD Index count() const { return rows; }
  CELLPROOF_HD Index length() const { return (width + 3) / 4; }
  CELLPROOF_HD void add(Part& part, Index row, Index w) const {
    const float* from = values + (at == nullptr ? row * width : at[row]);
    std::int32_t word = 0;
    for (int place = 0; place < 4 && 4 * w + place < width; ++place) {
      const std::int32_t byte = quantized(from[4 * w + place], *quantization);
      word = with_byte(word, place, byte);
      part.value += byte;
    }
    words[row * length() + w] = word;
  }
  CELLPROOF_HD void finish(Index row, const Part& part) const { sums[row] = part.value; }
};

/// Weights as a product takes them: a row of words for each column of the tensor.
struct QuantizedWeights {
  std::int32_t* words;       ///< [column][word]
  float* scale;              ///< by column, as are the next two
  std::int32_t* zero_point;  ///< less 128 where the weights are unsigned
  std::int64_t* excess;      ///< the sum of (weight - zero point)
};

/// Sums over the words of a column of W or R, which are packed on the way.
struct PackColumns {
  using Part = IntegerPart;
  const void* weights;  ///< [k][column] of one direction
  bool is_signed;
  Index depth, columns;
  const float* scales;      ///< of this direction
  const void* zero_points;  ///< of this direction
  bool scale_per_column, zero_point_per_column;
  QuantizedWeights packed;

  CELLPROOF_HD std::int32_t element(const void* data, Index at) const {
    if (is_signed) return static_cast<const std::int8_t*>(data)[at];
    return static_cast<const std::uint8_t*>(data)[at] - 128;
  }
  CELLPROOF_HD std::int32_t zero_point(Index column) const {
    return element(zero_points, zero_point_per_column ? column : 0);
  }

  CELLPROOF_HD Index count() const { return columns; }
  CELLPROOF_HD Index length() const { return (depth + 3) / 4; }
  CELLPROOF_HD void add(Part& part, Index column, Index w) const {
    std::int32_t word = 0;
    for (int place = 0; place < 4 && 4 * w + place < depth; ++place) {
      const std::int32_t weight = element(weights, (4 * w + place) * columns + column);
      word = with_byte(word, place, weight);
      part.value += weight - zero_point(column);
    }
    packed.words[column * length() + w] = word;
  }
  CELLPROOF_HD void finish(Index column, const Part& part) const {
    packed.scale[column] = scales[scale_per_column ? column : 0];
    packed.zero_point[column] = zero_point(column);
    packed.excess[column] = part.value;
  }
};

/// out[row][column] = the product of a row and a column of numbers that bytes stand for: exact up to the scales.
struct BytesProduct {
  const std::int32_t* a;       ///< [row][word]
  const std::int64_t* a_sums;  ///< by row
  Index rows, words;
  const Quantization* quantization;  ///< of the rows
  QuantizedWeights w;
  Index columns;
  float* out;  ///< [row][column]

  struct Part {
    std::int64_t values[rows_at_once] = {};
    CELLPROOF_HD void merge(const Part& other) {
      for (int q = 0; q < rows_at_once; ++q) values[q] += other.values[q];
    }
  };

  CELLPROOF_HD Index count() const { return columns * ((rows + rows_at_once - 1) / rows_at_once); }
  CELLPROOF_HD Index length() const { return words; }
  CELLPROOF_HD void add(Part& part, Index i, Index k) const {
    const std::int32_t weights = w.words[i % columns * words + k];
    const Index first = i / columns * rows_at_once;
    for (int q = 0; q < rows_at_once; ++q)
      if (first + q < rows) part.values[q] += dot_of_words(a[(first + q) * words + k], weights);
  }
  CELLPROOF_HD void finish(Index i, const Part& part) const {
    const Index first = i / columns * rows_at_once, column = i % columns;
    const float scale = quantization->scale * w.scale[column];
    for (int q = 0; q < rows_at_once; ++q) {
      if (first + q >= rows) break;
      const std::int64_t sum =
          part.values[q] - a_sums[first + q] * w.zero_point[column] - quantization->zero_point * w.excess[column];
      out[(first + q) * columns + column] = static_cast<float>(sum) * scale;
    }
  }
};

}  // namespace cellproof::cuda
