// Products in tile registers, and what is done with their sums on vectors; included once per target.

#include <hwy/highway.h>

#include <cstdint>

#include "optimized/cpu/amx.hpp"
#include "optimized/cpu/simd_quantized-inl.hpp"

#if defined(CELLPROOF_CPU_SIMD_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_TILES_INL
#undef CELLPROOF_CPU_SIMD_TILES_INL
#else
#define CELLPROOF_CPU_SIMD_TILES_INL
#endif

#if HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Two tiles of weights are multiplied with two of rows, so pieces are even.
inline std::size_t PieceForTiles(std::size_t, std::size_t, bool) {
  return most_piece;
}

/// The bias comes last, and by an instruction that takes no number for zero.
inline void MultiplyPairsInTiles(const Multiplication<float>& m) {
  multiply_in_tiles<float>(
      {{{m.rows, 0, m.panel, m.length}}, 1, m.row_count, m.vectors, m.piece, nullptr, 0, m.out, m.out_stride});
  if (!m.bias) return;
  const hn::ScalableTag<float> d;
  for (std::size_t r = 0; r < m.row_count; ++r) {
    float* out = m.out + r * m.out_stride;
    for (std::size_t column = 0; column < m.vectors * hn::Lanes(d); column += hn::Lanes(d))
      hn::Store(hn::Add(hn::Load(d, out + column), hn::Load(d, m.bias + column)), d, out + column);
  }
}

/// Block by block, since rows may be so far apart that few of their lines fit into the nearest cache.
template <bool one_for_all>
void DequantizeInPlace(const QuantizedProduct& p) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t first = 0; first < p.blocks * quantized_vectors * lanes; first += quantized_vectors * lanes) {
    using OfVector = Dequantizer<one_for_all>;
    OfVector dequantizers[quantized_vectors] = {OfVector(p), OfVector(p), OfVector(p), OfVector(p)};
    typename OfVector::V bias[quantized_vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < quantized_vectors; ++v) {
      dequantizers[v].MoveTo(p, first + v * lanes);
      bias[v] = p.bias ? hn::Load(d, p.bias + first + v * lanes) : hn::Zero(d);
    }
    for (std::size_t r = 0; r < p.row_count; ++r) {
      const auto part_of_row = OfVector::PartOfRow(p, r);
      float* out = p.out + r * p.out_stride + first;
#pragma GCC unroll 4
      for (std::size_t v = 0; v < quantized_vectors; ++v, out += lanes)
        hn::Store(dequantizers[v].Of(hn::BitCast(Sums(), hn::Load(d, out)), part_of_row, bias[v]), d, out);
    }
  }
}

constexpr std::size_t rows_of_tile = 16, rows_of_tiles = 2 * rows_of_tile;

/// The sums lie where the floats that are made of them go.
inline void MultiplyBytesInTiles(const QuantizedProduct& p) {
  multiply_in_tiles<std::uint8_t>({{{p.rows, 0, p.panels, p.groups}},
                                   1,
                                   p.row_count,
                                   p.blocks * quantized_vectors,
                                   quantized_vectors,
                                   nullptr,
                                   0,
                                   p.out,
                                   p.out_stride});
  p.one_for_all ? DequantizeInPlace<true>(p) : DequantizeInPlace<false>(p);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
