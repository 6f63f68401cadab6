#include "oracle/forward/generators.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracle/at.hpp"

namespace cellproof::oracle {
namespace {

/// A sum of up to a million magnitudes, rounded up.
constexpr double upwards = 1 + 0x1p-32;

int panels_of(int columns) {
  return (columns + panel_width - 1) / panel_width;
}

}  // namespace

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
    if (static_cast<int>(views.size()) < panels_at_once && panel + 1 < all) continue;
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
