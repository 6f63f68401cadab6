// Sums of products in AMX's tiles, and the parts of floats that are multiplied there.
#include "optimized/cpu/amx.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/kernels_simd.hpp"
#include "optimized/cpu/pairs.hpp"
#include "optimized/cpu/testing/node_case.hpp"

namespace cellproof::cpu {
namespace {

constexpr std::size_t lanes = 16;

class Tiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* missing = cellproof_cpu_path_missing(CELLPROOF_CPU_PATH_AMX); *missing != '\0')
      GTEST_SKIP() << missing;
    kernels_ = amx_kernels().pairs;
  }
  const PairKernels<float>* kernels_ = nullptr;
};

/// A bfloat16 number's bits: the upper half of the float's.
std::uint16_t upper_half(double value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
}
float from_half(std::uint16_t half) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
}
float pair(double lower, double upper) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(upper_half(upper)) << 16 | upper_half(lower));
}

/// Integers, so that no order of a sum rounds.
double of_row(std::size_t term, std::size_t r, std::size_t k) {
  return static_cast<double>((7 * r + 3 * k + 5 * term) % 11) - 5;
}
double weight(std::size_t term, std::size_t column, std::size_t k) {
  return static_cast<double>((5 * column + k + term) % 13) - 6;
}

/// Rows and panels of terms with the given numbers of pairs, by their places.
class Sample {
 public:
  Sample(const std::vector<std::size_t>& lengths, std::size_t rows, std::size_t vectors, std::size_t piece,
         bool is_uneven)
      : lengths_(lengths), out_(rows * (vectors + 1) * lanes), start_(rows * vectors * lanes) {
    sum = {{}, 0, rows, vectors, piece, nullptr, 0, out_.data(), (vectors + 1) * lanes};
    for (std::size_t term = 0; term < lengths.size(); ++term) add(term, is_uneven);
    for (std::size_t i = 0; i < start_.size(); ++i) start_[i] = static_cast<float>(i % 7);
  }

  void begin_at_start() {
    sum.start = start_.data();
    sum.start_stride = sum.vectors * lanes;
  }
  void expect_exact() const {
    for (std::size_t r = 0; r < sum.row_count; ++r) {
      for (std::size_t column = 0; column < sum.vectors * lanes; ++column) {
        double expected = sum.start ? start_[r * sum.start_stride + column] : 0;
        for (std::size_t term = 0; term < lengths_.size(); ++term)
          for (std::size_t k = 0; k < 2 * lengths_[term]; ++k) expected += of_row(term, r, k) * weight(term, column, k);
        ASSERT_EQ(out_[r * sum.out_stride + column], expected)
            << "row " << r << " of " << sum.row_count << ", column " << column << " of " << sum.vectors << " vectors, "
            << lengths_.size() << " terms";
      }
      for (std::size_t i = sum.vectors * lanes; i < sum.out_stride; ++i)
        ASSERT_EQ(out_[r * sum.out_stride + i], 0) << "written past the columns";
    }
  }

  TileProduct<float> sum;

 private:
  void add(std::size_t term, bool is_uneven) {
    const std::size_t length = lengths_[term], offset = 3 * term;
    auto& rows = rows_.emplace_back();
    auto& addresses = addresses_.emplace_back();
    for (std::size_t r = 0; r < sum.row_count; ++r) {
      // A place for each: allocated one by one, they do not lie equally far apart.
      const std::size_t stride = offset + length + lanes;
      if (r == 0 || is_uneven) rows.emplace_back((is_uneven ? 1 : sum.row_count) * stride);
      float* row = is_uneven ? rows.back().data() : rows.front().data() + r * stride;
      for (std::size_t k = 0; k < length; ++k)
        row[offset + k] = pair(of_row(term, r, 2 * k), of_row(term, r, 2 * k + 1));
      addresses.push_back(row);
    }
    Buffer<float>& panel = panels_.emplace_back(sum.vectors * lanes * length);
    float* next = panel.data();
    for (std::size_t first = 0; first < sum.vectors; first += sum.piece)
      for (std::size_t k = 0; k < length; ++k)
        for (std::size_t v = first; v < std::min(first + sum.piece, sum.vectors); ++v)
          for (std::size_t lane = 0; lane < lanes; ++lane, ++next)
            *next = pair(weight(term, v * lanes + lane, 2 * k), weight(term, v * lanes + lane, 2 * k + 1));
    sum.terms[sum.term_count++] = {addresses.data(), offset, panel.data(), length};
  }

  std::vector<std::size_t> lengths_;
  std::vector<std::vector<Buffer<float>>> rows_;
  std::vector<std::vector<const float*>> addresses_;
  std::vector<Buffer<float>> panels_;
  Buffer<float> out_, start_;
};

