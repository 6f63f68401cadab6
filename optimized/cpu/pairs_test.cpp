// Products of pairs of bfloat16 against plain sums, and the care that subnormal numbers take.
#include "optimized/cpu/pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/elements.hpp"
#include "optimized/cpu/testing/node_case.hpp"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu {
namespace {

class Pairs : public ::testing::Test {
 protected:
  void SetUp() override {
#if CELLPROOF_CPU_SIMD
    if (const char* missing = cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AVX512_BF16); *missing == '\0') {
      kernels_ = avx512_bf16_kernels().pairs;
      lanes_ = avx512_bf16_kernels().lanes;
      return;
    }
#endif
    GTEST_SKIP() << "this processor lacks AVX512-BF16";
  }

  const PairKernels<float>* kernels_ = nullptr;
  std::size_t lanes_ = 0;
};

std::uint16_t bits_of(double value) {
  const auto number = static_cast<float>(value);
  std::uint16_t bits = 0;
  narrow(CELLPROOF_BFLOAT16, &number, 1, &bits, 0);
  return bits;
}

float pair_of(double lower, double upper) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits_of(lower)) | static_cast<std::uint32_t>(bits_of(upper))
                                                                               << 16);
}

/// Rows and a panel of numbers by their place, and their product.
class Sample {
 public:
  Sample(std::size_t lanes, std::size_t rows, std::size_t vectors, std::size_t piece, std::size_t pairs)
      : lanes_(lanes), panel_(vectors * pairs * lanes), out_(rows * vectors * lanes) {
    for (std::size_t r = 0; r < rows; ++r) {
      Buffer<float>& row = rows_.emplace_back(pairs);
      for (std::size_t k = 0; k < pairs; ++k) row[k] = pair_of(of_row(r, 2 * k), of_row(r, 2 * k + 1));
    }
    for (const Buffer<float>& row : rows_) row_data_.push_back(row.data());
    float* next = panel_.data();
    for (std::size_t first = 0; first < vectors; first += piece)
      for (std::size_t k = 0; k < pairs; ++k)
        for (std::size_t v = first; v < std::min(first + piece, vectors); ++v)
          for (std::size_t lane = 0; lane < lanes; ++lane, ++next)
            *next = pair_of(weight(v * lanes + lane, 2 * k), weight(v * lanes + lane, 2 * k + 1));
    m = {row_data_.data(), rows, panel_.data(), vectors, piece, pairs, nullptr, out_.data(), vectors * lanes};
  }

  /// Integers, so that no order of a sum rounds.
  static double of_row(std::size_t r, std::size_t k) { return static_cast<double>((7 * r + 3 * k) % 11) - 5; }
  static double weight(std::size_t column, std::size_t k) { return static_cast<double>((5 * column + k) % 13) - 6; }

  void expect_exact(const char* what) const {
    for (std::size_t r = 0; r < m.row_count; ++r)
      for (std::size_t column = 0; column < m.vectors * lanes_; ++column) {
        double sum = 0;
        for (std::size_t k = 0; k < 2 * m.length; ++k) sum += of_row(r, k) * weight(column, k);
        ASSERT_EQ(m.out[r * m.out_stride + column], sum)
            << what << ", row " << r << " of " << m.row_count << ", column " << column << ", pairs " << m.length;
      }
  }

  Multiplication<float> m;

 private:
  std::size_t lanes_;
  std::vector<Buffer<float>> rows_;
  std::vector<const float*> row_data_;
  Buffer<float> panel_, out_;
};

TEST_F(Pairs, AreMultipliedInEveryTile) {
  for (const std::size_t piece : {3, 4})
    for (std::size_t vectors = 1; vectors <= 9; ++vectors)
      for (std::size_t rows = 1; rows <= 17; ++rows)
        for (const std::size_t pairs : {1, 2, 5, 16}) {
          const Sample sample(lanes_, rows, vectors, piece, pairs);
          kernels_->multiply(sample.m);
          sample.expect_exact("multiply");
          std::fill_n(sample.m.out, rows * sample.m.out_stride, 0.0F);
          kernels_->multiply_widened(sample.m);
          sample.expect_exact("multiply_widened");
          if (rows > 1) continue;
          std::fill_n(sample.m.out, sample.m.out_stride, 0.0F);
          kernels_->multiply_row(sample.m);
          sample.expect_exact("multiply_row");
        }
}

