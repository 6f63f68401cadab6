// Products of bytes on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "optimized/cpu/quantized_kernels.hpp"
#include "optimized/cpu/simd_cells-inl.hpp"

#if defined(CELLPROOF_CPU_SIMD_QUANTIZED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_QUANTIZED_INL
#undef CELLPROOF_CPU_SIMD_QUANTIZED_INL
#else
#define CELLPROOF_CPU_SIMD_QUANTIZED_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Sums = hn::ScalableTag<std::int32_t>;

inline std::int32_t FourBytes(const std::uint8_t* row) {
  std::int32_t four;
  std::memcpy(&four, row, sizeof four);
  return four;
}

/// A sum of one register, as most ways to multiply need it.
struct OneSum {
  using Sum = hn::Vec<Sums>;
  static HWY_INLINE Sum Zero() { return hn::Zero(Sums()); }
  static HWY_INLINE Sum Merge(const Sum& a, const Sum& b) { return hn::Add(a, b); }
  static HWY_INLINE Sum Finish(const Sum& sum) { return sum; }
};

#if HWY_TARGET == HWY_AVX2
constexpr std::int32_t four_times_128 = static_cast<std::int32_t>(0x80808080U);

/// Four bytes of a row at once. AVX2's byte instruction multiplies unsigned with signed bytes and adds two products in
/// 16 bits, where two of 255 * 127 have no room. Bytes less 128 are signed: their magnitudes are at most 128, and two
/// products with weights from -127 to 127 do have room. The sign of the byte goes to the weight.
struct DotOfSignedQuads : OneSum {
  using OfOneRow = DotOfSignedQuads;
  static constexpr std::size_t group = 4, most_rows = 2, sets_of_one_row = 1;
  struct Row {
    __m256i bytes, magnitudes;
  };
  static HWY_INLINE Row Take(const std::uint8_t* row) {
    const __m256i bytes = _mm256_set1_epi32(FourBytes(row) ^ four_times_128);
    return {bytes, _mm256_abs_epi8(bytes)};
  }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    __m256i w;
    asm("vmovdqa %[weights], %[w]\n"
        "vpsignb %[bytes], %[w], %[w]\n"
        "vpmaddubsw %[w], %[magnitudes], %[w]\n"
        "vpmaddwd %[w], %[ones], %[w]\n"
        "vpaddd %[w], %[sum], %[sum]\n"
        : [sum] "+x"(sum.raw), [w] "=&x"(w)
        : [bytes] "x"(row.bytes), [magnitudes] "x"(row.magnitudes), [ones] "x"(_mm256_set1_epi16(1)),
          [weights] "m"(*reinterpret_cast<const __m256i*>(weights)));
  }
};

/// The same for weights among which there is -128, whose sign cannot be changed in a byte: in 16 bits.
struct DotOfWideQuads {
  using OfOneRow = DotOfWideQuads;
  static constexpr std::size_t group = 4, most_rows = 1, sets_of_one_row = 1;
  using V = hn::Vec<Sums>;
  /// Pairs of products of the lower four lanes, and of the upper four.
  struct Sum {
    __m256i lower, upper;
  };
  using Row = __m256i;
  static HWY_INLINE Sum Zero() { return {_mm256_setzero_si256(), _mm256_setzero_si256()}; }
  static HWY_INLINE Row Take(const std::uint8_t* row) {
    return _mm256_cvtepi8_epi16(_mm_set1_epi32(FourBytes(row) ^ four_times_128));
  }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    const auto wide = [](const std::int8_t* sixteen) HWY_ATTR {
      return _mm256_cvtepi8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(sixteen)));
    };
    sum.lower = _mm256_add_epi32(sum.lower, _mm256_madd_epi16(row, wide(weights)));
    sum.upper = _mm256_add_epi32(sum.upper, _mm256_madd_epi16(row, wide(weights + 16)));
  }
  static HWY_INLINE Sum Merge(const Sum& a, const Sum& b) {
    return {_mm256_add_epi32(a.lower, b.lower), _mm256_add_epi32(a.upper, b.upper)};
  }
  static HWY_INLINE V Finish(const Sum& sum) {
    constexpr int halves_together = 0b11011000;
    return V{_mm256_permute4x64_epi64(_mm256_hadd_epi32(sum.lower, sum.upper), halves_together)};
  }
};
#endif

