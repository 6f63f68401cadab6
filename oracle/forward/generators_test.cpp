#include "oracle/forward/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "oracle/at.hpp"

namespace cellproof::oracle {
namespace {

constexpr double roundings = 1e-8;

/// One unit with a cell, which an old symbol moves by 1 and its h by 0.5; another moves h alone, by 0.25.
Generators with_old_symbols() {
  Generators symbols(1, true);
  symbols.cell_c = {1};
  symbols.cell_h = {0.5};
  symbols.own_h = {0.25};
  symbols.advance([](std::span<Panel>) {});
  return symbols;
}

TEST(Generators, HoldInTheirNewSymbolsWhatTheDroppedOnesDid) {
  Generators symbols = with_old_symbols();
  symbols.cell_c = {2};
  symbols.cell_h = {0.4};
  symbols.own_h = {0.1};
  std::vector<double> h{1.25}, c{3};
  symbols.reduce(0, 0, h, c);
  EXPECT_EQ(symbols.count(), 0);
  // The cell's symbol now stands for two, which need not agree: a third of it is the old one.
  const double disagreement = 2 * 0.4 / 3;
  EXPECT_NEAR(symbols.cell_c[0], 3, roundings);
  EXPECT_NEAR(symbols.own_h[0], 0.1 + 0.75 + disagreement, roundings);
  EXPECT_NEAR(h[0], 1.25 + disagreement, roundings);
  EXPECT_NEAR(c[0], 3, roundings);
  EXPECT_GE(symbols.cell_c[0], 3);
  EXPECT_GE(symbols.own_h[0], 0.85 + disagreement);
}

TEST(Generators, KeepAsManyAsTheyMay) {
  Generators symbols = with_old_symbols();
  const int all = symbols.count();
  symbols.cell_c = {2};
  symbols.cell_h = {0.4};
  symbols.own_h = {0.1};
  std::vector<double> h{1.25}, c{3};
  symbols.reduce(all, 0, h, c);
  EXPECT_NEAR(symbols.own_h[0], 0.1, roundings);
  EXPECT_NEAR(symbols.cell_c[0], 2, roundings);
  EXPECT_NEAR(h[0], 1.25, roundings);
}

/// Weights [unit] of one row, and coefficients [unit][panel_width].
struct OneRow {
  explicit OneRow(double largest_weight = 1) : weights(at(units)), panel(at(units) * panel_width) {
    std::mt19937_64 dice(20261127);
    std::uniform_real_distribution<double> any(-1, 1);
    for (double& w : weights) w = largest_weight * any(dice);
    for (double& x : panel) x = std::exp2(-150 * std::abs(any(dice))) * any(dice);
  }
  /// Returns how far the products are off together, and how far they may be.
  std::pair<double, double> error() const {
    PanelProducts products;
    multiply(PackedRows(weights, 1, 0, 1, units), panel.data(), products);
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
  for (const OneRow& row : {weights, coefficients}) {
    const auto [off, most] = row.error();
    EXPECT_LE(off, most * 1e-6);
    EXPECT_GT(most, 1e10);
  }
}

}  // namespace
}  // namespace cellproof::oracle
