// Rows of weights, turned into vectors of one element of each, for the target that is being compiled; included once per
// target.

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#if defined(CELLPROOF_CPU_SIMD_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_PACK_INL
#undef CELLPROOF_CPU_SIMD_PACK_INL
#else
#define CELLPROOF_CPU_SIMD_PACK_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Squares of 32 bytes a side are turned: wider vectors are filled in two parts.
constexpr std::size_t side_bytes = 32;
template <class Real>
using Square = hn::CappedTag<Real, side_bytes / sizeof(Real)>;

/// columns[k][row] = rows[row][k]: within blocks of 128 bits first, then blocks against each other.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Turn(D d, const V (&rows)[8], V (&columns)[8]) {
  const hn::Repartition<double, D> pairs;
#pragma GCC unroll 2
  for (std::size_t half = 0; half < 2; ++half) {
    const V* four = rows + 4 * half;
    const auto low_ab = hn::BitCast(pairs, hn::InterleaveLower(d, four[0], four[1]));
    const auto low_cd = hn::BitCast(pairs, hn::InterleaveLower(d, four[2], four[3]));
    const auto high_ab = hn::BitCast(pairs, hn::InterleaveUpper(d, four[0], four[1]));
    const auto high_cd = hn::BitCast(pairs, hn::InterleaveUpper(d, four[2], four[3]));
    columns[4 * half] = hn::BitCast(d, hn::InterleaveLower(pairs, low_ab, low_cd));
    columns[4 * half + 1] = hn::BitCast(d, hn::InterleaveUpper(pairs, low_ab, low_cd));
    columns[4 * half + 2] = hn::BitCast(d, hn::InterleaveLower(pairs, high_ab, high_cd));
    columns[4 * half + 3] = hn::BitCast(d, hn::InterleaveUpper(pairs, high_ab, high_cd));
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    const V lower = columns[i], upper = columns[4 + i];
    columns[i] = hn::ConcatLowerLower(d, upper, lower);
    columns[4 + i] = hn::ConcatUpperUpper(d, upper, lower);
  }
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Turn(D d, const V (&rows)[4], V (&columns)[4]) {
  const V low_ab = hn::InterleaveLower(d, rows[0], rows[1]), high_ab = hn::InterleaveUpper(d, rows[0], rows[1]);
  const V low_cd = hn::InterleaveLower(d, rows[2], rows[3]), high_cd = hn::InterleaveUpper(d, rows[2], rows[3]);
  columns[0] = hn::ConcatLowerLower(d, low_cd, low_ab);
  columns[1] = hn::ConcatLowerLower(d, high_cd, high_ab);
  columns[2] = hn::ConcatUpperUpper(d, low_cd, low_ab);
  columns[3] = hn::ConcatUpperUpper(d, high_cd, high_ab);
}

/// All lanes of the vectors, square by square, so that a line of the cache is written at once.
template <class Real>
bool Pack(const Real* rows, std::size_t row_stride, std::size_t length, Real* out, std::size_t out_stride) {
  const Square<Real> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t side = side_bytes / sizeof(Real), lanes = HWY_LANES(Real);
  V zeros[lanes / side];  // the sums of 0 times everything, which are 0 of what is finite
#pragma GCC unroll 2
  for (V& sum : zeros) sum = hn::Zero(d);
  std::size_t k = 0;
  for (; k + side <= length; k += side) {
#pragma GCC unroll 2
    for (std::size_t square = 0; square < lanes / side; ++square) {
      V from[side], to[side];
#pragma GCC unroll 8
      for (std::size_t row = 0; row < side; ++row) {
        from[row] = hn::LoadU(d, rows + (square * side + row) * row_stride + k);
        zeros[square] = hn::MulAdd(from[row], hn::Zero(d), zeros[square]);
      }
      Turn(d, from, to);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < side; ++i) hn::StoreU(to[i], d, out + (k + i) * out_stride + square * side);
    }
  }
  bool finite = true;
  for (const V& sum : zeros) finite = hn::AllTrue(d, hn::Eq(sum, hn::Zero(d))) && finite;
  for (; k < length; ++k) {
    for (std::size_t row = 0; row < lanes; ++row) {
      const Real value = rows[row * row_stride + k];
      out[k * out_stride + row] = value;
      finite = finite && std::isfinite(value);
    }
  }
  return finite;
}

template <class Real>
bool AllFinite(const Real* values, std::size_t count) {
  const hn::ScalableTag<Real> d;
  constexpr std::size_t sums = 4;  // one would wait for itself
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> zeros[sums] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::size_t i = 0;
  for (; i + sums * lanes <= count; i += sums * lanes)
#pragma GCC unroll 4
    for (std::size_t s = 0; s < sums; ++s)
      zeros[s] = hn::MulAdd(hn::LoadU(d, values + i + s * lanes), hn::Zero(d), zeros[s]);
  const auto all = hn::Add(hn::Add(zeros[0], zeros[1]), hn::Add(zeros[2], zeros[3]));
  bool finite = hn::AllTrue(d, hn::Eq(all, hn::Zero(d)));
  for (; i < count; ++i) finite = finite && std::isfinite(values[i]);
  return finite;
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
