// Products of stored 16-bit numbers, and a node of them against the same node in float.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/testing/sample.hpp"

namespace cellproof::cuda::testing {
namespace {

std::vector<std::uint16_t> stored(const std::vector<float>& values, Storage storage) {
  std::vector<std::uint16_t> words(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) store(storage, words.data(), static_cast<Index>(i), values[i]);
  return words;
}

TEST(WordsProduct, SumsEveryRowAndColumnInFloat) {
  const auto host = make_host_backend();
  for (const Storage storage : {Storage::Float16, Storage::BFloat16})
    for (const Index rows : {1, 4, 5, 9})  // few rows are a warp's, more are in a tensor core's way
      for (const Index terms : {0, 1, 15, 16, 17, 40}) {
        const Index columns = 7;
        const auto a = stored(noise<float>(rows * terms, 1, 1), storage),
                   w = stored(noise<float>(columns * terms, 2, 1), storage);
        std::vector<float> out(static_cast<std::size_t>(rows * columns), 98765);
        host->product(WordsProduct{a.data(), rows, terms, w.data(), columns, out.data(), storage});
        for (Index row = 0; row < rows; ++row)
          for (Index column = 0; column < columns; ++column) {
            double sum = 0;
            for (Index k = 0; k < terms; ++k)
              sum += load<double>(storage, a.data(), row * terms + k) *
                     load<double>(storage, w.data(), column * terms + k);
            EXPECT_NEAR(out[static_cast<std::size_t>(row * columns + column)], sum, 4e-6) << rows << "x" << terms;
          }
      }
}

TEST(WordsProduct, RoundsTowardsZeroInBlocksOfSixteen) {
  const auto host = make_host_backend();
  // One term of 1 and fifteen of 2^-24 and a bit: the exact sum is cut, not rounded.
  const auto a = stored(std::vector<float>(5 * 16, 1), Storage::Float16);
  std::vector<float> column(16, power_of_two(-24));
  column[0] = 1;
  const auto w = stored(column, Storage::Float16);
  std::vector<float> out(5);
  host->product(WordsProduct{a.data(), 5, 16, w.data(), 1, out.data(), Storage::Float16});
  EXPECT_EQ(out[4], 1 + 7 * power_of_two(-23));  // 15 halves of an ulp
}

/// A node whose weights, X and states are float16, which a node of floats can have, too.
struct WordsNode {
  Sample sample;
  Inputs<float> in;

  explicit WordsNode(const Sample& s) : sample(s), in(inputs_of<float>(s, 5)) {
    for (auto& values : in)
      for (float& value : values) value = widened_half(rounded_half(value));
  }

  std::vector<float> run(cellproof_cuda_machine machine) const {
    const std::int64_t T = sample.T, N = sample.N, D = sample.D(), rows = sample.G() * sample.H, H = sample.H;
    std::array<std::vector<std::uint16_t>, CELLPROOF_W_SCALE> words;
    cellproof_node node{};
    node.op = sample.op;
    node.direction = sample.direction.c_str();
    node.linear_before_reset = sample.linear_before_reset;
    const auto give = [&](std::size_t i, int rank, std::array<std::int64_t, 4> shape) {
      if (in.at(i).empty()) return;
      words.at(i) = stored(in.at(i), Storage::Float16);
      node.inputs[i] = {CELLPROOF_FLOAT16, rank, {shape[0], shape[1], shape[2], 0}, words.at(i).data()};
    };
    give(CELLPROOF_X, 3, {T, N, sample.I});
    node.inputs[CELLPROOF_X].data = nullptr;
    give(CELLPROOF_W, 3, {D, rows, sample.I});
    give(CELLPROOF_R, 3, {D, rows, H});
    give(CELLPROOF_B, 2, {D, 2 * rows});
    give(CELLPROOF_INITIAL_H, 3, {D, N, H});
    if (sample.is_lstm()) give(CELLPROOF_INITIAL_C, 3, {D, N, H});
    if (!sample.lengths.empty()) node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {N}, nullptr};
    std::array<const void*, CELLPROOF_INPUTS> data{};
    for (std::size_t i = 0; i < words.size(); ++i) data.at(i) = words.at(i).data();
    data[CELLPROOF_SEQUENCE_LENS] = sample.lengths.data();
    std::vector<std::uint16_t> Y(static_cast<std::size_t>(T * D * N * H));
    std::array<void*, CELLPROOF_OUTPUTS> to{Y.data(), nullptr, nullptr};
    std::array<char, 256> message{};
    const cellproof_cuda_options options{machine, CELLPROOF_CUDA_PATH_AUTO, 0, 0};
    cellproof_cuda_plan* plan = nullptr;
    EXPECT_EQ(cellproof_cuda_prepare(&node, &options, &plan, message.data(), message.size()), CELLPROOF_OK)
        << message.data();
    std::vector<std::uint16_t> first;
    for (int run = 0; run < 3; ++run) {
      EXPECT_EQ(cellproof_cuda_run(plan, data.data(), to.data(), message.data(), message.size()), CELLPROOF_OK)
          << message.data();
      if (run == 0) first = Y;
      EXPECT_EQ(Y, first);
    }
    cellproof_cuda_release(plan);
    std::vector<float> values;
    for (const std::uint16_t word : Y) values.push_back(widened_half(word));
    return values;
  }
};

void expect_the_equations_in_words(cellproof_cuda_machine machine) {
  for (const auto& [op, linear_before_reset] :
       {std::pair{CELLPROOF_LSTM, false}, {CELLPROOF_GRU, false}, {CELLPROOF_GRU, true}, {CELLPROOF_RNN, false}})
    for (const std::int64_t H : {1, 5, 17, 33})
      for (const std::vector<std::int32_t>& lengths :
           {std::vector<std::int32_t>{}, {4, 1, 3, 0, 2, 4, 4}, {1, 4, 1, 1, 2, 1, 1}}) {
        const WordsNode node({.op = op,
                              .T = 4,
                              .N = 7,
                              .I = 18,
                              .H = H,
                              .direction = "bidirectional",
                              .linear_before_reset = linear_before_reset,
                              .lengths = lengths});
        const auto actual = node.run(machine);
        const auto expected = by_the_equations(node.sample, node.in)[CELLPROOF_Y];
        ASSERT_EQ(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i)
          ASSERT_NEAR(actual[i], expected[i], 2e-3) << node.sample.text() << ", element " << i;
      }
}

TEST(CudaHost, MultipliesWordsOfLargerBatches) {
  expect_the_equations_in_words(CELLPROOF_CUDA_HOST);
}

TEST(CudaDeviceWords, MultipliesWordsOfLargerBatches) {
  std::array<char, 256> why{};
  const auto status = cellproof_cuda_probe(CELLPROOF_CUDA_DEVICE, why.data(), why.size());
  if (status == CELLPROOF_UNAVAILABLE) GTEST_SKIP() << why.data();
  ASSERT_EQ(status, CELLPROOF_OK) << why.data();
  expect_the_equations_in_words(CELLPROOF_CUDA_DEVICE);
}

}  // namespace
}  // namespace cellproof::cuda::testing
