// DynamicQuantizeLSTM from run to run and thread to thread.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/testing/node_case.hpp"

namespace cellproof::cpu::testing {
namespace {

struct Quantized {
  std::size_t T, N, I, H;
  std::vector<int> lengths;
  std::vector<float> X, Y;
  std::vector<std::int8_t> W, R;
  float scale[2] = {0.01F, 0.02F}, scale_of_R[2] = {0.01F, 0.02F};
  std::int8_t zero_point[2] = {3, -5};

  Quantized(std::size_t T_, std::size_t N_, std::size_t I_, std::size_t H_)
      : T(T_),
        N(N_),
        I(I_),
        H(H_),
        X(numbers<float>(T * N * I, 1)),
        Y(T * 2 * N * H),
        W(2 * I * 4 * H),
        R(2 * H * 4 * H) {
    for (std::size_t n = 0; n < N; ++n) lengths.push_back(static_cast<int>(T - n % T));
    for (std::size_t i = 0; i < W.size(); ++i) W[i] = static_cast<std::int8_t>(i * 57);
    for (std::size_t i = 0; i < R.size(); ++i) R[i] = static_cast<std::int8_t>(i * 83);
  }

  cellproof_cpu_plan* prepare(cellproof_cpu_options options) const {
    const auto size = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    cellproof_node node{};
    node.op = CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
    node.direction = "bidirectional";
    node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {size(T), size(N), size(I)}, nullptr};
    node.inputs[CELLPROOF_W] = {CELLPROOF_INT8, 3, {2, size(I), size(4 * H)}, W.data()};
    node.inputs[CELLPROOF_R] = {CELLPROOF_INT8, 3, {2, size(H), size(4 * H)}, R.data()};
    node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {size(N)}, lengths.data()};
    node.inputs[CELLPROOF_W_SCALE] = {CELLPROOF_FLOAT, 1, {2}, scale};
    node.inputs[CELLPROOF_R_SCALE] = {CELLPROOF_FLOAT, 1, {2}, scale_of_R};
    for (const std::size_t i : {CELLPROOF_W_ZERO_POINT, CELLPROOF_R_ZERO_POINT})
      node.inputs[i] = {CELLPROOF_INT8, 1, {2}, zero_point};
    cellproof_cpu_plan* plan = nullptr;
    char message[200];
    if (cellproof_cpu_prepare(&node, &options, &plan, message, sizeof message) != CELLPROOF_OK)
      throw std::runtime_error(message);
    return plan;
  }

  std::vector<float> run(cellproof_cpu_plan* plan) {
    const void* inputs[CELLPROOF_INPUTS] = {X.data()};
    void* outputs[CELLPROOF_OUTPUTS] = {Y.data()};
    EXPECT_EQ(cellproof_cpu_run(plan, inputs, outputs, nullptr, 0), CELLPROOF_OK);
    return Y;
  }
};

std::vector<cellproof_cpu_path> paths_of_bytes() {
  std::vector<cellproof_cpu_path> paths;
  for (const auto path : {CELLPROOF_CPU_PATH_SCALAR, CELLPROOF_CPU_PATH_AVX2, CELLPROOF_CPU_PATH_AVX_VNNI,
                          CELLPROOF_CPU_PATH_AVX512, CELLPROOF_CPU_PATH_AMX})
    if (*cellproof_cpu_path_missing(path) == '\0') paths.push_back(path);
  return paths;
}

TEST(DynamicQuantizeLstm, IsTheSameInEveryRunAndForAnyNumberOfThreads) {
  // Threads share the units of few rows and the rows of many; the last ones' X is multiplied step by step.
  for (const auto& [N, H] : {std::pair{1, 300}, {5, 67}, {7, 130}, {20, 67}, {400, 64}}) {
    Quantized node(9, static_cast<std::size_t>(N), 11, static_cast<std::size_t>(H));
    for (const auto path : paths_of_bytes()) {
      std::vector<float> first;
      for (const int threads : {1, 2, 3}) {
        cellproof_cpu_plan* plan = node.prepare({path, threads});
        if (threads == 1) first = node.run(plan);
        const auto X = node.X;
        for (float& x : node.X) x *= -3;  // another run in between, whose remains must not matter
        node.run(plan);
        node.X = X;
        EXPECT_EQ(node.run(plan), first) << "N " << N << ", path " << path << ", threads " << threads;
        cellproof_cpu_release(plan);
      }
    }
  }
}

TEST(DynamicQuantizeLstm, MultipliesNoStateByAnInfiniteScaleAllTheSame) {
  for (const auto path : paths_of_bytes()) {
    for (const bool is_infinite : {false, true}) {
      Quantized node(1, 1, 3, 5);
      if (is_infinite) node.scale_of_R[1] = INFINITY;
      cellproof_cpu_plan* plan = node.prepare({path, 1});
      const auto Y = node.run(plan);
      EXPECT_FALSE(std::isnan(Y[0]));
      EXPECT_EQ(std::isnan(Y[node.H]), is_infinite) << "path " << path;
      cellproof_cpu_release(plan);
    }
  }
}

/// Runs T steps of a sequence alone and of so many equal ones.
void expect_what_one_alone_gets(std::size_t T, std::size_t copies, std::size_t H, cellproof_cpu_options options) {
  Quantized one(T, 1, 3, H), many(T, copies, 3, H);
  one.lengths.assign(1, static_cast<int>(T));
  many.lengths.assign(copies, static_cast<int>(T));
  for (std::size_t row = 0; row < T * copies; ++row)
    std::copy_n(one.X.begin() + static_cast<std::ptrdiff_t>(row / copies * one.I), one.I,
                many.X.begin() + static_cast<std::ptrdiff_t>(row * one.I));
  cellproof_cpu_plan* plan_of_one = one.prepare({options.path, 1});
  cellproof_cpu_plan* plan_of_many = many.prepare(options);
  const auto alone = one.run(plan_of_one), together = many.run(plan_of_many);
  for (std::size_t row = 0; row < T * 2; ++row)
    for (std::size_t n = 0; n < copies; ++n)
      for (std::size_t j = 0; j < H; ++j)
        ASSERT_EQ(together[(row * copies + n) * H + j], alone[row * H + j])
            << "row " << row << " of " << n << ", path " << options.path << ", threads " << options.threads;
  cellproof_cpu_release(plan_of_one);
  cellproof_cpu_release(plan_of_many);
}

TEST(DynamicQuantizeLstm, GivesEqualSequencesWhatOneAloneGets) {
  for (const auto path : paths_of_bytes()) {
    // A chunk that is computed ahead holds some 450 steps of one sequence of this size, or half of that of two.
    expect_what_one_alone_gets(300, 2, 130, {path, 1});
    // Nothing is computed ahead.
    for (const int threads : {1, 3}) expect_what_one_alone_gets(4, 400, 64, {path, threads});
  }
}

}  // namespace
}  // namespace cellproof::cpu::testing
