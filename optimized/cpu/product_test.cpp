// Packing of weights, and multiplication by them, on every set of kernels against plain loops.
#include "optimized/cpu/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/cellproof_cpu.h"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu {
namespace {

template <class Real>
struct Table {
  const char* name;
  const Kernels<Real>& kernels;
};

template <class Real>
std::vector<Table<Real>> tables() {
  std::vector<Table<Real>> result{{"scalar", scalar_kernels<Real>()}};
#if CELLPROOF_CPU_SIMD
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX2) == '\0') result.push_back({"avx2", avx2_kernels<Real>()});
  if (*cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX512) == '\0')
    result.push_back({"avx512", avx512_kernels<Real>()});
#endif
  return result;
}

template <class Real>
class Pack : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Pack, Reals);

TYPED_TEST(Pack, PutsEveryElementBesideThoseOfTheOtherRows) {
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t lanes = table.kernels.lanes;
    for (std::size_t length = 0; length < 40; ++length) {
      const std::size_t row_stride = length + 3, out_stride = 3 * lanes;
      std::vector<TypeParam> rows(lanes * row_stride + 1);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<TypeParam>(i + 1);
      Buffer<TypeParam> out((length + 1) * out_stride);
      // From an odd place: a tensor need not be aligned to vectors.
      EXPECT_TRUE(table.kernels.pack(rows.data() + 1, row_stride, length, out.data(), out_stride));
      for (std::size_t k = 0; k <= length; ++k)
        for (std::size_t place = 0; place < out_stride; ++place)
          ASSERT_EQ(out[k * out_stride + place],
                    k < length && place < lanes ? rows[1 + place * row_stride + k] : TypeParam(0))
              << table.name << ", length " << length << ", k " << k << ", place " << place;
    }
  }
}

TYPED_TEST(Pack, TellsWhereverSomethingIsNotFinite) {
  constexpr auto infinity = std::numeric_limits<TypeParam>::infinity();
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t lanes = table.kernels.lanes, length = 19;
    for (std::size_t place = 0; place < lanes * length; ++place) {
      for (const TypeParam special : {infinity, -infinity, std::numeric_limits<TypeParam>::quiet_NaN()}) {
        std::vector<TypeParam> rows(lanes * length, std::numeric_limits<TypeParam>::max());
        rows[place] = special;
        Buffer<TypeParam> out(length * lanes);
        ASSERT_FALSE(table.kernels.pack(rows.data(), length, length, out.data(), lanes))
            << table.name << ", place " << place;
      }
    }
  }
}

TYPED_TEST(Pack, LooksForWhatIsNotFiniteAtEveryPlace) {
  constexpr auto infinity = std::numeric_limits<TypeParam>::infinity();
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t count = 9 * table.kernels.lanes + 3;
    std::vector<TypeParam> values(count + 1, std::numeric_limits<TypeParam>::lowest());
    EXPECT_TRUE(table.kernels.all_finite(values.data() + 1, count)) << table.name;
    EXPECT_TRUE(table.kernels.all_finite(values.data(), 0)) << table.name;
    for (std::size_t place = 1; place <= count; ++place) {
      for (const TypeParam special : {infinity, -infinity, std::numeric_limits<TypeParam>::quiet_NaN()}) {
        const TypeParam kept = std::exchange(values[place], special);
        ASSERT_FALSE(table.kernels.all_finite(values.data() + 1, count)) << table.name << ", place " << place;
        values[place] = kept;
      }
    }
  }
}

/// Whole numbers: every order of the additions gives the same.
template <class Real>
Real whole(std::size_t seed, std::size_t i) {
  return static_cast<Real>(static_cast<int>((seed * 131 + i * 37) % 17) - 8);
}

struct Factors {
  std::size_t rows, vectors, piece, length;
  bool has_bias;
};

/// Every row and vector of a panel, packed here by hand, and nothing beside it.
template <class Real>
void expect_products(const Table<Real>& table, const Factors& f, bool by_row) {
  const std::size_t lanes = table.kernels.lanes, columns = f.vectors * lanes, stride = columns + lanes;
  Buffer<Real> panel(columns * f.length), bias(columns), out(f.rows * stride);
  std::vector<Real> x(f.rows * f.length);
  std::vector<const Real*> rows(f.rows);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = whole<Real>(1, i);
  for (std::size_t row = 0; row < f.rows; ++row) rows[row] = x.data() + row * f.length;
  const auto weight = [&](std::size_t column, std::size_t k) { return whole<Real>(2, column * f.length + k); };
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t vector = column / lanes, first = vector / f.piece * f.piece;
    const std::size_t width = std::min(f.piece, f.vectors - first);
    for (std::size_t k = 0; k < f.length; ++k)
      panel[first * lanes * f.length + (k * width + vector - first) * lanes + column % lanes] = weight(column, k);
    bias[column] = whole<Real>(3, column);
  }
  std::fill_n(out.data(), out.size(), Real(77));
  const Multiplication<Real> m{
      rows.data(), f.rows, panel.data(), f.vectors, f.piece, f.length, f.has_bias ? bias.data() : nullptr,
      out.data(),  stride};
  by_row ? table.kernels.multiply_row(m) : table.kernels.multiply(m);
  for (std::size_t row = 0; row < f.rows; ++row) {
    for (std::size_t column = 0; column < stride; ++column) {
      Real expected = column < columns ? (f.has_bias ? bias[column] : 0) : 77;
      for (std::size_t k = 0; column < columns && k < f.length; ++k) expected += rows[row][k] * weight(column, k);
      ASSERT_EQ(out[row * stride + column], expected)
          << table.name << (by_row ? ", by row" : "") << ", " << f.rows << " rows, " << f.vectors
          << " vectors, pieces of " << f.piece << ", length " << f.length << ", row " << row << ", column " << column;
    }
  }
}

