// Bytes, ranges and exact products, on the host and on a device where there is one.
#include "optimized/cuda/quantized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/testing/device.hpp"

namespace cellproof::cuda {
namespace {

using ::testing::ElementsAre;

/// Values in a backend's memory, and back.
template <class T>
Memory<T> there(Backend& backend, const std::vector<T>& values) {
  Memory<T> memory(backend, static_cast<Index>(values.size()));
  backend.upload(memory.data(), values.data(), values.size() * sizeof(T));
  backend.finish();
  return memory;
}
template <class T>
std::vector<T> back(Backend& backend, const Memory<T>& memory) {
  std::vector<T> values(memory.bytes() / sizeof(T));
  backend.download(values.data(), memory.data(), memory.bytes());
  backend.finish();
  return values;
}

TEST(CudaQuantized, PacksFourBytesIntoAWord) {
  std::int32_t word = 0;
  const std::int32_t bytes[] = {-128, 127, -1, 5};
  for (int place = 0; place < 4; ++place) word = with_byte(word, place, bytes[place]);
  for (int place = 0; place < 4; ++place) EXPECT_EQ(byte_of(word, place), bytes[place]);
  EXPECT_EQ(dot_of_words(word, word), 128 * 128 + 127 * 127 + 1 + 25);
}

TEST(CudaQuantized, ChoosesScaleAndZeroPointAsDynamicQuantizeLinear) {
  EXPECT_EQ(quantization_of(-3, 252).scale, 1);
  EXPECT_EQ(quantization_of(-3, 252).zero_point, 3 - 128);
  EXPECT_EQ(quantization_of(-0.5F, 254.5F).zero_point, 0 - 128);  // a half, to even
  EXPECT_EQ(quantization_of(-1.5F, 253.5F).zero_point, 2 - 128);
  EXPECT_EQ(quantization_of(0, 0).scale, 1);
  EXPECT_EQ(quantization_of(0, 0).zero_point, -128);
  EXPECT_EQ(quantization_of(-2, 0).zero_point, 127);
}

TEST(CudaQuantized, RoundsHalvesToEvenAndSaturates) {
  const Quantization ten{1, 10 - 128};
  const auto byte = [&](float value) { return quantized(value, ten) + 128; };
  EXPECT_EQ(byte(0.5F), 10);
  EXPECT_EQ(byte(1.5F), 12);
  EXPECT_EQ(byte(-0.5F), 10);
  EXPECT_EQ(byte(1000), 255);
  EXPECT_EQ(byte(-INFINITY), 0);
  EXPECT_EQ(byte(NAN), 0);
}

void check_ranges(Backend& backend) {
  std::vector<float> values(static_cast<std::size_t>(range_piece) + 7, 0.25F);
  values[3] = NAN, values[5] = -3, values.back() = 9;
  const Memory<float> at = there(backend, values);
  const Memory<RangePart> parts(backend, 2);
  const Memory<Quantization> quantization(backend, 1);
  backend.sums(RangeOfX{at.data(), static_cast<Index>(values.size()), parts.data()});
  backend.sums(JoinRanges{parts.data(), 2, quantization.data()});
  const std::vector<RangePart> ranges = back(backend, parts);
  EXPECT_EQ(ranges[0].low, -3);
  EXPECT_EQ(ranges[0].high, 0.25F);
  EXPECT_EQ(ranges[1].low, 0);
  EXPECT_EQ(ranges[1].high, 9);
  EXPECT_EQ(back(backend, quantization)[0].scale, 12.0F / 255);
}

void check_finished_rows(Backend& backend) {
  // Two ranks of one unit. Rank 1 has ended after one step, in the second half: 8.
  const Memory<float> h = there(backend, std::vector<float>{1, 7, 2, 8});
  const Memory<Index> lengths = there(backend, std::vector<Index>{5, 1});
  const Memory<RangePart> parts(backend, 2);
  const auto highs = [&](Index step, bool finished_is_zero) {
    backend.sums(RangeOfH{h.data(), 2, 1, lengths.data(), step, finished_is_zero, parts.data()});
    const std::vector<RangePart> ranges = back(backend, parts);
    return std::vector<float>{ranges[0].high, ranges[1].high};
  };
  EXPECT_THAT(highs(0, true), ElementsAre(1, 7));
  EXPECT_THAT(highs(1, true), ElementsAre(2, 8));
  EXPECT_THAT(highs(2, true), ElementsAre(1, 0));
  EXPECT_THAT(highs(2, false), ElementsAre(1, 8));
}

/// Weights of either kind against plain loops over the numbers that they stand for, exactly.
template <class Byte>
void expect_exact_products(Backend& backend, Index depth, Index rows, bool per_column) {
  constexpr Index columns = 6;
  std::vector<Byte> weights, zero_points;
  std::vector<float> scales, values;
  for (Index i = 0; i < depth * columns; ++i) weights.push_back(static_cast<Byte>(i % 7 == 0 ? 128 : i * 91));
  for (Index c = 0; c < (per_column ? columns : 1); ++c) {
    scales.push_back(0.5F * static_cast<float>(c + 1));
    zero_points.push_back(static_cast<Byte>(c * 50));
  }
  for (Index i = 0; i < rows * depth; ++i) values.push_back(static_cast<float>(i * 37 % 256));
  for (float& value : values) value -= 3;
  const Index words = (depth + 3) / 4;
  const Memory<Byte> weights_at = there(backend, weights), zero_points_at = there(backend, zero_points);
  const Memory<float> scales_at = there(backend, scales), values_at = there(backend, values);
  const Memory<std::int32_t> packed(backend, columns * words), zeros(backend, columns),
      row_words(backend, rows * words);
  const Memory<float> packed_scales(backend, columns), out_at(backend, rows * columns);
  const Memory<std::int64_t> excess(backend, columns), row_sums(backend, rows);
  const QuantizedWeights view{packed.data(), packed_scales.data(), zeros.data(), excess.data()};
  backend.sums(PackColumns{weights_at.data(), std::is_signed_v<Byte>, depth, columns, scales_at.data(),
                           zero_points_at.data(), per_column, per_column, view});
  // A row's numbers run from -3 to 252.
  const Memory<Quantization> of_rows = there(backend, std::vector<Quantization>{{1, 3 - 128}});
  backend.sums(QuantizeRows{values_at.data(), nullptr, rows, depth, of_rows.data(), row_words.data(), row_sums.data()});
  backend.sums(
      BytesProduct{row_words.data(), row_sums.data(), rows, words, of_rows.data(), view, columns, out_at.data()});
  const std::vector<float> out = back(backend, out_at);
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      std::int64_t expected = 0;
      const auto parameter = static_cast<std::size_t>(per_column ? c : 0);
      for (Index k = 0; k < depth; ++k)
        expected += static_cast<std::int64_t>(values[static_cast<std::size_t>(r * depth + k)]) *
                    (weights[static_cast<std::size_t>(k * columns + c)] - zero_points[parameter]);
      ASSERT_EQ(out[static_cast<std::size_t>(r * columns + c)], static_cast<float>(expected) * scales[parameter])
          << "depth " << depth << ", row " << r << ", column " << c;
    }
}

void check_exact_products(Backend& backend) {
  for (const Index depth : {0, 1, 3, 4, 5, 127, 128, 129, 515})
    for (const Index rows : {1, 4, 5})
      for (const bool per_column : {false, true}) {
        expect_exact_products<std::int8_t>(backend, depth, rows, per_column);
        expect_exact_products<std::uint8_t>(backend, depth, rows, per_column);
      }
}

TEST(CudaQuantized, FindsRangesThatHoldZeroAndNoNaN) {
  check_ranges(*make_host_backend());
}
TEST(CudaQuantized, TakesAFinishedRowAsItsLastStateOrAsZero) {
  check_finished_rows(*make_host_backend());
}
TEST(CudaQuantized, MultipliesExactlyAlsoPastTheLastWholeWord) {
  check_exact_products(*make_host_backend());
}

class CudaDeviceQuantized : public testing::OnDevice {};

TEST_F(CudaDeviceQuantized, FindsRangesThatHoldZeroAndNoNaN) {
  check_ranges(*make_device_backend());
}
TEST_F(CudaDeviceQuantized, TakesAFinishedRowAsItsLastStateOrAsZero) {
  check_finished_rows(*make_device_backend());
}
TEST_F(CudaDeviceQuantized, MultipliesExactlyAlsoPastTheLastWholeWord) {
  check_exact_products(*make_device_backend());
}

}  // namespace
}  // namespace cellproof::cuda