#if HWY_TARGET == HWY_AVX2
/// Four bytes of a row at once by AVX-VNNI. With 16 registers a tile is 3 rows, and weights stay in memory. Written as
/// assembly because this target does not have the instruction.
struct DotOfQuadsOfAvxVnni : OneSum {
  using OfOneRow = DotOfQuadsOfAvxVnni;
  static constexpr std::size_t group = 4, most_rows = 3, sets_of_one_row = 2;
  using Row = Sum;
  static HWY_INLINE Row Take(const std::uint8_t* row) { return hn::Set(Sums(), FourBytes(row)); }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum.raw) : "x"(row.raw), "m"(*reinterpret_cast<const __m256i*>(weights)));
  }
};
#endif

#if HWY_TARGET == HWY_AVX3
/// Two bytes of a row at once, as 16-bit integers.
struct DotOfPairs : OneSum {
  using OfOneRow = DotOfPairs;
  static constexpr std::size_t group = 2, most_rows = 6, sets_of_one_row = 2;
  using Row = Sum;
  static HWY_INLINE Row Take(const std::uint8_t* row) {
    return hn::Set(Sums(), static_cast<std::int32_t>(row[0] | row[1] << 16));
  }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    const hn::Repartition<std::int16_t, Sums> wide;
    const hn::Rebind<std::int8_t, decltype(wide)> narrow;
    Sum unused = hn::Zero(Sums());
    sum = hn::ReorderWidenMulAccumulate(Sums(), hn::BitCast(wide, row), hn::PromoteTo(wide, hn::Load(narrow, weights)),
                                        sum, unused);
  }
};

/// The same instruction with the weights in memory, which are of no use to another row.
struct DotOfQuadsInMemory;

/// Four bytes of a row at once. Written as assembly because Highway 1.0.3 does not have the instruction, and because
/// gcc 12 copies a register around each use of its intrinsic.
struct DotOfQuads : OneSum {
  using OfOneRow = DotOfQuadsInMemory;
  static constexpr std::size_t group = 4, most_rows = 6, sets_of_one_row = 2;
  using Row = Sum;
  static HWY_INLINE Row Take(const std::uint8_t* row) { return hn::Set(Sums(), FourBytes(row)); }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    const Sum w = hn::Load(Sums(), reinterpret_cast<const std::int32_t*>(weights));
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(row.raw), "v"(w.raw));
  }
};

struct DotOfQuadsInMemory : DotOfQuads {
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(row.raw), "m"(*reinterpret_cast<const __m512i*>(weights)));
  }
};
#endif

/// The sums of a tile of rows with one block, into sums[row][vector]. One row alone gets two sums for each vector where
/// an addition takes so long that it would wait for its own last one (integers: the order does not matter).
template <class Dot, std::size_t rows>
HWY_INLINE void SumsOfBlock(const std::uint8_t* const* rows_of_bytes, std::size_t groups,
                            const std::int8_t* HWY_RESTRICT weights,
                            typename Dot::Sum (&sums)[rows][quantized_vectors]) {
  using Way = std::conditional_t<rows == 1, typename Dot::OfOneRow, Dot>;
  constexpr std::size_t sets = rows == 1 ? Dot::sets_of_one_row : 1;
  const std::size_t width = hn::Lanes(Sums()) * Dot::group;
  const std::uint8_t* row_bytes[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) row_bytes[r] = rows_of_bytes[r];
  typename Dot::Sum all[sets][rows][quantized_vectors];
#pragma GCC unroll 2
  for (std::size_t s = 0; s < sets; ++s)
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < quantized_vectors; ++v) all[s][r][v] = Dot::Zero();
  const auto add = [&](std::size_t k, auto& into) HWY_ATTR {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const typename Dot::Row row = Dot::Take(row_bytes[r] + k * Dot::group);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < quantized_vectors; ++v) Way::Add(row, weights + v * width, into[r][v]);
    }
    weights += quantized_vectors * width;
  };
  std::size_t k = 0;
  for (; k + sets <= groups; k += sets) {
    add(k, all[0]);
    if constexpr (sets == 2) add(k + 1, all[1]);
  }
  if (k < groups) add(k, all[0]);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < quantized_vectors; ++v)
      sums[r][v] = sets == 2 ? Dot::Merge(all[0][r][v], all[sets - 1][r][v]) : all[0][r][v];
}