TYPED_TEST(Pack, IsNotNeededForTheProductOfOneRow) {
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t lanes = table.kernels.lanes;
    for (std::size_t length = 0; length < 40; ++length) {
      for (std::size_t count = 1; count <= lanes; ++count) {
        // As much memory as there may be, so that a sanitizer sees what is read beyond.
        std::vector<TypeParam> row(length), weights(count * length), bias(count), out(count + 1, 77);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = whole<TypeParam>(1, i);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = whole<TypeParam>(2, i);
        for (std::size_t i = 0; i < count; ++i) bias[i] = whole<TypeParam>(3, i);
        const bool has_bias = count % 3 > 0;
        table.kernels.dots(row.data(), weights.data(), length, count, has_bias ? bias.data() : nullptr, out.data());
        for (std::size_t i = 0; i < count; ++i) {
          TypeParam expected = has_bias ? bias[i] : 0;
          for (std::size_t k = 0; k < length; ++k) expected += row[k] * weights[i * length + k];
          ASSERT_EQ(out[i], expected) << table.name << ", length " << length << ", " << i << " of " << count;
        }
        ASSERT_EQ(out[count], 77) << table.name << " wrote past the last of " << count;
      }
    }
  }
}

template <class Real>
class Multiply : public ::testing::Test {};
TYPED_TEST_SUITE(Multiply, Reals);

TYPED_TEST(Multiply, GivesEveryRowsProductWithEveryVector) {
  for (const auto& table : tables<TypeParam>())
    for (std::size_t piece = 1; piece <= most_piece; ++piece)
      for (std::size_t vectors = 1; vectors <= 2 * piece + 1; ++vectors)
        for (std::size_t rows = 1; rows <= 15; ++rows)
          for (const std::size_t length : {0, 1, 3, 4, 7, 21})
            expect_products<TypeParam>(table, {rows, vectors, piece, length, (rows + vectors) % 2 == 0}, false);
}

TYPED_TEST(Multiply, OfOneRowGivesTheSame) {
  for (const auto& table : tables<TypeParam>())
    for (std::size_t piece = 1; piece <= most_piece; ++piece)
      for (std::size_t vectors = 1; vectors <= 2 * piece + 1; ++vectors)
        for (std::size_t length = 0; length <= 21; ++length)
          expect_products<TypeParam>(table, {1, vectors, piece, length, length % 2 == 0}, true);
}

TYPED_TEST(Multiply, RoundsARowAsItWouldAlone) {
  for (const auto& table : tables<TypeParam>()) {
    const std::size_t lanes = table.kernels.lanes, length = 50, rows = 13, vectors = 7;
    for (std::size_t piece = 1; piece <= most_piece; ++piece) {
      Buffer<TypeParam> panel(vectors * lanes * length), together(rows * vectors * lanes), alone(vectors * lanes);
      std::vector<TypeParam> x(rows * length);
      std::vector<const TypeParam*> pointers(rows);
      for (std::size_t i = 0; i < panel.size(); ++i) panel[i] = 1 / (whole<TypeParam>(1, i) + TypeParam(9.1));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 / (whole<TypeParam>(2, i) - TypeParam(9.3));
      for (std::size_t row = 0; row < rows; ++row) pointers[row] = x.data() + row * length;
      table.kernels.multiply(
          {pointers.data(), rows, panel.data(), vectors, piece, length, nullptr, together.data(), vectors * lanes});
      for (std::size_t row = 0; row < rows; ++row) {
        table.kernels.multiply(
            {pointers.data() + row, 1, panel.data(), vectors, piece, length, nullptr, alone.data(), vectors * lanes});
        for (std::size_t i = 0; i < vectors * lanes; ++i)
          ASSERT_EQ(together[row * vectors * lanes + i], alone[i]) << table.name << ", row " << row << ", " << i;
      }
    }
  }
}

}  // namespace
}  // namespace cellproof::cpu
