// A few rows times a panel of packed weights, on vectors of the target that is being compiled; included once per
// target.

#include <hwy/cache_control.h>
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

/// With 32 registers a tile is as many as 24 sums. With 16, it is as many as 12 beside what is multiplied.
constexpr bool has_many_registers = HWY_TARGET <= HWY_AVX3;
constexpr std::size_t most_rows = has_many_registers ? 8 : 6;

constexpr std::size_t RowsOfTile(std::size_t vectors) {
  return HWY_MIN(most_rows, (has_many_registers ? 24 : 12) / vectors);
}

/// With 32 registers: many rows come in tiles of 8 rows and 3 vectors, which read a weight less often than those of 6
/// and
/// 4. With 16: the widest piece whose tiles leave no row over.
constexpr std::size_t many_rows = 32;
inline std::size_t PieceFor(std::size_t rows, std::size_t, bool is_shared) {
  if (has_many_registers) return rows >= many_rows && !is_shared ? 3 : 4;
  if (rows <= 3) return 4;
  return rows == 5 ? 2 : 3;
}

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

/// Without AVX-512 processors fetch too little ahead by themselves. Zen 4 fetches enough, and reads 4 MiB at two thirds
/// of its speed where it is told to.
constexpr bool prefetches = !has_many_registers;

/// Lines of the next piece that one of some tiles fetches into the second cache while it goes through its own weights.
class LinesAhead {
 public:
  HWY_INLINE LinesAhead(const void* next, std::size_t bytes, std::size_t length, std::size_t tile, std::size_t tiles)
      : first_(static_cast<const char*>(next) + bytes / tiles * tile), step_(bytes / tiles / HWY_MAX(length, 1)) {}
  /// Called for each of `length` elements, whose weights are two lines at most.
  HWY_INLINE void Fetch() {
    _mm_prefetch(first_, _MM_HINT_T1);
    _mm_prefetch(first_ + 64, _MM_HINT_T1);
    first_ += step_;
  }

 private:
  const char* first_;
  std::size_t step_;
};

/// The product of one element of a row and a vector of weights, added to a sum.
template <class T>
struct OneFactor {
  using Real = T;
  template <class V>
  static HWY_INLINE void Add(const V& x, const V& weights, V& sum) {
    sum = hn::MulAdd(x, weights, sum);
  }
};

/// A tile of rows and of one piece's vectors, one sum each: in the order of k, so that a row's result does not depend
/// on its tile. Whichever there are fewer of, elements or weights, is kept in registers while the others come one by
/// one.
template <class Term, std::size_t rows, std::size_t vectors, bool fetches, class Real = typename Term::Real>
HWY_NOINLINE void MultiplyTile(const Multiplication<Real>& m, std::size_t first_row, std::size_t first,
                               LinesAhead ahead) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<decltype(d)>;
  V sums[rows][vectors];
  const Real* row[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = m.rows[first_row + r];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
  }
  const Real* HWY_RESTRICT weights = m.panel + first * m.length * lanes;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < m.length; ++k, weights += vectors * lanes) {
    if constexpr (fetches) ahead.Fetch();
    if constexpr (has_many_registers || rows > vectors) {
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
        for (std::size_t v = 0; v < vectors; ++v) Term::Add(x, w[v], sums[r][v]);
      }
    } else {
      V x[rows];
#pragma GCC unroll 8
      for (std::size_t r = 0; r < rows; ++r) {
        x[r] = hn::Set(d, row[r][k]);
        KeepInRegister(x[r]);
      }
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        V w = hn::Load(d, weights + v * lanes);
        KeepInRegister(w);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < rows; ++r) Term::Add(x[r], w, sums[r][v]);
      }
    }
  }
  const Real* bias = m.bias ? m.bias + first * lanes : nullptr;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r)
    StoreSums(d, sums[r], bias, m.out + (first_row + r) * m.out_stride + first * lanes);
}

/// One row leaves the weights no time to come from a cache further away.
constexpr std::size_t ahead_bytes = 1024;
template <std::size_t bytes, class Real>
HWY_INLINE void Prefetch(const Real* weights) {
#pragma GCC unroll 4
  for (std::size_t line = 0; line < bytes; line += 64)
    hwy::Prefetch(reinterpret_cast<const char*>(weights) + ahead_bytes + line);
}

/// One row and some pieces side by side, each sum in the order of k as a tile's: one piece alone would wait for its own
/// last additions.
template <class Term, std::size_t pieces, std::size_t vectors, class Real = typename Term::Real,
          class V = hn::Vec<hn::ScalableTag<Real>>>
