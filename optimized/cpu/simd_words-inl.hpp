// Products of bytes as 16-bit words, on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "optimized/cpu/quantized_kernels.hpp"
#include "optimized/cpu/simd_product-inl.hpp"
#include "optimized/cpu/simd_quantize-inl.hpp"
#include "optimized/cpu/simd_quantized-inl.hpp"

#if defined(CELLPROOF_CPU_SIMD_WORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_WORDS_INL
#undef CELLPROOF_CPU_SIMD_WORDS_INL
#else
#define CELLPROOF_CPU_SIMD_WORDS_INL
#endif

#if HWY_TARGET == HWY_AVX2
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Winograd's product of sums, for four words x of a row and four weights w of a column:
///     x0 * w0 + x2 * w2 = (x0 + w2) * (x2 + w0) - x0 * x2 - w0 * w2
/// and the same of 1 and 3. It takes half of the multiplications, of which this target has fewer units than for
/// additions. The sums have 10 bits. What is subtracted depends on a row or on a column alone. 32 bits may wrap on the
/// way: the result has room.
using Words = hn::Repartition<std::int16_t, Sums>;
using VectorOfWords = hn::Vec<Words>;

/// With 16 registers: 8 sums, the weights of a group of both vectors, two words twice and two sums to be multiplied.
constexpr std::size_t tile_of_words = 4;
/// So many rows share a walk over some blocks.
constexpr std::size_t rows_of_words = 16;

inline RowSums QuantizeToWords(const float* values, std::size_t count, const Quantization& quantization,
                               std::uint8_t* row) {
  auto* words = reinterpret_cast<std::uint16_t*>(row);
  const std::int32_t sum = QuantizeAs(values, count, quantization, words);
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  const auto first_pair = hn::BitCast(d, hn::Set(hn::Repartition<std::uint64_t, Words>(), 0xFFFFFFFFU));
  auto products = hn::Zero(Sums()), unused = hn::Zero(Sums());
  std::size_t i = 0;
  const auto add = [&](VectorOfWords x) HWY_ATTR {
    const auto other_pair = hn::BitCast(d, hn::Shuffle2301(hn::BitCast(Sums(), x)));
    products = hn::ReorderWidenMulAccumulate(Sums(), hn::And(x, first_pair), other_pair, products, unused);
  };
  for (; i + lanes <= count; i += lanes) add(hn::BitCast(d, hn::LoadU(hn::RebindToUnsigned<Words>(), words + i)));
  HWY_ALIGN std::uint16_t rest[HWY_LANES(std::uint16_t)] = {};
  std::copy(words + i, words + count, rest);
  add(hn::BitCast(d, hn::Load(hn::RebindToUnsigned<Words>(), rest)));
  return {sum, hn::GetLane(hn::SumOfLanes(Sums(), products))};
}

/// A group's products of one row and both vectors, added to their sums. As assembly, since gcc does not keep all sums
/// in registers beside what this takes of them, which is all of the others.
HWY_INLINE void AddRow(const std::uint8_t* words, const VectorOfWords (&w)[word_vectors][2],
                       hn::Vec<Sums> (&sums)[word_vectors]) {
  __m256i low, high, other_low, other_high;
  asm("vpbroadcastd %[x0], %[l0]\n"
      "vpbroadcastd %[x1], %[h0]\n"
      "vpaddw %[w01], %[l0], %[l1]\n"
      "vpaddw %[w00], %[h0], %[h1]\n"
      "vpaddw %[w11], %[l0], %[l0]\n"
      "vpaddw %[w10], %[h0], %[h0]\n"
      "vpmaddwd %[l1], %[h1], %[l1]\n"
      "vpmaddwd %[l0], %[h0], %[l0]\n"
      "vpaddd %[l1], %[s0], %[s0]\n"
      "vpaddd %[l0], %[s1], %[s1]\n"
      : [s0] "+x"(sums[0].raw), [s1] "+x"(sums[1].raw), [l0] "=&x"(low), [h0] "=&x"(high), [l1] "=&x"(other_low),
        [h1] "=&x"(other_high)
      : [w00] "x"(w[0][0].raw), [w01] "x"(w[0][1].raw), [w10] "x"(w[1][0].raw), [w11] "x"(w[1][1].raw),
        [x0] "m"(*reinterpret_cast<const std::uint8_t(*)[word_group]>(words)),
        [x1] "m"(*reinterpret_cast<const std::uint8_t(*)[word_group]>(words + word_group)));
}

