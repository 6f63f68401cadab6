#include "oracle/step/sums.hpp"

#include "oracle/step/each_width.hpp"

namespace cellproof::oracle {
namespace {

/// So many columns at once, whose sums stay in registers from the first to the last of them.
constexpr int columns_at_once = 4;

/// Every row is on its own, so rows go side by side into a register; a row's products are added one after the other.
template <int columns>
[[gnu::always_inline]] inline void add_columns(const double* __restrict w, std::size_t stride, const double* v,
                                               const double* __restrict before, double* __restrict value,
                                               double* __restrict magnitude, double* __restrict walk,
                                               double* __restrict squares, int rows) {
  for (int r = 0; r < rows; ++r) {
    const double stood = before[r];
    double s = value[r], sizes = magnitude[r], steps = walk[r], powers = squares[r];
#pragma GCC unroll 8
    for (int c = 0; c < columns; ++c) {
      const double p = w[static_cast<std::size_t>(c) * stride + static_cast<std::size_t>(r)] * v[c];
      const double size = std::abs(p);
      s += p;
      sizes += size;
      powers += size * size;
      const double alone = std::abs(s), together = std::abs(stood + s);
      steps += alone > together ? alone : together;
    }
    value[r] = s;
    magnitude[r] = sizes;
    walk[r] = steps;
    squares[r] = powers;
  }
}

CELLPROOF_FOR_EACH_WIDTH
void add_four_columns(const double* w, std::size_t stride, const double* v, const double* before, const SumPlaces& sums,
                      int rows) {
  add_columns<columns_at_once>(w, stride, v, before, sums.value, sums.magnitude, sums.walk, sums.squares, rows);
}

CELLPROOF_FOR_EACH_WIDTH
void add_column(const double* w, const double* v, const double* before, const SumPlaces& sums, int rows) {
  add_columns<1>(w, 0, v, before, sums.value, sums.magnitude, sums.walk, sums.squares, rows);
}

CELLPROOF_FOR_EACH_WIDTH
void add_spread(const double* __restrict w, double radius, double* __restrict spread, int rows) {
  for (int r = 0; r < rows; ++r) spread[r] += std::abs(w[r]) * radius;
}

}  // namespace

void add_products(const Columns& matrix, const double* v, const double* radius, const double* before,
                  const SumPlaces& sums) {
  const int first = matrix.first, rows = matrix.last - matrix.first;
  const auto stride = static_cast<std::size_t>(matrix.rows);
  const SumPlaces places{sums.value + first, sums.magnitude + first, sums.walk + first, sums.squares + first,
                         sums.spread + first};
  const double* w = matrix.weights + first;
  int c = 0;
  for (; c + columns_at_once <= matrix.columns; c += columns_at_once, w += columns_at_once * stride)
    add_four_columns(w, stride, v + c, before + first, places, rows);
  for (; c < matrix.columns; ++c, w += stride) add_column(w, v + c, before + first, places, rows);
  for (int k = 0; radius != nullptr && k < matrix.columns; ++k) {
    const double* const column = matrix.weights + static_cast<std::size_t>(k) * stride + first;
    if (radius[k] != 0) add_spread(column, radius[k], places.spread, rows);
  }
}

}  // namespace cellproof::oracle
