// Products of bytes on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "optimized/cpu/quantized_kernels.hpp"

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
  static constexpr std::size_t group = 4, most_rows = 2, sets_of_one_row = 1;
  struct Row {
    __m256i bytes, magnitudes;
  };
  static HWY_INLINE Row Take(const std::uint8_t* row) {
    const __m256i bytes = _mm256_set1_epi32(FourBytes(row) ^ four_times_128);
    return {bytes, _mm256_abs_epi8(bytes)};
  }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    const __m256i w = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights));
    const __m256i pairs = _mm256_maddubs_epi16(row.magnitudes, _mm256_sign_epi8(w, row.bytes));
    sum = hn::Add(sum, Sum{_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))});
  }
};

/// The same for weights among which there is -128, whose sign cannot be changed in a byte: in 16 bits.
struct DotOfWideQuads {
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

#if HWY_TARGET == HWY_AVX3
/// Two bytes of a row at once, as 16-bit integers.
struct DotOfPairs : OneSum {
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

/// Four bytes of a row at once. Written as assembly because Highway 1.0.3 does not have the instruction, and because
/// gcc 12 copies a register around each use of its intrinsic.
struct DotOfQuads : OneSum {
  static constexpr std::size_t group = 4, most_rows = 6, sets_of_one_row = 2;
  using Row = Sum;
  static HWY_INLINE Row Take(const std::uint8_t* row) { return hn::Set(Sums(), FourBytes(row)); }
  static HWY_INLINE void Add(const Row& row, const std::int8_t* weights, Sum& sum) {
    const Sum w = hn::Load(Sums(), reinterpret_cast<const std::int32_t*>(weights));
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(row.raw), "v"(w.raw));
  }
};
#endif

constexpr std::size_t quantized_vectors = 4;

/// A tile of rows. One row alone gets two sums for each vector where an addition takes so long that it would wait for
/// its own last one (integers: the order does not matter).
template <class Dot, std::size_t rows>
HWY_NOINLINE void MultiplyBytes(const QuantizedMultiplication& m) {
  constexpr std::size_t sets = rows == 1 ? Dot::sets_of_one_row : 1;
  const Sums d;
  const std::size_t lanes = hn::Lanes(d), step = quantized_vectors * lanes * Dot::group;
  typename Dot::Sum sums[sets][rows][quantized_vectors];
#pragma GCC unroll 2
  for (std::size_t s = 0; s < sets; ++s)
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < quantized_vectors; ++v) sums[s][r][v] = Dot::Zero();
  const std::int8_t* HWY_RESTRICT weights = m.panels;
  const auto add = [&](std::size_t k, auto& into) HWY_ATTR {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const typename Dot::Row row = Dot::Take(m.rows[r] + k * Dot::group);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < quantized_vectors; ++v) Dot::Add(row, weights + v * lanes * Dot::group, into[r][v]);
    }
    weights += step;
  };
  std::size_t k = 0;
  for (; k + sets <= m.groups; k += sets) {
    add(k, sums[0]);
    if constexpr (sets == 2) add(k + 1, sums[1]);
  }
  if (k < m.groups) add(k, sums[0]);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < quantized_vectors; ++v) {
      if constexpr (sets == 2) sums[0][r][v] = Dot::Merge(sums[0][r][v], sums[1][r][v]);
      hn::Store(Dot::Finish(sums[0][r][v]), d, m.sums + r * m.stride + v * lanes);
    }
}

using Multiplier = void (*)(const QuantizedMultiplication&);

/// By number of rows.
template <class Dot, std::size_t... i>
constexpr std::array<Multiplier, sizeof...(i)> AllMultipliers(std::index_sequence<i...>) {
  return {MultiplyBytes<Dot, i + 1>...};
}

template <class Dot>
void MultiplyRowsOfBytes(const QuantizedMultiplication& all) {
  static constexpr auto tiles = AllMultipliers<Dot>(std::make_index_sequence<Dot::most_rows>());
  QuantizedMultiplication m = all;
  const std::size_t width = quantized_vectors * hn::Lanes(Sums());
  for (std::size_t block = 0; block < all.blocks; ++block) {
    m.panels = all.panels + block * all.groups * width * Dot::group;
    for (std::size_t first = 0; first < all.row_count; first += m.row_count) {
      m.rows = all.rows + first;
      m.row_count = HWY_MIN(Dot::most_rows, all.row_count - first);
      m.sums = all.sums + first * all.stride + block * width;
      tiles[m.row_count - 1](m);
    }
  }
}

