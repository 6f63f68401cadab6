// A few rows times a panel of packed weights, on vectors of the target that is being compiled; included once per
// target.

#include <hwy/highway.h>

#include <array>
#include <utility>

#include "optimized/cpu/kernels.hpp"

#if defined(CELLPROOF_CPU_SIMD_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CELLPROOF_CPU_SIMD_PRODUCT_INL
#undef CELLPROOF_CPU_SIMD_PRODUCT_INL
#else
#define CELLPROOF_CPU_SIMD_PRODUCT_INL
#endif

#if HWY_TARGET <= HWY_AVX2  // the compiler's baseline has the portable kernels
HWY_BEFORE_NAMESPACE();
namespace cellproof::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t most_vectors = 4;
/// Rows of a tile: as many sums as the registers hold beside the weights and one element of a row.
constexpr std::size_t most_rows = HWY_TARGET <= HWY_AVX3 ? 6 : 3;

/// Stores sums[vector], plus the bias where there is one.
template <std::size_t vectors, class D, class V>
HWY_INLINE void StoreSums(D d, const V (&sums)[vectors], const hn::TFromD<D>* bias, hn::TFromD<D>* out) {
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v)
    hn::Store(bias ? hn::Add(sums[v], hn::Load(d, bias + v * lanes)) : sums[v], d, out + v * lanes);
}

/// A tile of rows, one sum each: in the order of k, so that a row's result does not depend on its tile.
template <class Real, std::size_t rows, std::size_t vectors>
HWY_NOINLINE void MultiplyTile(const Multiplication<Real>& m) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<decltype(d)>;
  V sums[rows][vectors];
  const Real* row[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = m.rows[r];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
  }
  const Real* HWY_RESTRICT weights = m.panel;
  for (std::size_t k = 0; k < m.length; ++k, weights += vectors * lanes) {
    V w[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) w[v] = hn::Load(d, weights + v * lanes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const V x = hn::Set(d, row[r][k]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(x, w[v], sums[r][v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) StoreSums(d, sums[r], m.bias, m.out + r * m.out_stride);
}

/// One row: several sums for each vector, because one alone would wait for its own last addition.
template <class Real, std::size_t vectors>
HWY_NOINLINE void MultiplyRow(const Multiplication<Real>& m) {
  constexpr std::size_t sets = vectors <= 1 ? 8 : vectors == 2 ? 4 : 2;
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<decltype(d)>;
  V sums[sets][vectors];
#pragma GCC unroll 8
  for (std::size_t s = 0; s < sets; ++s)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[s][v] = hn::Zero(d);
  const Real* HWY_RESTRICT row = m.rows[0];
  const Real* HWY_RESTRICT weights = m.panel;
  std::size_t k = 0;
  for (; k + sets <= m.length; k += sets) {
#pragma GCC unroll 8
    for (std::size_t s = 0; s < sets; ++s, weights += vectors * lanes) {
      const V x = hn::Set(d, row[k + s]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v)
        sums[s][v] = hn::MulAdd(x, hn::Load(d, weights + v * lanes), sums[s][v]);
    }
  }
  for (; k < m.length; ++k, weights += vectors * lanes) {
    const V x = hn::Set(d, row[k]);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[0][v] = hn::MulAdd(x, hn::Load(d, weights + v * lanes), sums[0][v]);
  }
#pragma GCC unroll 8
  for (std::size_t s = 1; s < sets; ++s)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[0][v] = hn::Add(sums[0][v], sums[s][v]);
  StoreSums(d, sums[0], m.bias, m.out);
}

template <class Real>
using Multiplier = void (*)(const Multiplication<Real>&);

/// By number of rows, of one number of vectors.
template <class Real, std::size_t vectors, std::size_t... rows>
constexpr std::array<Multiplier<Real>, sizeof...(rows)> TilesOf(std::index_sequence<rows...>) {
  return {MultiplyTile<Real, rows + 1, vectors>...};
}

template <class Real>
void Multiply(const Multiplication<Real>& m) {
  using Rows = std::make_index_sequence<most_rows>;
  static constexpr std::array<Multiplier<Real>, most_rows> tiles[most_vectors] = {
      TilesOf<Real, 1>(Rows()), TilesOf<Real, 2>(Rows()), TilesOf<Real, 3>(Rows()), TilesOf<Real, 4>(Rows())};
  tiles[m.vectors - 1][m.row_count - 1](m);
}

template <class Real>
void MultiplyOneRow(const Multiplication<Real>& m) {
  static constexpr Multiplier<Real> rows[most_vectors] = {MultiplyRow<Real, 1>, MultiplyRow<Real, 2>,
                                                          MultiplyRow<Real, 3>, MultiplyRow<Real, 4>};
  rows[m.vectors - 1](m);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
