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

inline void Range(const float* values, std::size_t count, float& low, float& high) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto lowest = hn::Set(d, low), highest = hn::Set(d, high);
  std::size_t i = 0;
  // Of a NaN and a number, x86's instructions take the second.
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
  const hn::RebindToSigned<decltype(d)> di;
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