#if HWY_TARGET == HWY_AVX2
inline void MultiplyQuads(const QuantizedMultiplication& m) {
  m.weights_reach_lowest ? MultiplyRowsOfBytes<DotOfWideQuads>(m) : MultiplyRowsOfBytes<DotOfSignedQuads>(m);
}
#endif

template <bool one_for_all>
HWY_INLINE void DequantizeColumns(const Dequantization& dequantization) {
  const Dequantization q = dequantization;  // else gcc reads it anew after each store
  const Sums d;
  const hn::ScalableTag<float> df;
  const auto byte_zero_point = hn::Set(d, q.quantization.zero_point);
  const auto byte_scale = hn::Set(df, q.quantization.scale);
  auto factor = hn::Mul(byte_scale, hn::Set(df, q.scale[0]));
  auto zero_point = hn::Set(d, q.zero_point[0]);
  for (std::size_t i = 0; i < q.columns; i += hn::Lanes(d)) {
    const auto moved = hn::Mul(byte_zero_point, hn::Load(d, q.column_sum + i));
    const auto bias = q.bias ? hn::Load(df, q.bias + i) : hn::Zero(df);
    if constexpr (!one_for_all) {
      factor = hn::Mul(byte_scale, hn::Load(df, q.scale + i));
      zero_point = hn::Load(d, q.zero_point + i);
    }
    for (std::size_t row = 0; row < q.rows; ++row) {
      const std::int32_t row_sum = q.row_sums[row] - q.offset;
      const auto of_row =
          one_for_all ? hn::Set(d, row_sum * q.zero_point[0]) : hn::Mul(hn::Set(d, row_sum), zero_point);
      const auto sum = hn::Sub(hn::Sub(hn::Load(d, q.sums + row * q.sums_stride + i), moved), of_row);
      hn::Store(hn::MulAdd(hn::ConvertTo(df, sum), factor, bias), df, q.out + row * q.out_stride + i);
    }
  }
}

inline void Dequantize(const Dequantization& q) {
  if (q.columns == 0) return;
  q.one_for_all ? DequantizeColumns<true>(q) : DequantizeColumns<false>(q);
}

inline void Range(const float* values, std::size_t count, float& low, float& high) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto lowest = hn::Set(d, low), highest = hn::Set(d, high);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::LoadU(d, values + i);
    lowest = hn::IfThenElse(hn::Lt(x, lowest), x, lowest);
    highest = hn::IfThenElse(hn::Gt(x, highest), x, highest);
  }
  low = hn::GetLane(hn::MinOfLanes(d, lowest));
  high = hn::GetLane(hn::MaxOfLanes(d, highest));
  scalar_quantized_kernels().range(values + i, count - i, low, high);
}

inline std::int32_t Quantize(const float* values, std::size_t count, const Quantization& quantization,
                             std::uint8_t* bytes) {
  const hn::ScalableTag<float> d;
  const Sums di;
  const hn::Rebind<std::uint8_t, decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, quantization.scale);
  const auto zero_point = hn::Set(di, quantization.zero_point);
  const auto low = hn::Neg(hn::ConvertTo(d, zero_point)), high = hn::Add(hn::Set(d, 255), low);
  auto sum = hn::Zero(di);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto x = hn::Div(hn::LoadU(d, values + i), scale);
    x = hn::IfThenElse(hn::Gt(x, low), x, low);  // a NaN, too, becomes the lower bound
    x = hn::IfThenElse(hn::Lt(x, high), x, high);
    const auto byte = hn::Add(hn::NearestInt(x), zero_point);
    sum = hn::Add(sum, byte);
    hn::StoreU(hn::DemoteTo(du, byte), du, bytes + i);
  }
  return hn::GetLane(hn::SumOfLanes(di, sum)) +
         scalar_quantized_kernels().quantize(values + i, count - i, quantization, bytes + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