/// Floats of the exact sums, of one vector of columns after the other.
template <bool one_for_all>
class Dequantizer {
 public:
  using V = hn::Vec<hn::ScalableTag<float>>;
  HWY_INLINE explicit Dequantizer(const QuantizedProduct& p)
      : byte_zero_point_(hn::Set(Sums(), p.quantization.zero_point)),
        byte_scale_(hn::Set(hn::ScalableTag<float>(), p.quantization.scale)),
        factor_(hn::Mul(byte_scale_, hn::Set(hn::ScalableTag<float>(), p.scale[0]))) {}

  HWY_INLINE void MoveTo(const QuantizedProduct& p, std::size_t column) {
    moved_ = hn::Mul(byte_zero_point_, hn::Load(Sums(), p.column_sum + column));
    if constexpr (one_for_all) return;
    factor_ = hn::Mul(byte_scale_, hn::Load(hn::ScalableTag<float>(), p.scale + column));
    zero_point_ = hn::Load(Sums(), p.zero_point + column);
  }
  /// A row's sum of bytes, times the zero point where that is the same in all columns.
  static HWY_INLINE hn::Vec<Sums> PartOfRow(const QuantizedProduct& p, std::size_t row) {
    const auto sum = hn::Set(Sums(), p.row_sums[row].bytes - p.offset);
    return one_for_all ? hn::Mul(sum, hn::Set(Sums(), p.zero_point[0])) : sum;
  }
  HWY_INLINE V Of(hn::Vec<Sums> sum, hn::Vec<Sums> part_of_row, V bias) const {
    if constexpr (!one_for_all) part_of_row = hn::Mul(part_of_row, zero_point_);
    const auto exact = hn::Sub(hn::Sub(sum, moved_), part_of_row);
    return hn::MulAdd(hn::ConvertTo(hn::ScalableTag<float>(), exact), factor_, bias);
  }

 private:
  const hn::Vec<Sums> byte_zero_point_;
  const V byte_scale_;
  V factor_;
  hn::Vec<Sums> zero_point_ = hn::Zero(Sums()), moved_ = hn::Zero(Sums());
};

/// A tile of rows and one block.
template <class Dot, bool one_for_all, std::size_t rows>
HWY_NOINLINE void MultiplyTileOfBytes(const QuantizedProduct& all, std::size_t first_row, std::size_t block) {
  const QuantizedProduct p = all;  // a copy, else gcc reads it anew after each store
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), first = block * quantized_vectors * lanes;
  typename Dot::Sum sums[rows][quantized_vectors];
  const auto* panels = static_cast<const std::int8_t*>(p.panels);
  SumsOfBlock<Dot>(p.rows + first_row, p.groups, panels + first * p.groups * Dot::group, sums);
  Dequantizer<one_for_all> dequantizer(p);
  hn::Vec<Sums> part_of_row[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) part_of_row[r] = dequantizer.PartOfRow(p, first_row + r);
#pragma GCC unroll 4
  for (std::size_t v = 0; v < quantized_vectors; ++v) {
    const std::size_t column = first + v * lanes;
    dequantizer.MoveTo(p, column);
    const auto bias = p.bias ? hn::Load(d, p.bias + column) : hn::Zero(d);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r)
      hn::Store(dequantizer.Of(Dot::Finish(sums[r][v]), part_of_row[r], bias), d,
                p.out + (first_row + r) * p.out_stride + column);
  }
}

