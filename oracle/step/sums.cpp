#include "oracle/step/sums.hpp"

// Compiled once for each width of vector registers, chosen when the program starts. Nothing is summed in another order
// and nothing fused (-ffp-contract=off), so all of them give the same bits. What chooses runs too early for sanitizers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CELLPROOF_FOR_EACH_WIDTH __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CELLPROOF_FOR_EACH_WIDTH
#endif

namespace cellproof::oracle {
namespace {

/// One column: every row is on its own, so rows go side by side into a register.
CELLPROOF_FOR_EACH_WIDTH
void add_column(const double* __restrict w, double x, const double* __restrict before, double* __restrict value,
                double* __restrict magnitude, double* __restrict walk, double* __restrict squares, int rows) {
  for (int r = 0; r < rows; ++r) {
    const double p = w[r] * x;
    const double s = value[r] + p;
    const double size = std::abs(p);
    const double alone = std::abs(s), together = std::abs(before[r] + s);
    value[r] = s;
    magnitude[r] += size;
    squares[r] += size * size;
    walk[r] += alone > together ? alone : together;
  }
}

CELLPROOF_FOR_EACH_WIDTH
void add_spread(const double* __restrict w, double radius, double* __restrict spread, int rows) {
  for (int r = 0; r < rows; ++r) spread[r] += std::abs(w[r]) * radius;
}

}  // namespace

void add_products(const Columns& matrix, const double* v, const double* radius, const double* before,
                  const SumPlaces& sums) {
  const int first = matrix.first, rows = matrix.last - matrix.first;
  for (int c = 0; c < matrix.columns; ++c) {
    const double* const w =
        matrix.weights + static_cast<std::size_t>(c) * static_cast<std::size_t>(matrix.rows) + first;
    add_column(w, v[c], before + first, sums.value + first, sums.magnitude + first, sums.walk + first,
               sums.squares + first, rows);
    if (radius != nullptr && radius[c] != 0) add_spread(w, radius[c], sums.spread + first, rows);
  }
}

}  // namespace cellproof::oracle
