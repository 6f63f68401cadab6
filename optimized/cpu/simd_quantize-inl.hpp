// Floats to bytes, on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "optimized/cpu/quantized_kernels.hpp"

#if defined(CELLPROOF_CPU_SIMD_QUANTIZE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_QUANTIZE_INL
#undef CELLPROOF_CPU_SIMD_QUANTIZE_INL
#else
#define CELLPROOF_CPU_SIMD_QUANTIZE_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// x86's Min and Max of a NaN and a number are the second.
inline void Range(const float* values, std::size_t count, float& low, float& high) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto lowest = hn::Set(d, low), highest = hn::Set(d, high);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::LoadU(d, values + i);
    lowest = hn::Min(x, lowest);
    highest = hn::Max(x, highest);
  }
  low = hn::GetLane(hn::MinOfLanes(d, lowest));
  high = hn::GetLane(hn::MaxOfLanes(d, highest));
  scalar_quantized_kernels().range(values + i, count - i, low, high);
}

/// x / scale, clamped; a NaN, too, becomes the lower bound.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Quotient(D d, V x, V scale, V low, V high) {
  return hn::Min(hn::Max(hn::Div(x, scale), low), high);
}

/// A multiplication by the inverse takes a quarter of a division's time. It is off by at most 3 units of 2^-24, which
/// is less than 2^-14 of what a byte can be: only near the middle between two integers may it be rounded to the other
/// one. Those vectors are divided.
constexpr float surely_no_middle = 0.5F - 0x1p-14F;
/// Scales between these have an inverse that is as exact as other numbers'.
constexpr float least_invertible = 0x1p-100F, greatest_invertible = 0x1p100F;

/// Each byte is stored as one or as a 16-bit word.
template <class Stored>
std::int32_t QuantizeAs(const float* values, std::size_t count, const Quantization& quantization, Stored* row) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> di;
  const hn::Rebind<Stored, decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, quantization.scale);
  const bool invertible = quantization.scale > least_invertible && quantization.scale < greatest_invertible;
  const auto inverse = hn::Set(d, 1 / quantization.scale);
  const auto low = hn::Set(d, static_cast<float>(-quantization.zero_point)), high = hn::Add(hn::Set(d, 255), low);
  // Added to a number of few bits this rounds it to an integer, halves to even, which the sum has in its lowest bits.
  const auto rounder = hn::Set(d, 0x1.8p23F);
  const auto zero_point =
      hn::Sub(hn::Set(di, static_cast<std::uint32_t>(quantization.zero_point)), hn::BitCast(di, rounder));
  auto sum = hn::Zero(di);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto value = hn::LoadU(d, values + i);
    auto x = hn::Min(hn::Max(hn::Mul(value, inverse), low), high);
    auto rounded = hn::Add(x, rounder);
    const auto from_integer = hn::Abs(hn::Sub(x, hn::Sub(rounded, rounder)));
    if (HWY_UNLIKELY(!invertible || !hn::AllTrue(d, hn::Lt(from_integer, hn::Set(d, surely_no_middle))))) {
      x = Quotient(d, value, scale, low, high);
      rounded = hn::Add(x, rounder);
    }
    const auto byte = hn::Add(hn::BitCast(di, rounded), zero_point);
    sum = hn::Add(sum, byte);
    hn::StoreU(hn::TruncateTo(du, byte), du, row + i);
  }
  std::array<std::uint8_t, HWY_LANES(float)> rest;
  const std::int32_t sum_of_rest =
      scalar_quantized_kernels().of_few_rows.quantize(values + i, count - i, quantization, rest.data()).bytes;
  std::copy_n(rest.begin(), count - i, row + i);
  return static_cast<std::int32_t>(hn::GetLane(hn::SumOfLanes(di, sum))) + sum_of_rest;
}

inline RowSums Quantize(const float* values, std::size_t count, const Quantization& quantization, std::uint8_t* row) {
  return {QuantizeAs(values, count, quantization, row)};
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
