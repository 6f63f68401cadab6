// 16-bit elements to float and back, on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "optimized/cpu/elements.hpp"

#if defined(CELLPROOF_CPU_SIMD_ELEMENTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_ELEMENTS_INL
#undef CELLPROOF_CPU_SIMD_ELEMENTS_INL
#else
#define CELLPROOF_CPU_SIMD_ELEMENTS_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using FloatBits = hn::RebindToUnsigned<Floats>;
using HalfBits = hn::Rebind<std::uint16_t, Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;

struct OfFloat16 {
  static HWY_INLINE hn::Vec<Floats> Widen(hn::Vec<HalfBits> bits) {
    return hn::PromoteTo(Floats(), hn::BitCast(Halves(), bits));
  }
  static HWY_INLINE hn::Vec<HalfBits> Narrow(hn::Vec<Floats> value) {
    return hn::BitCast(HalfBits(), hn::DemoteTo(Halves(), value));
  }
};

/// In integers: the processor's own instruction would flush subnormal numbers.
struct OfBFloat16 {
  static HWY_INLINE hn::Vec<Floats> Widen(hn::Vec<HalfBits> bits) {
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(FloatBits(), bits)));
  }
  static HWY_INLINE hn::Vec<HalfBits> Narrow(hn::Vec<Floats> value) {
    const FloatBits d;
    const auto bits = hn::BitCast(d, value), upper = hn::ShiftRight<16>(bits);
    const auto to_even = hn::Add(hn::Set(d, 0x7FFF), hn::And(upper, hn::Set(d, 1)));
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, to_even));
    const auto quiet = hn::Or(upper, hn::Set(d, 0x40));
    return hn::TruncateTo(HalfBits(), hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(value)), quiet, rounded));
  }
};

template <class Type>
void WidenAll(cellproof_type type, const void* data, std::size_t first, std::size_t count, float* result) {
  const auto* stored = static_cast<const std::uint16_t*>(data) + first;
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(Type::Widen(hn::LoadU(HalfBits(), stored + i)), Floats(), result + i);
  widen(type, data, first + i, count - i, result + i);
}

template <class Type>
void NarrowAll(cellproof_type type, const float* values, std::size_t count, void* data, std::size_t first) {
  auto* stored = static_cast<std::uint16_t*>(data) + first;
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(Type::Narrow(hn::LoadU(Floats(), values + i)), HalfBits(), stored + i);
  narrow(type, values + i, count - i, data, first + i);
}

/// All other types are as long as Real, and copied.
template <class Real>
void Widen(cellproof_type type, const void* data, std::size_t first, std::size_t count, Real* result) {
  if constexpr (std::is_same_v<Real, float>) {
    if (type == CELLPROOF_FLOAT16) return WidenAll<OfFloat16>(type, data, first, count, result);
    if (type == CELLPROOF_BFLOAT16) return WidenAll<OfBFloat16>(type, data, first, count, result);
  }
  widen(type, data, first, count, result);
}

template <class Real>
void Narrow(cellproof_type type, const Real* values, std::size_t count, void* data, std::size_t first) {
  if constexpr (std::is_same_v<Real, float>) {
    if (type == CELLPROOF_FLOAT16) return NarrowAll<OfFloat16>(type, values, count, data, first);
    if (type == CELLPROOF_BFLOAT16) return NarrowAll<OfBFloat16>(type, values, count, data, first);
  }
  narrow(type, values, count, data, first);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
