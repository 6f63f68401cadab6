// One row times weights as they come, on vectors of the target that is being compiled; included once per target.

#include <hwy/highway.h>

#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/simd_pack-inl.hpp"

#if defined(CELLPROOF_CPU_SIMD_DOTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_DOTS_INL
#undef CELLPROOF_CPU_SIMD_DOTS_INL
#else
#define CELLPROOF_CPU_SIMD_DOTS_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A square's rows. Each has a vector of sums, one for every so many elements; turned, they are added up together.
template <class Real>
void DotsOfSide(const Real* HWY_RESTRICT row, const Real* HWY_RESTRICT weights, std::size_t length, std::size_t count,
                const Real* bias, Real* out) {
  const hn::ScalableTag<Real> d;
  const Square<Real> half;
  constexpr std::size_t side = side_bytes / sizeof(Real);
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sums[side];
  const Real* from[side];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < side; ++i) {
    sums[i] = hn::Zero(d);
    from[i] = weights + HWY_MIN(i, count - 1) * length;
  }
  std::size_t k = 0;
  for (; k + lanes <= length; k += lanes) {
    const auto x = hn::LoadU(d, row + k);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < side; ++i) sums[i] = hn::MulAdd(x, hn::LoadU(d, from[i] + k), sums[i]);
  }
  if (k < length) {
    const auto mask = hn::FirstN(d, length - k);
    const auto x = hn::MaskedLoad(mask, d, row + k);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < side; ++i) sums[i] = hn::MulAdd(x, hn::MaskedLoad(mask, d, from[i] + k), sums[i]);
  }
  hn::Vec<decltype(half)> rows[side], columns[side];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < side; ++i) {
    if constexpr (HWY_LANES(Real) > side) {
      rows[i] = hn::Add(hn::LowerHalf(half, sums[i]), hn::UpperHalf(half, sums[i]));
    } else {
      rows[i] = sums[i];
    }
  }
  Turn(half, rows, columns);
#pragma GCC unroll 8
  for (std::size_t i = 1; i < side; ++i) columns[0] = hn::Add(columns[0], columns[i]);
  if (count < side) {
    HWY_ALIGN Real all[side];
    hn::Store(columns[0], half, all);
    for (std::size_t i = 0; i < count; ++i) out[i] = all[i] + (bias ? bias[i] : 0);
  } else {
    hn::StoreU(bias ? hn::Add(columns[0], hn::LoadU(half, bias)) : columns[0], half, out);
  }
}

template <class Real>
void Dots(const Real* row, const Real* weights, std::size_t length, std::size_t count, const Real* bias, Real* out) {
  constexpr std::size_t side = side_bytes / sizeof(Real);
  for (std::size_t i = 0; i < count; i += side)
    DotsOfSide(row, weights + i * length, length, HWY_MIN(side, count - i), bias ? bias + i : nullptr, out + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