TEST_F(Tiles, AddUpTermsOfAllLengthsFromZeroAndFromAStart) {
  const std::vector<std::size_t> lengths[] = {{}, {1}, {16}, {35}, {3, 16}, {32, 5}, {20, 7, 7, 7}};
  for (const auto& of_terms : lengths)
    for (const bool has_start : {false, true})
      for (const std::size_t rows : {1, 2, 15, 16, 17, 31, 32, 33, 64, 70})
        for (const std::size_t vectors : {1, 2, 3, 4, 7, 8})
          for (const std::size_t piece : {3, 4}) {
            Sample sample(of_terms, rows, vectors, piece, rows % 2 == 0);
            if (has_start) sample.begin_at_start();
            multiply_in_tiles(sample.sum);
            sample.expect_exact();
          }
  release_tiles();
}

/// So that a row's sum does not depend on whether X's product has been computed ahead.
TEST_F(Tiles, GiveTheSameBitsInOneGoAndFromAStart) {
  const auto numbers = testing::numbers<float>(4096, 3);
  std::vector<float> pairs(2048), panel(2048);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = pair(numbers[2 * i], numbers[2 * i + 1]);
    panel[i] = pair(numbers[4095 - 2 * i], numbers[4094 - 2 * i]);
  }
  const float* const rows[] = {pairs.data(), pairs.data() + 500};
  const TileFactors<float> x{rows, 0, panel.data(), 40}, h{rows, 700, panel.data() + 1000, 60};
  std::vector<float> together(2 * lanes), apart(2 * lanes);
  multiply_in_tiles<float>({{x, h}, 2, 2, 1, 4, nullptr, 0, together.data(), lanes});
  multiply_in_tiles<float>({{x}, 1, 2, 1, 4, nullptr, 0, apart.data(), lanes});
  multiply_in_tiles<float>({{h}, 1, 2, 1, 4, apart.data(), lanes, apart.data(), lanes});
  release_tiles();
  EXPECT_EQ(together, apart);
}

TEST_F(Tiles, SplitFloatsIntoPartsThatAddUpToThem) {
  std::vector<float> values = testing::numbers<float>(61, 4);
  values.insert(values.end(), {0, -0.0F, 1, 1 + 0x1p-23F, -0x1.fffffep127F, 0x1.fffffep-90F, INFINITY, -INFINITY});
  const std::size_t count = values.size(), stride = 96;
  std::vector<std::uint16_t> parts(parts_of_float * stride, 7);
  values.resize(80, NAN);  // what is behind a row is not to become a number
  kernels_->split(values.data(), count, parts.data(), stride);
  for (std::size_t i = 0; i < count; ++i) {
    const float last = from_half(parts[i]), middle = from_half(parts[stride + i]);
    const float first = from_half(parts[2 * stride + i]);
    EXPECT_EQ(last + middle + first, values[i]) << i;
    EXPECT_TRUE(!std::isinf(values[i]) || (last == 0 && middle == 0)) << "another part would make NaN of it";
  }
  for (std::size_t i = count; i < 80; ++i) EXPECT_EQ(parts[2 * stride + i], 0);
}

TEST_F(Tiles, AskForCareWherePartsWouldBeTooSmall) {
  std::vector<float> values(lanes, 1);
  std::vector<std::uint16_t> parts(parts_of_float * lanes);
  for (const float small : {0x1p-101F, 0x1p-120F + 0x1p-143F, std::numeric_limits<float>::denorm_min()}) {
    values[5] = small;
    kernels_->split(values.data(), lanes, parts.data(), lanes);
    const std::uint16_t least = kernels_->least_magnitude(parts.data(), parts.size());
    EXPECT_FALSE(nothing_is_subnormal(least, upper_half(1))) << small;
  }
  values[5] = 0;
  kernels_->split(values.data(), lanes, parts.data(), lanes);
  EXPECT_TRUE(nothing_is_subnormal(kernels_->least_magnitude(parts.data(), parts.size()), upper_half(1)));
}

/// r * H has more bits than bfloat16. Two units' nearly cancel, so that all that is left of them is in the lower ones.
TEST_F(Tiles, MultiplyResetStatesAsFloats) {
  const testing::Recipe recipe{.op = CELLPROOF_GRU, .T = 1, .N = 1, .I = 1, .H = 2};
  auto data = testing::data_for<testing::BFloat16>(recipe, 1);
  const auto set = [](auto& values, const std::vector<double>& to) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = testing::BFloat16(to.empty() ? 0 : to[i]);
  };
  set(data.X, {});
  set(data.W, {});
  set(data.R, {0, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, 1});
  set(data.B, {-30, -30, 1, 1.015625, 0, 0, 0, 0, 0, 0, 0, 0});
  set(data.initial_h, {0.75, 0.75 - 0x1p-8});
  const auto expected = testing::by_the_equations(recipe, data).Y;
  const auto actual = testing::Prepared<testing::BFloat16>(recipe, data, {CELLPROOF_CPU_PATH_AMX, 1}).run(data).Y;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LT(std::abs(expected[i]), 0x1p-10) << "that is what is tested";
    EXPECT_NEAR(static_cast<double>(actual[i]), expected[i], 0x1p-8 * std::abs(expected[i])) << i;
  }
}

}  // namespace
}  // namespace cellproof::cpu
