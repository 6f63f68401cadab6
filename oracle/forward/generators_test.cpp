#include "oracle/forward/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace cellproof::oracle
