#include "oracle/forward/generators.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/step/each_width.hpp"

namespace cellproof::oracle {
namespace {

constexpr int rows_at_once = 8;

/// A sum of up to a million magnitudes, rounded up.
constexpr double upwards = 1 + 0x1p-32;

/// Weights and coefficients in float are at most so large: no sum of their products overflows.
constexpr double largest_weight = 0x1p20, largest_coefficient = 0x1p60;

/// A sum of products: in double each rounded by itself, in float fused where the processor can, and otherwise as if.
template <bool has_fma, class Lanes, class Number>
[[gnu::always_inline]] inline void add_product(Lanes& sum, Number weight, const Lanes& v) {
  if constexpr (has_fma || std::is_same_v<Number, double>) {
    sum += weight * v;
  } else {
    for (std::size_t k = 0; k < sizeof(Lanes) / sizeof(Number); ++k) sum[k] = std::fma(weight, v[k], sum[k]);
  }
}

/// Products of a block of rows, as many symbols at a time as a register of so many bytes holds. The compiler finds no
/// such loops by itself.
template <int bytes, bool has_fma, class Number>
[[gnu::always_inline]] inline void add_products(const Number* weights, const Number* vectors, int columns,
                                                double* products) {
  constexpr int lanes = bytes / static_cast<int>(sizeof(Number));
  using Lanes [[gnu::vector_size(bytes)]] = Number;
  for (int first = 0; first < panel_width; first += lanes) {
    Lanes sums[rows_at_once] = {};
    for (int c = 0; c < columns; ++c) {
      Lanes v;
      std::memcpy(&v, vectors + c * panel_width + first, sizeof v);
#pragma GCC unroll 8
      for (int r = 0; r < rows_at_once; ++r) add_product<has_fma>(sums[r], weights[c * rows_at_once + r], v);
    }
    for (int r = 0; r < rows_at_once; ++r)
      for (int k = 0; k < lanes; ++k) products[r * panel_width + first + k] = static_cast<double>(sums[r][k]);
  }
}

#ifdef CELLPROOF_HAS_WIDTHS
#define CELLPROOF_PRODUCTS(attributes, bytes, has_fma, Number)                                             \
  __attribute__(attributes) void multiply_block(const Number* weights, const Number* vectors, int columns, \
                                                double* products) {                                        \
    add_products<bytes, has_fma>(weights, vectors, columns, products);                                     \
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
void multiply_block(const Number* weights, const Number* vectors, int columns, double* products) {
  add_products<16, false>(weights, vectors, columns, products);
}
#endif

int padded(int rows) {
  return (rows + rows_at_once - 1) / rows_at_once * rows_at_once;
}

int panels_of(int columns) {
  return (columns + panel_width - 1) / panel_width;
}

}  // namespace

PackedRows::PackedRows(const std::vector<double>& weights, int rows, int first, int last, int columns)
    : rows_(last - first), columns_(columns), data_(at(padded(last - first)) * at(columns)) {
  for (int r = first; r < last; ++r)
    for (int c = 0; c < columns; ++c) data_[offset(r - first, c)] = weights[at(c) * at(rows) + at(r)];
  const auto fits = [](double w) { return std::abs(w) <= largest_weight; };
  if (columns >= units_for_float && std::ranges::all_of(data_, fits)) floats_.assign(data_.begin(), data_.end());
}

std::size_t PackedRows::offset(int row, int column) const {
  return (at(row / rows_at_once) * at(columns_) + at(column)) * rows_at_once + at(row % rows_at_once);
}

double share_lost_in_products(int units) {
  return (units + 64) * (units < units_for_float ? 0x1p-52 : 0x1p-23);
}

double least_lost_in_products(int units, double reach) {
  // A float below the normal ones is off by 2^-150, times what it meets, for less than 16 symbols a unit.
  return units < units_for_float ? 0 : 0x1p-149 * (reach + 16.0 * units * units * (largest_weight + 1));
}

namespace {

/// The vectors in float, where the rows are and none of them is too large; otherwise nothing.
std::vector<float> in_float(const PackedRows& rows, const double* vectors) {
  const std::size_t count = at(rows.columns()) * panel_width;
  const auto fits = [](double x) { return std::abs(x) <= largest_coefficient; };
  if (!rows.in_float() || !std::all_of(vectors, vectors + count, fits)) return {};
  return {vectors, vectors + count};
}

/// Products of whole panels, for a block of rows after the other.
void multiply_dense(const PackedRows& rows, const std::vector<std::pair<const double*, double*>>& panels) {
  std::vector<std::vector<float>> floats;
  for (const auto& [vectors, products] : panels) floats.push_back(in_float(rows, vectors));
  for (int r = 0; r < rows.rows(); r += rows_at_once) {
    for (std::size_t k = 0; k < panels.size(); ++k) {
      double* const products = panels[k].second + at(r) * panel_width;
      if (floats[k].empty())
        multiply_block(rows.block(r), panels[k].first, rows.columns(), products);
      else
        multiply_block(rows.float_block(r), floats[k].data(), rows.columns(), products);
    }
  }
}

}  // namespace

void multiply(const PackedRows& rows, const double* vectors, PanelProducts& products) {
  products.resize(at(padded(rows.rows())) * panel_width);
  multiply_dense(rows, {{vectors, products.data()}});
}

void multiply(const PackedRows& rows, std::span<const Panel> panels, std::vector<PanelProducts>& products) {
  products.resize(std::max(products.size(), panels.size()));
  std::vector<std::pair<const double*, double*>> dense;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    const bool is_zero =
        std::all_of(panel.h, panel.h + at(rows.columns()) * panel_width, [](double x) { return x == 0; });
    products[p].resize(at(padded(rows.rows())) * panel_width);
    if (!is_zero && !panel.is_diagonal) {
      dense.emplace_back(panel.h, products[p].data());
      continue;
    }
    std::ranges::fill(products[p], 0);
    if (is_zero) continue;
    const int last = std::min(panel_width, rows.columns() - panel.diagonal_from);
    for (int r = 0; r < rows.rows(); ++r) {
      for (int k = 0; k < last; ++k) {
        const int unit = panel.diagonal_from + k;
        products[p][at(r) * panel_width + at(k)] = rows.weight(r, unit) * panel.h[at(unit) * panel_width + at(k)];
      }
    }
  }
  multiply_dense(rows, dense);
}

void add_magnitudes(const double* rows, int count, double* sums) {
  for (int r = 0; r < count; ++r, rows += panel_width) {
    double sum = 0;
    for (int k = 0; k < panel_width; ++k) sum += std::abs(rows[k]);
    sums[r] += sum;
  }
}

Generators::Generators(int units, bool has_cell)
    : cell_c(has_cell ? at(units) : 0), cell_h(cell_c), own_h(at(units)), units_(units), has_cell_(has_cell) {}

std::size_t Generators::place(int panel) const {
  return at(panel) * at(units_) * panel_width;
}

void Generators::take_in(int kind) {
  const bool of_cell = kind == 0;
  for (int first = 0; first < units_; first += panel_width) {
    const int panel = panels_of(columns_);
    h_.resize(place(panel + 1));
    if (has_cell_) c_.resize(place(panel + 1));
    columns_ = (panel + 1) * panel_width;
    for (int k = 0; k < panel_width && first + k < units_; ++k) {
      const std::size_t unit = at(first + k), offset = unit * panel_width + at(k);
      panel_h(panel)[offset] = of_cell ? cell_h[unit] : own_h[unit];
      if (of_cell) panel_c(panel)[offset] = cell_c[unit];
    }
  }
}

void Generators::advance(const std::function<void(std::span<Panel>)>& move) {
  const int dense = panels_of(columns_);
  if (has_cell_) take_in(0);
  take_in(1);
  const int per_kind = panels_of(units_), all = panels_of(columns_);
  std::vector<Panel> views;
  for (int panel = 0; panel < all; ++panel) {
    const bool is_new = panel >= dense;
    views.push_back({panel_h(panel), panel_c(panel), is_new ? (panel - dense) % per_kind * panel_width : 0, is_new});
    if (views.size() < panels_at_once && panel + 1 < all) continue;
    move(views);
    views.clear();
  }
  for (auto* list : {&cell_c, &cell_h, &own_h}) std::ranges::fill(*list, 0);
}

void Generators::forget_h(int unit) {
  for (int panel = 0; panel < panels_of(columns_); ++panel) {
    double* const row = panel_h(panel) + at(unit) * panel_width;
    std::fill(row, row + panel_width, 0);
  }
  if (has_cell_) cell_h[at(unit)] = 0;
  own_h[at(unit)] = 0;
}

void Generators::keep(const std::vector<int>& columns) {
  const int panels = panels_of(static_cast<int>(columns.size()));
  std::vector<double>&h = kept_h_, &c = kept_c_;
  h.assign(place(panels), 0);
  c.assign(has_cell_ ? place(panels) : 0, 0);
  const auto place_of = [&](int column) { return place(column / panel_width) + at(column % panel_width); };
  const std::size_t count = columns.size();
  for (std::size_t first = 0; first < count; first += panel_width) {
    const std::size_t in_panel = std::min<std::size_t>(panel_width, count - first),
                      target = place_of(static_cast<int>(first));
    for (std::size_t j = 0; j < at(units_) * panel_width; j += panel_width) {
      for (std::size_t k = 0; k < in_panel; ++k) {
        const std::size_t source = place_of(columns[first + k]) + j;
        h[target + j + k] = h_[source];
        if (has_cell_) c[target + j + k] = c_[source];
      }
    }
  }
  h_.swap(h);
  c_.swap(c);
  columns_ = panels * panel_width;
}

void Generators::reduce(int most, double share, std::vector<double>& h, std::vector<double>& c) {
  std::vector<double> weight(at(columns_));
  const auto weigh = [&](const std::vector<double>& coefficients, const std::vector<double>& all) {
    for (int panel = 0; panel < panels_of(columns_); ++panel) {
      for (int j = 0; j < units_; ++j) {
        if (!(all[at(j)] > 0)) continue;
        const double scale = 1 / (all[at(j)] * units_);
        const double* row = coefficients.data() + place(panel) + at(j) * panel_width;
        for (int k = 0; k < panel_width; ++k) weight[at(panel * panel_width + k)] += std::abs(row[k]) * scale;
      }
    }
  };
  weigh(h_, h);
  if (has_cell_) weigh(c_, c);
  std::vector<int> order(at(columns_));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) { return weight[at(a)] < weight[at(b)]; });
  std::size_t dropped = 0;
  double sum = 0;
  while (dropped < order.size() && (order.size() - dropped > at(most) || sum + weight[at(order[dropped])] <= share)) {
    sum += weight[at(order[dropped++])];
  }
  if (dropped == 0) return;
  std::vector<double> lost_h(at(units_)), lost_c(at(units_));
  std::vector<std::size_t> sources(dropped);
  for (std::size_t n = 0; n < dropped; ++n) sources[n] = place(order[n] / panel_width) + at(order[n] % panel_width);
  for (std::size_t j = 0; j < at(units_); ++j) {
    for (const std::size_t source : sources) {
      lost_h[j] += std::abs(h_[source + j * panel_width]);
      if (has_cell_) lost_c[j] += std::abs(c_[source + j * panel_width]);
    }
  }
  std::vector<int> kept(order.begin() + static_cast<std::ptrdiff_t>(dropped), order.end());
  std::ranges::sort(kept);
  keep(kept);
  for (std::size_t j = 0; j < at(units_); ++j) {
    double more = lost_h[j] * upwards;
    if (has_cell_ && lost_c[j] > 0) {
      // One symbol for both: what it is and what the cell's was differ by no more than twice the new part's share.
      const double lost = lost_c[j] * upwards, both = cell_c[j] + lost;
      const double disagreement = 2 * std::abs(cell_h[j]) * (lost / both);
      more += disagreement;
      h[j] += disagreement;
      cell_c[j] = both * (1 + 0x1p-50);
      c[j] *= upwards;
    }
    own_h[j] = (own_h[j] + more) * upwards;
    h[j] *= upwards;
  }
}

}  // namespace cellproof::oracle
