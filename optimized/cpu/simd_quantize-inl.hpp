// Floats to bytes, on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

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

inline std::int32_t Quantize(const float* values, std::size_t count, const Quantization& quantization,
                             std::uint8_t* bytes) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, quantization.scale);
  const auto low = hn::Set(d, static_cast<float>(-quantization.zero_point)), high = hn::Add(hn::Set(d, 255), low);
  // Added to a number of few bits this rounds it to an integer, halves to even, which the sum has in its lowest bits.
  const auto rounder = hn::Set(d, 0x1.8p23F);
  const auto zero_point =
      hn::Sub(hn::Set(di, static_cast<std::uint32_t>(quantization.zero_point)), hn::BitCast(di, rounder));
  auto sum = hn::Zero(di);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    // A NaN, too, becomes the lower bound.
    const auto x = hn::Min(hn::Max(hn::Div(hn::LoadU(d, values + i), scale), low), high);
    const auto byte = hn::Add(hn::BitCast(di, hn::Add(x, rounder)), zero_point);
    sum = hn::Add(sum, byte);
    hn::StoreU(hn::TruncateTo(du, byte), du, bytes + i);
  }
  return static_cast<std::int32_t>(hn::GetLane(hn::SumOfLanes(di, sum))) +
         scalar_quantized_kernels().quantize(values + i, count - i, quantization, bytes + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
