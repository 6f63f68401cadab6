// Pairs of bfloat16 as factors of products, on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "optimized/cpu/pairs.hpp"

#if defined(CELLPROOF_CPU_SIMD_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_PAIRS_INL
#undef CELLPROOF_CPU_SIMD_PAIRS_INL
#else
#define CELLPROOF_CPU_SIMD_PAIRS_INL
#endif

#if HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Two products at once. Written as assembly because Highway 1.0.3 does not have the instruction, and because gcc 12
/// copies a register around each use of its intrinsic.
struct PairOfBFloat16 {
  using Real = float;
  template <class V>
  static HWY_INLINE void Add(const V& x, const V& weights, V& sum) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(weights.raw));
  }
};

/// The two products one after the other, each factor a float.
struct WidenedPair {
  using Real = float;
  template <class V>
  static HWY_INLINE void Add(const V& x, const V& weights, V& sum) {
    sum = hn::MulAdd(Upper(x), Upper(weights), hn::MulAdd(Lower(x), Lower(weights), sum));
  }

 private:
  using Lanes = hn::ScalableTag<float>;
  using Bits = hn::RebindToUnsigned<Lanes>;
  template <class V>
  static HWY_INLINE V Lower(const V& pair) {
    return hn::BitCast(Lanes(), hn::ShiftLeft<16>(hn::BitCast(Bits(), pair)));
  }
  template <class V>
  static HWY_INLINE V Upper(const V& pair) {
    return hn::BitCast(Lanes(), hn::And(hn::BitCast(Bits(), pair), hn::Set(Bits(), 0xFFFF0000U)));
  }
};

/// Zero, less one, is the greatest number.
inline std::uint16_t LeastMagnitude(const void* numbers, std::size_t count) {
  const hn::ScalableTag<std::uint16_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto* from = static_cast<const char*>(numbers);
  const auto magnitudes = hn::Set(d, 0x7FFF), one = hn::Set(d, 1);
  auto least = hn::Set(d, no_magnitude);
  std::size_t i = 0;
  HWY_ALIGN std::uint16_t some[HWY_LANES(std::uint16_t)] = {};
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(from) + i);
    least = hn::Min(least, hn::Sub(hn::And(bits, magnitudes), one));
  }
  if (i < count) {
    std::memcpy(some, from + i * sizeof some[0], (count - i) * sizeof some[0]);
    least = hn::Min(least, hn::Sub(hn::And(hn::Load(d, some), magnitudes), one));
  }
  const std::uint16_t result = hn::GetLane(hn::MinOfLanes(d, least));
  return result == no_magnitude ? no_magnitude : static_cast<std::uint16_t>(result + 1);
}

/// Below this exponent the last bits of a float may be below bfloat16's subnormal numbers.
constexpr std::uint32_t least_split_exponent = 27U << 23;

/// Cuts off rather than rounds: a rounded first part could be infinite. What is not finite has one part only.
inline void Split(const float* values, std::size_t count, std::uint16_t* parts, std::size_t part_stride) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const hn::RebindToSigned<decltype(d)> integers;
  const hn::Rebind<std::uint16_t, decltype(d)> halves;
  const auto upper_half = hn::Set(bits, 0xFFFF0000U), exponent = hn::Set(bits, 0x7F800000U);
  const auto upper = [&](auto value) HWY_ATTR { return hn::BitCast(d, hn::And(hn::BitCast(bits, value), upper_half)); };
  const auto store = [&](auto value, std::uint16_t* to) HWY_ATTR {
    const auto shifted = hn::ShiftRight<16>(hn::BitCast(bits, value));
    hn::StoreU(hn::DemoteTo(halves, hn::BitCast(integers, shifted)), halves, to);
  };
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto x = hn::IfThenElseZero(hn::FirstN(d, count - i), hn::LoadU(d, values + i));
    const auto own_exponent = hn::And(hn::BitCast(bits, x), exponent);
    const auto is_finite = hn::RebindMask(d, hn::Ne(own_exponent, exponent));
    const auto first = upper(x);
    const auto rest = hn::IfThenElseZero(is_finite, hn::Sub(x, first));
    const auto middle = upper(rest);
    const auto is_small =
        hn::And(hn::RebindMask(d, hn::Lt(own_exponent, hn::Set(bits, least_split_exponent))), hn::Ne(x, hn::Zero(d)));
    const auto last = hn::IfThenElse(is_small, hn::BitCast(d, hn::Set(bits, 0x00010000U)), hn::Sub(rest, middle));
    store(last, parts + i);
    store(middle, parts + part_stride + i);
    store(first, parts + 2 * part_stride + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