using TileOfBytes = void (*)(const QuantizedProduct&, std::size_t first_row, std::size_t block);

/// By number of rows.
template <class Dot, bool one_for_all, std::size_t... i>
constexpr std::array<TileOfBytes, sizeof...(i)> AllTilesOfBytes(std::index_sequence<i...>) {
  return {MultiplyTileOfBytes<Dot, one_for_all, i + 1>...};
}

template <class Dot>
void MultiplyBytes(const QuantizedProduct& p) {
  static constexpr auto indices = std::make_index_sequence<Dot::most_rows>();
  static constexpr std::array<TileOfBytes, Dot::most_rows> tiles[] = {AllTilesOfBytes<Dot, false>(indices),
                                                                      AllTilesOfBytes<Dot, true>(indices)};
  const std::size_t count = (p.row_count + Dot::most_rows - 1) / Dot::most_rows;
  for (std::size_t block = 0; block < p.blocks; ++block)
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = p.row_count * i / count, rows = p.row_count * (i + 1) / count - row;
      tiles[p.one_for_all][rows - 1](p, row, block);
    }
}

/// A block's cell is made while the weights of the next one come from a cache further away.
template <class Dot, bool one_for_all, class F>
HWY_NOINLINE void MultiplyRowForLstm(const QuantizedProduct& p, const LstmStep<float>& step, bool backwards) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), width = quantized_vectors * lanes;
  const LstmCell<float, F> cell(step);
  Dequantizer<one_for_all> dequantizer(p);
  const auto part_of_row = dequantizer.PartOfRow(p, 0);
  const auto* panels = static_cast<const std::int8_t*>(p.panels);
  for (std::size_t i = 0; i < p.blocks; ++i) {
    const std::size_t block = backwards ? p.blocks - 1 - i : i;
    typename Dot::Sum sums[1][quantized_vectors];
    SumsOfBlock<Dot>(p.rows, p.groups, panels + block * width * p.groups * Dot::group, sums);
    hn::Vec<decltype(d)> gates[quantized_vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < quantized_vectors; ++v) {
      const std::size_t column = block * width + v * lanes;
      dequantizer.MoveTo(p, column);
      gates[v] = hn::Add(hn::Load(d, step.gates.input + column),
                         dequantizer.Of(Dot::Finish(sums[0][v]), part_of_row, hn::Zero(d)));
    }
    cell.Second(cell.First(gates[0], gates[1], gates[2], gates[3], block * lanes));
  }
}

template <class Dot, class F>
void MultiplyRowForLstmOf(const QuantizedProduct& p, const LstmStep<float>& step, bool backwards) {
  p.one_for_all ? MultiplyRowForLstm<Dot, true, F>(p, step, backwards)
                : MultiplyRowForLstm<Dot, false, F>(p, step, backwards);
}

template <class Dot>
void LstmOfRow(const QuantizedProduct& p, const LstmStep<float>& step, bool backwards) {
  IsDefault(step) ? MultiplyRowForLstmOf<Dot, DefaultFunctions<float>>(p, step, backwards)
                  : MultiplyRowForLstmOf<Dot, AnyFunctions<float>>(p, step, backwards);
}

#if HWY_TARGET == HWY_AVX2
inline void MultiplyQuads(const QuantizedProduct& p) {
  p.weights_reach_lowest ? MultiplyBytes<DotOfWideQuads>(p) : MultiplyBytes<DotOfSignedQuads>(p);
}
inline void LstmOfRowOfQuads(const QuantizedProduct& p, const LstmStep<float>& step, bool backwards) {
  p.weights_reach_lowest ? LstmOfRow<DotOfWideQuads>(p, step, backwards)
                         : LstmOfRow<DotOfSignedQuads>(p, step, backwards);
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
