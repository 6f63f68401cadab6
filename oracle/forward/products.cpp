#include "oracle/forward/products.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "oracle/at.hpp"
#include "oracle/step/each_width.hpp"

namespace cellproof::oracle {
namespace {

constexpr int rows_at_once = 8;
constexpr int symbols_at_once = panels_at_once * panel_width;

/// Weights and coefficients in float are at most so large: no sum of their products overflows.
constexpr double largest_weight = 0x1p20, largest_coefficient = 0x1p60;

int padded(int rows) {
  return (rows + rows_at_once - 1) / rows_at_once * rows_at_once;
}

/// A panel that is multiplied, and where its products go.
struct DensePanel {
  const double* h;
  double* products;
};

/// A sum of products: in double each rounded by itself, in float fused where the processor can, and otherwise as if.
template <bool has_fma, class Lanes, class Number>
[[gnu::always_inline]] inline void add_product(Lanes& sum, Number weight, const Lanes& v) {
  if constexpr (has_fma || std::is_same_v<Number, double>) {
    sum += weight * v;
  } else {
    for (std::size_t k = 0; k < sizeof(Lanes) / sizeof(Number); ++k) sum[k] = std::fma(weight, v[k], sum[k]);
  }
}

/// Products with symbols, three registers of so many bytes at a time. As many rows as leave room for their sums go
/// along, so that fetching keeps up with multiplying. The compiler finds no such loops by itself, and keeps sums in
/// registers only where all indices into them are constants.
template <int bytes, bool has_fma, class Number>
[[gnu::always_inline]] inline void multiply_in_registers(std::span<const Number> weights, int rows, int columns,
                                                         std::span<const DensePanel> panels) {
  constexpr int vectors = 3, lanes = bytes / static_cast<int>(sizeof(Number)), width = vectors * lanes;
  constexpr int rows_together = bytes == 64 ? rows_at_once : rows_at_once / 2;
  static_assert(symbols_at_once % width == 0 && panel_width % lanes == 0);
  using Lanes [[gnu::vector_size(bytes)]] = Number;

  const int symbols = static_cast<int>(panels.size()) * panel_width;
  const std::size_t part = at(columns) * width;
  std::vector<Number> packed(part * at((symbols + width - 1) / width));  // [symbol / width][column][symbol % width]
  for (int s = 0; s < symbols; s += lanes) {
    Number* const to = packed.data() + at(s / width) * part + at(s % width);
    const double* const from = panels[at(s / panel_width)].h + s % panel_width;
    for (int c = 0; c < columns; ++c)
      for (int k = 0; k < lanes; ++k) to[c * width + k] = static_cast<Number>(from[c * panel_width + k]);
  }

  for (int row = 0; row < rows; row += rows_together) {
    const Number* const block =
        weights.data() + at(row / rows_at_once) * at(columns) * rows_at_once + row % rows_at_once;
    for (int first = 0; first < symbols; first += width) {
      const Number* const from = packed.data() + at(first / width) * part;
      Lanes sums[rows_together][vectors] = {};
      for (int c = 0; c < columns; ++c) {
        Lanes v[vectors];
#pragma GCC unroll 3
        for (int k = 0; k < vectors; ++k) std::memcpy(&v[k], from + c * width + k * lanes, bytes);
#pragma GCC unroll 8
        for (int r = 0; r < rows_together; ++r)
#pragma GCC unroll 3
          for (int k = 0; k < vectors; ++k) add_product<has_fma>(sums[r][k], block[c * rows_at_once + r], v[k]);
      }
      Number done[rows_together][width];
#pragma GCC unroll 8
      for (int r = 0; r < rows_together; ++r)
#pragma GCC unroll 3
        for (int k = 0; k < vectors; ++k) std::memcpy(done[r] + k * lanes, &sums[r][k], bytes);
      for (int s = first; s < std::min(first + width, symbols); s += lanes) {
        double* const to = panels[at(s / panel_width)].products + row * panel_width + s % panel_width;
        for (int r = 0; r < rows_together; ++r)
          for (int k = 0; k < lanes; ++k) to[r * panel_width + k] = static_cast<double>(done[r][s - first + k]);
      }
    }
  }
}

#ifdef CELLPROOF_HAS_WIDTHS
#define CELLPROOF_PRODUCTS(attributes, bytes, has_fma, Number)                                          \
  __attribute__(attributes) void multiply_dense(std::span<const Number> weights, int rows, int columns, \
                                                std::span<const DensePanel> panels) {                   \
    multiply_in_registers<bytes, has_fma>(weights, rows, columns, panels);                              \
  }
CELLPROOF_PRODUCTS((target("default")), 16, false, double)
CELLPROOF_PRODUCTS((target("arch=x86-64-v3")), 32, false, double)
CELLPROOF_PRODUCTS((target("arch=x86-64-v4")), 64, false, double)
CELLPROOF_PRODUCTS((target("default")), 16, false, float)
CELLPROOF_PRODUCTS((target("arch=x86-64-v3"), optimize("fp-contract=fast")), 32, true, float)
CELLPROOF_PRODUCTS((target("arch=x86-64-v4"), optimize("fp-contract=fast")), 64, true, float)
#undef CELLPROOF_PRODUCTS
#else
template <class Number>
void multiply_dense(std::span<const Number> weights, int rows, int columns, std::span<const DensePanel> panels) {
  multiply_in_registers<16, false>(weights, rows, columns, panels);
}
#endif

/// Products of a panel whose symbols act on a unit each, which are single columns of the rows.
void multiply_diagonal(const PackedRows& rows, const Panel& panel, double* products) {
  const int symbols = std::min(panel_width, rows.columns() - panel.diagonal_from);
  double h[panel_width];
  for (int k = 0; k < symbols; ++k) h[k] = panel.h[at(panel.diagonal_from + k) * panel_width + at(k)];
  for (int row = 0; row < rows.rows(); row += rows_at_once) {
    const double* const weights =
        rows.doubles().data() + at(row) * at(rows.columns()) + at(panel.diagonal_from) * rows_at_once;
    for (int r = 0; r < rows_at_once; ++r)
      for (int k = 0; k < symbols; ++k) products[(row + r) * panel_width + k] = weights[k * rows_at_once + r] * h[k];
  }
}

}  // namespace

PackedRows::PackedRows(const std::vector<double>& weights, int rows, int first, int last, int columns)
    : rows_(last - first), columns_(columns), data_(at(padded(last - first)) * at(columns)) {
  for (int r = 0; r < rows_; ++r) {
    double* const to = data_.data() + at(r / rows_at_once) * at(columns) * rows_at_once + r % rows_at_once;
    for (int c = 0; c < columns; ++c) to[c * rows_at_once] = weights[at(c) * at(rows) + at(first + r)];
  }
  const auto fits = [](double w) { return std::abs(w) <= largest_weight; };
  if (columns >= units_for_float && std::ranges::all_of(data_, fits)) floats_.assign(data_.begin(), data_.end());
}

double share_lost_in_products(int units) {
  return (units + 64) * (units < units_for_float ? 0x1p-52 : 0x1p-23);
}

double least_lost_in_products(int units, double reach) {
  // A float below the normal ones is off by 2^-150, times what it meets, for less than 16 symbols a unit.
  return units < units_for_float ? 0 : 0x1p-149 * (reach + 16.0 * units * units * (largest_weight + 1));
}

void multiply(const PackedRows& rows, std::span<const Panel> panels, std::vector<PanelProducts>& products) {
  products.resize(std::max(products.size(), panels.size()));
  const std::size_t numbers = at(rows.columns()) * panel_width;
  std::vector<DensePanel> dense;
  bool fits = !rows.floats().empty();
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    const std::span<const double> h(panel.h, numbers);
    products[p].resize(at(padded(rows.rows())) * panel_width);
    if (std::ranges::all_of(h, [](double x) { return x == 0; })) {
      std::ranges::fill(products[p], 0);
    } else if (panel.is_diagonal) {
      if (panel.diagonal_from + panel_width > rows.columns()) std::ranges::fill(products[p], 0);
      multiply_diagonal(rows, panel, products[p].data());
    } else {
      dense.push_back({panel.h, products[p].data()});
      fits = fits && std::ranges::all_of(h, [](double x) { return std::abs(x) <= largest_coefficient; });
    }
  }
  if (dense.empty()) return;
  if (fits)
    multiply_dense(rows.floats(), rows.rows(), rows.columns(), dense);
  else
    multiply_dense(rows.doubles(), rows.rows(), rows.columns(), dense);
}

void add_magnitudes(const double* rows, int count, double* sums) {
  for (int r = 0; r < count; ++r, rows += panel_width) {
    double sum = 0;
    for (int k = 0; k < panel_width; ++k) sum += std::abs(rows[k]);
    sums[r] += sum;
  }
}

}  // namespace cellproof::oracle