TEST_F(Pairs, HaveTheLeastMagnitudeOfWhateverIsNotZero) {
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<std::uint16_t> numbers(count + 1);
    EXPECT_EQ(kernels_->least_magnitude(numbers.data() + 1, count), no_magnitude);
    std::fill(numbers.begin() + 1, numbers.end(), bits_of(-3));
    numbers[0] = 1;
    for (std::size_t place = 1; place <= count; ++place) {
      numbers[place] = bits_of(-0.5);
      EXPECT_EQ(kernels_->least_magnitude(numbers.data() + 1, count), bits_of(0.5)) << place << " of " << count;
      numbers[place] = 0x8000;
      EXPECT_EQ(kernels_->least_magnitude(numbers.data() + 1, count), count == 1 ? no_magnitude : bits_of(3));
      numbers[place] = bits_of(-3);
    }
  }
}

TEST(PairsOfNumbers, AreSafeWhereLastBitsMakeANormalProduct) {
  EXPECT_TRUE(nothing_is_subnormal(bits_of(0x1p-56), bits_of(0x1p-56)));
  EXPECT_FALSE(nothing_is_subnormal(bits_of(0x1p-56), bits_of(0x1p-57)));
  EXPECT_FALSE(nothing_is_subnormal(bits_of(0x1p-127), bits_of(0x1p100)));
  EXPECT_FALSE(nothing_is_subnormal(bits_of(0x1p100), bits_of(0x1p-127)));
  EXPECT_TRUE(nothing_is_subnormal(no_magnitude, bits_of(1)));
  EXPECT_TRUE(nothing_is_subnormal(bits_of(INFINITY), bits_of(1)));
}

/// The instruction alone would give 0 for each.
TEST_F(Pairs, KeepWhatIsSubnormal) {
  const double factors[][2] = {{0x1p-130, 1}, {1, 0x1p-130}, {0x1p-70, 0x1p-70}};
  for (const auto& [x, w] : factors)
    for (const bool careful : {false, true}) {
      const float rows[] = {pair_of(x, 0), pair_of(1, 0)};
      Buffer<float> panel(lanes_), out(2 * lanes_);
      for (std::size_t lane = 0; lane < lanes_; ++lane) panel[lane] = pair_of(w, 0);
      const float* const all[] = {&rows[0], &rows[1]};
      const char marks[] = {careful, false};
      multiply_pairs<float>(*kernels_, {all, 2, panel.data(), 1, 1, 1, nullptr, out.data(), lanes_}, marks);
      EXPECT_EQ(out[0], careful ? static_cast<float>(x * w) : 0) << x << " times " << w;
    }
}

TEST_F(Pairs, OfANodeAreWidenedWhereProductsAreSubnormal) {
  const testing::Recipe recipe{
      .op = CELLPROOF_RNN, .T = 2, .N = 3, .I = 4, .H = 5, .with_bias = false, .with_states = false};
  auto data = testing::data_for<testing::BFloat16>(recipe, 1);
  for (auto& x : data.X) x = x * 0x1p-66;
  for (auto& w : data.W) w = w * 0x1p-62;
  const auto expected = testing::by_the_equations(recipe, data).Y;
  const auto actual =
      testing::Prepared<testing::BFloat16>(recipe, data, {CELLPROOF_CPU_PATH_AVX512_BF16, 1}).run(data).Y;
  constexpr double least = 0x1p-133, roundoff = 0x1p-8;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LT(std::abs(expected[i]), 0x1p-126) << "that is what is tested";
    EXPECT_NEAR(static_cast<double>(actual[i]), expected[i], 2 * least + roundoff * std::abs(expected[i])) << i;
  }
  EXPECT_NE(static_cast<double>(actual.back()), 0.0);
}

}  // namespace
}  // namespace cellproof::cpu