/// A tile of rows and one piece.
template <bool one_for_all, std::size_t rows>
HWY_NOINLINE void MultiplyTileOfWords(const QuantizedProduct& all, std::size_t first_row, std::size_t piece,
                                      LinesAhead ahead) {
  const QuantizedProduct p = all;  // a copy, else gcc reads it anew after each store
  const hn::ScalableTag<float> d;
  const Words dw;
  const std::size_t lanes = hn::Lanes(d), width = hn::Lanes(dw), first = piece * word_vectors * lanes;
  const auto* HWY_RESTRICT weights =
      static_cast<const std::int16_t*>(p.panels) + piece * words_of_piece(lanes, p.groups);
  hn::Vec<Sums> sums[rows][word_vectors];
  const std::uint8_t* row[rows];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = p.rows[first_row + r];
    const auto pair_products = hn::Set(Sums(), p.row_sums[first_row + r].pair_products);
#pragma GCC unroll 2
    for (std::size_t v = 0; v < word_vectors; ++v)
      sums[r][v] = hn::Sub(hn::BitCast(Sums(), hn::Load(dw, weights + v * width)), pair_products);
  }
  weights += word_vectors * width;
  for (std::size_t k = 0; k < p.groups; ++k, weights += 2 * word_vectors * width) {
    ahead.Fetch();
    VectorOfWords w[word_vectors][2];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < word_vectors; ++v)
#pragma GCC unroll 2
      for (std::size_t half = 0; half < 2; ++half) {
        w[v][half] = hn::Load(dw, weights + (v * 2 + half) * width);
        KeepInRegister(w[v][half]);
      }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r) AddRow(row[r] + k * 2 * word_group, w, sums[r]);
  }
  Dequantizer<one_for_all> dequantizer(p);
  hn::Vec<Sums> part_of_row[rows];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) part_of_row[r] = dequantizer.PartOfRow(p, first_row + r);
#pragma GCC unroll 2
  for (std::size_t v = 0; v < word_vectors; ++v) {
    const std::size_t column = first + v * lanes;
    dequantizer.MoveTo(p, column);
    const auto bias = p.bias ? hn::Load(d, p.bias + column) : hn::Zero(d);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r)
      hn::Store(dequantizer.Of(sums[r][v], part_of_row[r], bias), d, p.out + (first_row + r) * p.out_stride + column);
  }
}

using TileOfWords = void (*)(const QuantizedProduct&, std::size_t first_row, std::size_t piece, LinesAhead ahead);

/// By number of rows.
template <bool one_for_all, std::size_t... i>
constexpr std::array<TileOfWords, sizeof...(i)> AllTilesOfWords(std::index_sequence<i...>) {
  return {MultiplyTileOfWords<one_for_all, i + 1>...};
}

inline void MultiplyWords(const QuantizedProduct& p) {
  static constexpr auto indices = std::make_index_sequence<tile_of_words>();
  static constexpr std::array<TileOfWords, tile_of_words> tiles[] = {AllTilesOfWords<false>(indices),
                                                                     AllTilesOfWords<true>(indices)};
  const std::size_t pieces = p.blocks * quantized_vectors / word_vectors;
  const std::size_t count = (p.row_count + tile_of_words - 1) / tile_of_words;
  const std::size_t bytes = words_of_piece(HWY_LANES(float), p.groups) * sizeof(std::int16_t);
  for (std::size_t piece = 0; piece < pieces; ++piece)
    for (std::size_t i = 0; i < count; ++i) {
      const char* next = static_cast<const char*>(p.panels) + (piece + 1) * bytes;
      const std::size_t row = p.row_count * i / count, rows = p.row_count * (i + 1) / count - row;
      tiles[p.one_for_all][rows - 1](p, row, piece, LinesAhead(next, bytes, p.groups, i, count));
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