HWY_INLINE void SumsOfRow(const Real* HWY_RESTRICT row, const Real* const (&weights)[pieces], std::size_t length,
                          V (&sums)[pieces][vectors]) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  const Real* HWY_RESTRICT from[pieces];
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pieces; ++p) {
    from[p] = weights[p];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[p][v] = hn::Zero(d);
  }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < length; ++k) {
    const V x = hn::Set(d, row[k]);
#pragma GCC unroll 2
    for (std::size_t p = 0; p < pieces; ++p, from[p - 1] += vectors * lanes) {
      if constexpr (prefetches) Prefetch<vectors * sizeof(V)>(from[p]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) Term::Add(x, hn::Load(d, from[p] + v * lanes), sums[p][v]);
    }
  }
}

/// Pieces of `vectors` vectors, the first of which begins with vector `first`.
template <class Term, std::size_t pieces, std::size_t vectors, class Real = typename Term::Real>
HWY_NOINLINE void MultiplyRow(const Multiplication<Real>& m, std::size_t first) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  const Real* weights[pieces];
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pieces; ++p) weights[p] = m.panel + (first + p * vectors) * m.length * lanes;
  hn::Vec<decltype(d)> sums[pieces][vectors];
  SumsOfRow<Term>(m.rows[0], weights, m.length, sums);
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pieces; ++p, first += vectors)
    StoreSums(d, sums[p], m.bias ? m.bias + first * lanes : nullptr, m.out + first * lanes);
}

template <class Real>
using Tile = void (*)(const Multiplication<Real>&, std::size_t first_row, std::size_t first, LinesAhead ahead);

template <class Term, std::size_t rows, std::size_t vectors, bool fetches>
constexpr Tile<typename Term::Real> TileOf() {
  if constexpr (rows <= RowsOfTile(vectors)) return MultiplyTile < Term, rows, vectors, fetches && (rows > vectors) > ;
  return nullptr;
}

/// By number of rows and then of vectors.
template <class Term, bool fetches, std::size_t... i>
constexpr std::array<Tile<typename Term::Real>, sizeof...(i)> AllTiles(std::index_sequence<i...>) {
  return {TileOf<Term, i / most_piece + 1, i % most_piece + 1, fetches>()...};
}

/// Fewer would fetch more lines each than they have time for.
constexpr std::size_t tiles_that_fetch = 4;

/// Piece by piece, so that a piece's weights stay in the cache for all rows.
template <class Term, class Real = typename Term::Real>
void Multiply(const Multiplication<Real>& m) {
  static constexpr auto all = std::make_index_sequence<most_rows * most_piece>();
  static constexpr auto few_tiles = AllTiles<Term, false>(all), many_tiles = AllTiles<Term, prefetches>(all);
  for (std::size_t first = 0; first < m.vectors; first += m.piece) {
    const std::size_t vectors = HWY_MIN(m.piece, m.vectors - first), most = RowsOfTile(vectors);
    const std::size_t count = (m.row_count + most - 1) / most, reals = vectors * HWY_LANES(Real) * m.length;
    const auto& tiles = count < tiles_that_fetch ? few_tiles : many_tiles;
    const Real* next = m.panel + first * HWY_LANES(Real) * m.length + reals;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = m.row_count * i / count, rows = m.row_count * (i + 1) / count - row;
      tiles[(rows - 1) * most_piece + vectors - 1](m, row, first,
                                                   LinesAhead(next, reals * sizeof(Real), m.length, i, count));
    }
  }
}

template <class Term, class Real = typename Term::Real>
void MultiplyOneRow(const Multiplication<Real>& m) {
  using Multiplier = void (*)(const Multiplication<Real>&, std::size_t);
  static constexpr Multiplier one[] = {MultiplyRow<Term, 1, 1>, MultiplyRow<Term, 1, 2>, MultiplyRow<Term, 1, 3>,
                                       MultiplyRow<Term, 1, 4>};
  static constexpr Multiplier two[] = {MultiplyRow<Term, 2, 1>, MultiplyRow<Term, 2, 2>, MultiplyRow<Term, 2, 3>,
                                       MultiplyRow<Term, 2, 4>};
  std::size_t first = 0;
  for (; first + 2 * m.piece <= m.vectors; first += 2 * m.piece) two[m.piece - 1](m, first);
  for (; first < m.vectors; first += m.piece) one[HWY_MIN(m.piece, m.vectors - first) - 1](m, first);
}

}  // namespace HWY_NAMESPACE
}  // namespace cellproof::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
