// The vector kernels, compiled once for AVX2 with FMA and once for AVX-512 (Highway's target AVX3).

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/cpu/kernels_simd.cpp"
#include <hwy/foreach_target.h>
// Highway finds the targets first, then the kernels are written for each.
#include <hwy/highway.h>

#include "optimized/cpu/kernels_simd.hpp"
#include "optimized/cpu/simd_cells-inl.hpp"
#include "optimized/cpu/simd_dots-inl.hpp"
#include "optimized/cpu/simd_elements-inl.hpp"
#include "optimized/cpu/simd_functions-inl.hpp"
#include "optimized/cpu/simd_lstm_of_row-inl.hpp"
#include "optimized/cpu/simd_pack-inl.hpp"
#include "optimized/cpu/simd_pairs-inl.hpp"
#include "optimized/cpu/simd_product-inl.hpp"
#include "optimized/cpu/simd_quantize-inl.hpp"
#include "optimized/cpu/simd_quantized-inl.hpp"
#include "optimized/cpu/simd_tiles-inl.hpp"
#include "optimized/cpu/simd_words-inl.hpp"

#if HWY_TARGET <= HWY_AVX2  // Highway also offers the compiler's baseline, which the portable kernels serve

HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

template <class Real>
constexpr Kernels<Real> table{HWY_LANES(Real),
                              PieceFor,
                              Multiply<OneFactor<Real>>,
                              MultiplyOneRow<OneFactor<Real>>,
                              Dots<Real>,
                              Lstm<Real>,
                              LstmOfOneRow<OneFactor<Real>>,
                              GruAfter<Real>,
                              GruGates<Real>,
                              GruState<Real>,
                              Rnn<Real>,
                              Pack<Real>,
                              AllFinite<Real>,
                              ActivateAll<Real>,
                              Widen<Real>,
                              Narrow<Real>};

#if HWY_TARGET == HWY_AVX2
constexpr QuantizedKernels quantized_table{
    HWY_LANES(float),
    {DotOfSignedQuads::group, false, 2 * DotOfSignedQuads::most_rows, 128, MultiplyQuads, LstmOfRowOfQuads, Quantize},
    {word_group, true, rows_of_words, 0, MultiplyWords, nullptr, QuantizeToWords},
    Range};
#endif
#if HWY_TARGET == HWY_AVX3
constexpr PairKernels<float> pair_table{Multiply<PairOfBFloat16>,
                                        MultiplyOneRow<PairOfBFloat16>,
                                        LstmOfOneRow<PairOfBFloat16>,
                                        Multiply<WidenedPair>,
                                        LeastMagnitude,
                                        nullptr,
                                        nullptr};
constexpr Kernels<float> table_with_pairs = [] {
  Kernels<float> kernels = table<float>;
  kernels.pairs = &pair_table;
  return kernels;
}();
constexpr PairKernels<float> pair_table_of_tiles{
    MultiplyPairsInTiles, MultiplyPairsInTiles,     nullptr, Multiply<WidenedPair>,
    LeastMagnitude,       multiply_in_tiles<float>, Split};
constexpr Kernels<float> table_with_tiles = [] {
  Kernels<float> kernels = table<float>;
  kernels.piece_for = PieceForTiles;
  kernels.pairs = &pair_table_of_tiles;
  kernels.products_bytes = std::size_t{64} << 10;
  kernels.finish = release_tiles;
  return kernels;
}();
#endif
template <class Dot>
constexpr QuantizedFormat format_of{Dot::group,     false,   2 * Dot::most_rows, 0, MultiplyBytes<Dot>,
                                    LstmOfRow<Dot>, Quantize};
template <class Dot>
constexpr QuantizedKernels quantized_table_of{HWY_LANES(float), format_of<Dot>, format_of<Dot>, Range};
#if HWY_TARGET == HWY_AVX3
constexpr QuantizedKernels quantized_table_of_tiles{
    HWY_LANES(float),
    format_of<DotOfQuads>,
    {DotOfQuads::group, false, rows_of_tiles, 0, MultiplyBytesInTiles, nullptr, Quantize, rows_of_tile},
    Range};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace cellproof::cpu {

template <>
const Kernels<float>& avx2_kernels() {
  return N_AVX2::table<float>;
}
template <>
const Kernels<double>& avx2_kernels() {
  return N_AVX2::table<double>;
}
template <>
const Kernels<float>& avx512_kernels() {
  return N_AVX3::table<float>;
}
template <>
const Kernels<double>& avx512_kernels() {
  return N_AVX3::table<double>;
}
const Kernels<float>& avx512_bf16_kernels() {
  return N_AVX3::table_with_pairs;
}
const Kernels<float>& amx_kernels() {
  return N_AVX3::table_with_tiles;
}

const QuantizedKernels& avx2_quantized_kernels() {
  return N_AVX2::quantized_table;
}
const QuantizedKernels& avx_vnni_quantized_kernels() {
  return N_AVX2::quantized_table_of<N_AVX2::DotOfQuadsOfAvxVnni>;
}
const QuantizedKernels& avx512_quantized_kernels() {
  return N_AVX3::quantized_table_of<N_AVX3::DotOfPairs>;
}
const QuantizedKernels& vnni_quantized_kernels() {
  return N_AVX3::quantized_table_of<N_AVX3::DotOfQuads>;
}
const QuantizedKernels& amx_quantized_kernels() {
  return N_AVX3::quantized_table_of_tiles;
}

}  // namespace cellproof::cpu
#endif
