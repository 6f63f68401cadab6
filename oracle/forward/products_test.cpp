#include "oracle/forward/products.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "oracle/at.hpp"

namespace cellproof::oracle {
namespace {

/// Weights [unit] of one row, and coefficients [unit][panel_width].
struct OneRow {
  explicit OneRow(double largest_weight = 1) : weights(at(units)), panel(at(units) * panel_width) {
    std::mt19937_64 dice(20261127);
    std::uniform_real_distribution<double> any(-1, 1);
    for (double& w : weights) w = largest_weight * any(dice);
    for (double& x : panel) x = std::exp2(-150 * std::abs(any(dice))) * any(dice);
  }
  /// Returns how far the products are off together, and how far they may be.
  std::pair<double, double> error() {
    std::vector<PanelProducts> all;
    multiply(PackedRows(weights, 1, 0, 1, units), std::vector<Panel>{{panel.data(), nullptr}}, all);
    const PanelProducts& products = all[0];
    double off = 0, spread = 0, reach = 0;
    for (std::size_t k = 0; k < panel_width; ++k) {
      long double exact = 0;
      for (std::size_t j = 0; j < at(units); ++j) {
        const double x = panel[j * panel_width + k];
        exact += static_cast<long double>(weights[j]) * x;
        spread += std::abs(weights[j] * x);
        reach += std::abs(x);
      }
      off += static_cast<double>(std::abs(products[k] - exact));
    }
    return {off, share_lost_in_products(units) * spread + least_lost_in_products(units, reach)};
  }

  static constexpr int units = units_for_float + 3;
  std::vector<double> weights, panel;
};

TEST(Products, OfManyUnitsAreMadeInFloatAndLoseNoMoreThanTheyMay) {
  const auto [off, most] = OneRow().error();
  EXPECT_LE(off, most);
  EXPECT_GT(off, most * 1e-6);  // more than products in double would
}

TEST(Products, InFloatLoseLittleOfWhatIsBelowItsNumbers) {
  OneRow row;
  for (double& x : row.panel) x = 0x1p-149 * 0.7;
  const auto [off, most] = row.error();
  EXPECT_GT(off, 0);
  EXPECT_LE(off, most);
}

TEST(Products, OfNumbersThatFloatDoesNotHoldAreMadeInDouble) {
  OneRow weights(0x1p100), coefficients;
  for (double& x : coefficients.panel) x *= 0x1p200;
  for (OneRow row : {weights, coefficients}) {
    const auto [off, most] = row.error();
    EXPECT_LE(off, most * 1e-6);
    EXPECT_GT(most, 1e10);
  }
}

/// Rows of a matrix, and as many panels as are multiplied together.
class SomePanels : public ::testing::TestWithParam<int> {
 protected:
  static constexpr int all_rows = 23, first = 2, last = 21, rows = last - first;

  const int units = GetParam();
  std::vector<double> weights = any_numbers(all_rows * units);
  std::vector<std::vector<double>> coefficients;
  std::vector<Panel> panels;
  std::vector<PanelProducts> products;

  std::vector<double> any_numbers(int count) {
    std::vector<double> numbers(at(count));
    for (double& x : numbers) x = std::uniform_real_distribution<double>(-1, 1)(dice_);
    return numbers;
  }

  /// The k-th symbol acts on unit first_unit + k alone.
  void add_diagonal(int first_unit) {
    std::vector<double> h(at(units) * panel_width);
    for (int k = 0; k < panel_width && first_unit + k < units; ++k) h[at((first_unit + k) * panel_width + k)] = k + 1;
    coefficients.push_back(h);
    panels.push_back({nullptr, nullptr, first_unit, true});
  }
  void add_dense() {
    coefficients.push_back(any_numbers(units * panel_width));
    panels.push_back({nullptr, nullptr});
  }

  void expect_products() {
    for (std::size_t p = 0; p < panels.size(); ++p) panels[p].h = coefficients[p].data();
    multiply(PackedRows(weights, all_rows, first, last, units), panels, products);
    const double most = units * share_lost_in_products(units);
    for (std::size_t p = 0; p < panels.size(); ++p) {
      for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < panel_width; ++k) {
          double sum = 0;
          for (int c = 0; c < units; ++c)
            sum += weights[at(c * all_rows + first + r)] * coefficients[p][at(c * panel_width + k)];
          EXPECT_NEAR(products[p][at(r * panel_width + k)], sum, most) << p << ' ' << r << ' ' << k;
        }
      }
    }
  }

 private:
  std::mt19937_64 dice_{20261128};
};

TEST_P(SomePanels, AreMultipliedByAllRows) {
  for (int p = 0; p < panels_at_once; ++p) {
    add_dense();
    expect_products();
  }
}

TEST_P(SomePanels, MayBeDiagonalOrZero) {
  add_dense();
  add_diagonal(0);
  add_dense();
  expect_products();
  // The last units are fewer than a panel's symbols; the room of the products is used again.
  coefficients.clear();
  panels.clear();
  add_diagonal(units - 3);
  add_diagonal(0);
  std::ranges::fill(coefficients[1], 0);
  add_dense();
  expect_products();
}

INSTANTIATE_TEST_SUITE_P(InDoubleAndInFloat, SomePanels, ::testing::Values(19, units_for_float + 3));

TEST(Magnitudes, AreAddedToEachRow) {
  std::vector<double> rows(2 * panel_width), sums{100, 200};
  for (int k = 0; k < panel_width; ++k) {
    rows[at(k)] = k % 2 ? -k : k;
    rows[at(panel_width + k)] = k == panel_width - 1 ? -7 : 0;
  }
  add_magnitudes(rows.data(), 2, sums.data());
  EXPECT_EQ(sums, (std::vector<double>{100 + 120, 200 + 7}));
}

}  // namespace
}  // namespace cellproof::oracle
