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

/// Rows and vectors of a tile: as many sums as the registers hold beside the weights and one element of a row. Panels
/// of more vectors are taken in pieces.
constexpr std::size_t most_rows = 6;
constexpr std::size_t most_vectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

/// Else gcc loads a weight again from memory for each row.
template <class V>
HWY_INLINE void KeepInRegister(V& value) {
  asm("" : "+v"(value.raw));
}

/// Stores sums[vector], plus the bias where there is one.
template <std::size_t vectors, class D, class V>
HWY_INLINE void StoreSums(D d, const V (&sums)[vectors], const hn::TFromD<D>* bias, hn::TFromD<D>* out) {
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v)
    hn::Store(bias ? hn::Add(sums[v], hn::Load(d, bias + v * lanes)) : sums[v], d, out + v * lanes);
}

/// A tile of rows and of the panel's vectors from `first` on, one sum each: in the order of k, so that a row's result
/// does not depend on its tile.
template <class Real, std::size_t rows, std::size_t vectors>
HWY_NOINLINE void MultiplyTile(const Multiplication<Real>& m, std::size_t first) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d), stride = m.vectors * lanes;
  using V = hn::Vec<decltype(d)>;
  V sums[rows][vectors];
  const Real* row[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = m.rows[r];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
  }
  const Real* HWY_RESTRICT weights = m.panel + first * lanes;
  for (std::size_t k = 0; k < m.length; ++k, weights += stride) {
    V w[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      w[v] = hn::Load(d, weights + v * lanes);
      KeepInRegister(w[v]);
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const V x = hn::Set(d, row[r][k]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(x, w[v], sums[r][v]);
    }
  }
  const Real* bias = m.bias ? m.bias + first * lanes : nullptr;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) StoreSums(d, sums[r], bias, m.out + r * m.out_stride + first * lanes);
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
using Tile = void (*)(const Multiplication<Real>&, std::size_t first);

/// By number of rows and then of vectors.
template <class Real, std::size_t... i>
constexpr std::array<Tile<Real>, sizeof...(i)> AllTiles(std::index_sequence<i...>) {
  return {MultiplyTile<Real, i / most_vectors + 1, i % most_vectors + 1>...};
}

template <class Real>
void Multiply(const Multiplication<Real>& m) {
  static constexpr auto tiles = AllTiles<Real>(std::make_index_sequence<most_rows * most_vectors>());
  for (std::size_t first = 0; first < m.vectors; first += most_vectors) {
    const std::size_t vectors = HWY_MIN(most_vectors, m.vectors - first);
    tiles[(m.row_count - 1) * most_vectors + vectors - 1](m, first);
  }
}

template <class Real>
void MultiplyOneRow(const Multiplication<Real>& m) {
  using Multiplier = void (*)(const Multiplication<Real>&);
  static constexpr Multiplier rows[] = {MultiplyRow<Real, 1>, MultiplyRow<Real, 2>, MultiplyRow<Real, 3>,
                                        MultiplyRow<Real, 4>};
  rows[m.vectors - 1](m);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
