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

class Pairs : public ::testing::TestWithParam<cellproof_cpu_path> {
 protected:
  void SetUp() override {
    if (const char* missing = cellproof_cpu_path_missing(GetParam()); *missing != '\0') GTEST_SKIP() << missing;
#if CELLPROOF_CPU_SIMD
    const Kernels<float>& all = GetParam() == CELLPROOF_CPU_PATH_AMX ? amx_kernels() : avx512_bf16_kernels();
    kernels_ = all.pairs;
    lanes_ = all.lanes;
#endif
  }

  const PairKernels<float>* kernels_ = nullptr;
  std::size_t lanes_ = 0;
};

INSTANTIATE_TEST_SUITE_P(OnEachPath, Pairs, ::testing::Values(CELLPROOF_CPU_PATH_AVX512_BF16, CELLPROOF_CPU_PATH_AMX),
                         [](const auto& path) { return path.param == CELLPROOF_CPU_PATH_AMX ? "AMX" : "AVX512_BF16"; });

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

TEST_P(Pairs, AreMultipliedInEveryTile) {
  for (const std::size_t piece : {3, 4})
    for (std::size_t vectors = 1; vectors <= 9; ++vectors)
      for (const std::size_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 50})
        for (const std::size_t pairs : {1, 2, 5, 16, 35}) {
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

TEST_P(Pairs, HaveTheLeastMagnitudeOfWhateverIsNotZero) {
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
TEST_P(Pairs, KeepWhatIsSubnormal) {
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

TEST_P(Pairs, OfANodeAreWidenedWhereProductsAreSubnormal) {
  // GRU multiplies r * H, whose reset gate is a half.
  for (const auto& [op, N] : {std::pair{CELLPROOF_RNN, 3}, {CELLPROOF_GRU, 3}, {CELLPROOF_GRU, 20}}) {
    const testing::Recipe recipe{
        .op = op, .T = 2, .N = static_cast<std::size_t>(N), .I = 4, .H = 5, .with_bias = false, .with_states = false};
    auto data = testing::data_for<testing::BFloat16>(recipe, 1);
    for (auto& x : data.X) x = x * 0x1p-66;
    for (auto& w : data.W) w = w * 0x1p-62;
    const auto expected = testing::by_the_equations(recipe, data).Y;
    const auto actual = testing::Prepared<testing::BFloat16>(recipe, data, {GetParam(), 1}).run(data).Y;
    constexpr double least = 0x1p-133, roundoff = 0x1p-8;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_LT(std::abs(expected[i]), 0x1p-126) << "that is what is tested";
      EXPECT_NEAR(static_cast<double>(actual[i]), expected[i], 2 * least + roundoff * std::abs(expected[i])) << i;
    }
    EXPECT_NE(static_cast<double>(actual.back()), 0.0);
  }
}

}  // namespace
}  // namespace cellproof::cpu
