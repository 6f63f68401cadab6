#include "oracle/step/sums.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cellproof::oracle {
namespace {

bool equal_or_nan(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

TEST(Sums, AreThoseOfOneProductAfterAnother) {
  std::mt19937_64 engine(7);
  const auto number = [&] { return std::uniform_real_distribution(-1.0, 1.0)(engine); };
  for (const int rows : {1, 3, 8, 13, 33}) {
    for (const int columns : {0, 1, 3, 4, 5, 8, 11}) {
      std::vector<double> weights, v, radius, before;
      for (int k = 0; k < rows * columns; ++k) weights.push_back(number());
      for (int k = 0; k < columns; ++k) {
        v.push_back(number());
        radius.push_back(k % 5 == 2 ? 0 : std::abs(number()));
      }
      if (columns > 2) weights[static_cast<std::size_t>(2 * rows)] = std::numeric_limits<double>::infinity();
      for (int r = 0; r < rows; ++r) before.push_back(number());
      Sums<double> sums;
      sums.reset(rows);
      const int first = rows / 4;
      add_products({weights.data(), rows, first, rows, columns}, v.data(), radius.data(), before.data(), sums);
      for (int r = first; r < rows; ++r) {
        const auto row = static_cast<std::size_t>(r);
        double value = 0, magnitude = 0, walk = 0, squares = 0, spread = 0;
        for (int c = 0; c < columns; ++c) {
          const auto column = static_cast<std::size_t>(c);
          const double w = weights[column * static_cast<std::size_t>(rows) + row], p = w * v[column];
          value += p;
          magnitude += std::abs(p);
          squares += std::abs(p) * std::abs(p);
          walk += std::max(std::abs(value), std::abs(before[row] + value));
          if (radius[column] != 0) spread += std::abs(w) * radius[column];
        }
        EXPECT_TRUE(equal_or_nan(sums.value[row], value) && equal_or_nan(sums.magnitude[row], magnitude) &&
                    equal_or_nan(sums.squares[row], squares) && equal_or_nan(sums.walk[row], walk) &&
                    equal_or_nan(sums.spread[row], spread))
            << rows << " rows, " << columns << " columns, row " << r;
      }
      for (int r = 0; r < first; ++r) EXPECT_EQ(sums.magnitude[static_cast<std::size_t>(r)], 0);
    }
  }
}

}  // namespace
}  // namespace cellproof::oracle
