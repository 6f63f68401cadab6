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

template <int columns>
[[gnu::always_inline]] inline void add_spreads(const double* __restrict w, std::size_t stride, const double* radius,
                                               double* __restrict spread, int rows) {
  for (int r = 0; r < rows; ++r) {
    double sum = spread[r];
#pragma GCC unroll 8
    for (int c = 0; c < columns; ++c)
      sum += std::abs(w[static_cast<std::size_t>(c) * stride + static_cast<std::size_t>(r)]) * radius[c];
    spread[r] = sum;
  }
}

CELLPROOF_FOR_EACH_WIDTH
void add_four_spreads(const double* w, std::size_t stride, const double* radius, double* spread, int rows) {
  add_spreads<columns_at_once>(w, stride, radius, spread, rows);
}

CELLPROOF_FOR_EACH_WIDTH
void add_spread(const double* w, const double* radius, double* spread, int rows) {
  add_spreads<1>(w, 0, radius, spread, rows);
}

}  // namespace

void add_products(const Columns& matrix, const double* v, const double* radius, const double* before,
                  const SumPlaces& sums) {
  const int first = matrix.first, rows = matrix.last - matrix.first;
  const auto stride = static_cast<std::size_t>(matrix.rows);
  const SumPlaces places{sums.value + first, sums.magnitude + first, sums.walk + first, sums.squares + first,
                         sums.spread + first};
  const double* w = matrix.weights + first;
  // A column whose element is exact is left out: 0 times an infinite weight would be NaN.
  const auto all_spread = [&](int c) {
    return std::all_of(radius + c, radius + c + columns_at_once, [](double r) { return r != 0; });
  };
  int c = 0;
  for (; c + columns_at_once <= matrix.columns; c += columns_at_once, w += columns_at_once * stride) {
    add_four_columns(w, stride, v + c, before + first, places, rows);
    if (radius != nullptr && all_spread(c)) {
      add_four_spreads(w, stride, radius + c, places.spread, rows);
    } else if (radius != nullptr) {
      for (int k = 0; k < columns_at_once; ++k)
        if (radius[c + k] != 0) add_spread(w + k * stride, radius + c + k, places.spread, rows);
    }
  }
  for (; c < matrix.columns; ++c, w += stride) {
    add_column(w, v + c, before + first, places, rows);
    if (radius != nullptr && radius[c] != 0) add_spread(w, radius + c, places.spread, rows);
  }
}

}  // namespace cellproof::oracle
