// Products of bytes on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

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

/// Two bytes of a row at once, as 16-bit integers: exact, where the products of AVX2's own byte instruction saturate.
struct DotOfPairs {
  static constexpr std::size_t group = 2;
  using V = hn::Vec<Sums>;
  static HWY_INLINE V Row(const std::uint8_t* row) {
    return hn::Set(Sums(), static_cast<std::int32_t>(row[0] | row[1] << 16));
  }
  static HWY_INLINE void Add(V row, const std::int8_t* weights, V& sum) {
    const hn::Repartition<std::int16_t, Sums> wide;
    const hn::Rebind<std::int8_t, decltype(wide)> narrow;
    V unused = hn::Zero(Sums());
    sum = hn::ReorderWidenMulAccumulate(Sums(), hn::BitCast(wide, row), hn::PromoteTo(wide, hn::Load(narrow, weights)),
                                        sum, unused);
  }
};

#if HWY_TARGET == HWY_AVX3
/// Four bytes of a row at once. Written as assembly because Highway 1.0.3 does not have the instruction, and because
/// gcc 12 copies a register around each use of its intrinsic.
struct DotOfQuads {
  static constexpr std::size_t group = 4;
  using V = hn::Vec<Sums>;
  static HWY_INLINE V Row(const std::uint8_t* row) {
    std::int32_t four;
    std::memcpy(&four, row, sizeof four);
    return hn::Set(Sums(), four);
  }
  static HWY_INLINE void Add(V row, const std::int8_t* weights, V& sum) {
    const V w = hn::Load(Sums(), reinterpret_cast<const std::int32_t*>(weights));
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(row.raw), "v"(w.raw));
  }
};
#endif

constexpr std::size_t quantized_vectors = 4;
constexpr std::size_t most_quantized_rows = HWY_TARGET <= HWY_AVX3 ? 6 : 3;

/// A tile of rows; one row alone gets two sums for each vector, so that it need not wait for its own last addition
/// (integers: the order does not matter).
template <class Dot, std::size_t rows>
HWY_NOINLINE void MultiplyBytes(const QuantizedMultiplication& m) {
  constexpr std::size_t sets = rows == 1 ? 2 : 1;
  const Sums d;
  const std::size_t lanes = hn::Lanes(d), step = quantized_vectors * lanes * Dot::group;
  using V = hn::Vec<Sums>;
  V sums[sets][rows][quantized_vectors];
#pragma GCC unroll 2
  for (std::size_t s = 0; s < sets; ++s)
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < quantized_vectors; ++v) sums[s][r][v] = hn::Zero(d);
  const std::int8_t* HWY_RESTRICT weights = m.panel;
  const auto add = [&](std::size_t k, auto& into) HWY_ATTR {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const V row = Dot::Row(m.rows[r] + k * Dot::group);
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
      if constexpr (sets == 2) sums[0][r][v] = hn::Add(sums[0][r][v], sums[1][r][v]);
      hn::Store(sums[0][r][v], d, m.sums + r * m.stride + v * lanes);
    }
}

template <class Dot>
void MultiplyRowsOfBytes(const QuantizedMultiplication& m) {
  using Multiplier = void (*)(const QuantizedMultiplication&);
  static constexpr std::array<Multiplier, 6> tiles{MultiplyBytes<Dot, 1>, MultiplyBytes<Dot, 2>, MultiplyBytes<Dot, 3>,
                                                   MultiplyBytes<Dot, 4>, MultiplyBytes<Dot, 5>, MultiplyBytes<Dot, 6>};
  tiles[m.row_count - 1](m);
}

inline void Dequantize(const Dequantization& q) {
  const Sums d;
  const hn::ScalableTag<float> df;
  const auto row_sum = hn::Set(d, q.row_sum), zero_point = hn::Set(d, q.quantization.zero_point);
  const auto scale = hn::Set(df, q.quantization.scale);
  for (std::size_t i = 0; i < q.columns; i += hn::Lanes(d)) {
    auto sum = hn::Load(d, q.sums + i);
    sum = hn::Sub(sum, hn::Mul(row_sum, hn::Load(d, q.zero_point + i)));
    sum = hn::Sub(sum, hn::Mul(zero_point, hn::Load(d, q.column_sum + i)));
    const auto factor = hn::Mul(scale, hn::Load(df, q.scale + i));
    hn::Store(hn::MulAdd(hn::ConvertTo(df, sum), factor, hn::Load(df, q.bias + i)), df, q.out + i);
  }
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
