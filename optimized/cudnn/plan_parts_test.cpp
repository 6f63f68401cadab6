// Parts of a plan: limits, places of weights, rows, flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "optimized/cudnn/cellproof_cudnn.h"
#include "optimized/cudnn/plan.hpp"
#include "optimized/cudnn/rows.hpp"
#include "optimized/cudnn/weights.hpp"

namespace cellproof::cudnn {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(CudnnLimits, AreGivenForEachOfThem) {
  const auto refusal = [](const auto& change, cellproof_cudnn_math math = CELLPROOF_CUDNN_MATH_FMA) {
    cellproof_node node{};
    const auto tensor = [](std::vector<std::int64_t> shape) {
      cellproof_tensor made{CELLPROOF_FLOAT, static_cast<std::int32_t>(shape.size()), {}, nullptr};
      std::copy(shape.begin(), shape.end(), made.shape);
      return made;
    };
    node.inputs[CELLPROOF_X] = tensor({2, 3, 4});
    node.inputs[CELLPROOF_W] = tensor({1, 20, 4});
    node.inputs[CELLPROOF_R] = tensor({1, 20, 5});
    change(node);
    std::array<char, 300> message{};
    const auto status = cellproof_cudnn_supports(&node, math, message.data(), message.size());
    EXPECT_EQ(status, std::string(message.data()).empty() ? CELLPROOF_OK : CELLPROOF_NOT_SUPPORTED);
    return std::string(message.data());
  };
  const auto as_gru = [](cellproof_node& n) {
    n.op = CELLPROOF_GRU;
    n.inputs[CELLPROOF_W].shape[1] = n.inputs[CELLPROOF_R].shape[1] = 15;
  };
  const auto as_quantized = [](cellproof_node& n) {
    n.op = CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
    n.inputs[CELLPROOF_W] = {CELLPROOF_INT8, 3, {1, 4, 20}, nullptr};
    n.inputs[CELLPROOF_R] = {CELLPROOF_INT8, 3, {1, 5, 20}, nullptr};
    n.inputs[CELLPROOF_W_SCALE] = n.inputs[CELLPROOF_R_SCALE] = {CELLPROOF_FLOAT, 1, {1}, nullptr};
    n.inputs[CELLPROOF_W_ZERO_POINT] = n.inputs[CELLPROOF_R_ZERO_POINT] = {CELLPROOF_INT8, 1, {1}, nullptr};
  };
  EXPECT_EQ(refusal([](cellproof_node&) {}), "");
  EXPECT_EQ(refusal([&](cellproof_node& n) { as_gru(n), n.linear_before_reset = 1; }), "");
  EXPECT_EQ(refusal([](cellproof_node& n) { n.has_clip = 1, n.clip = INFINITY; }), "");
  static float peepholes[15]{};
  static const char *softsign[] = {"Sigmoid", "Tanh", "Softsign"}, *lower[] = {"sigmoid", "TANH", "Tanh"},
                    *tanh_relu[] = {"Tanh", "Relu"};
  const auto with_peepholes = [](cellproof_node& n) {
    n.inputs[CELLPROOF_P] = {CELLPROOF_FLOAT, 2, {1, 15}, peepholes};
  };
  EXPECT_EQ(refusal([](cellproof_node& n) { n.activations = {lower, 3}; }), "");
  peepholes[3] = -0.0F;
  EXPECT_EQ(refusal(with_peepholes), "");
  peepholes[3] = NAN;
  std::multiset<std::string> given{
      refusal(as_quantized),
      refusal([](cellproof_node& n) { n.input_forget = 1; }),
      refusal([](cellproof_node& n) { n.has_clip = 1, n.clip = 3; }),
      refusal(as_gru),
      refusal([](cellproof_node& n) {
        n.activations = {softsign, 3};
      }),
      refusal([](cellproof_node& n) {
        n.op = CELLPROOF_RNN, n.direction = "bidirectional", n.activations = {tanh_relu, 2};
        n.inputs[CELLPROOF_W] = {CELLPROOF_FLOAT, 3, {2, 5, 4}, nullptr};
        n.inputs[CELLPROOF_R] = {CELLPROOF_FLOAT, 3, {2, 5, 5}, nullptr};
      }),
      refusal([](cellproof_node& n) { n.inputs[CELLPROOF_X].shape[0] = 65536; }),
      refusal([](cellproof_node& n) { n.inputs[CELLPROOF_X].shape[2] = n.inputs[CELLPROOF_W].shape[2] = 0; }),
      refusal([](cellproof_node& n) { n.inputs[CELLPROOF_X].shape[1] = 1LL << 31; }),
      refusal(
          [](cellproof_node& n) {
            for (int i = 0; i < 3; ++i) n.inputs[i].type = CELLPROOF_DOUBLE;
          },
          CELLPROOF_CUDNN_MATH_TF32),
      refusal([](cellproof_node&) {}, CELLPROOF_CUDNN_MATH_TENSOR_OP),
      refusal(with_peepholes)};
  std::size_t count = 0;
  const cellproof_cudnn_limit* const limits = cellproof_cudnn_limits(&count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool of_an_old_cudnn = std::string(limits[i].what).starts_with("bfloat16 before");
    EXPECT_EQ(given.count(limits[i].reason), of_an_old_cudnn ? 0U : 1U) << limits[i].what;
  }
  EXPECT_EQ(given.size() + 1, count);
}

TEST(CudnnLimits, AreLookedAtOnlyOfAValidNode) {
  cellproof_node node{};
  node.op = CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
  std::array<char, 300> message{};
  const auto status = cellproof_cudnn_supports(&node, CELLPROOF_CUDNN_MATH_FMA, message.data(), message.size());
  EXPECT_EQ(status, CELLPROOF_INVALID);
  EXPECT_STREQ(message.data(), "input X is missing, expected a tensor: it is required (input X)");
}

TEST(CudnnLayer, IsPaddedOnlyWhereRowsNeedIt) {
  EXPECT_EQ(flags_of_layer(false, std::vector{3, 3}, 3), 0U);
  EXPECT_EQ(flags_of_layer(false, std::vector{3, 2}, 3), padded_io);
  EXPECT_EQ(flags_of_layer(true, std::vector{3, 3}, 3), padded_io);
}

TEST(CudnnWeights, LieAsCudnnWasSeenToKeepThem) {
  Node node{};
  node.op = CELLPROOF_LSTM;
  node.size = {.T = 1, .N = 1, .I = 5, .H = 7, .D = 2};
  node.inputs[CELLPROOF_B].type = CELLPROOF_FLOAT;
  std::vector<int> written(2 * (4 * 7 * 5 + 4 * 7 * 7 + 8 * 7));  // as the real one said of these sizes
  std::vector<std::array<std::int64_t, 3>> places;
  for (const WeightBlock& block : weight_blocks(node)) {
    for (std::int64_t i = 0; i < block.count; ++i) ++written.at(static_cast<std::size_t>(block.to + i));
    if (block.input == CELLPROOF_W && block.direction == 1) places.push_back({block.from, block.to, block.id});
  }
  EXPECT_THAT(written, Each(1));
  // ONNX's i o f c of the second direction, behind all matrices of the first, as i f c o.
  const std::int64_t from = 4 * 7 * 5, to = 4 * 7 * (5 + 7), gate = 7 * 5;
  EXPECT_THAT(places, ElementsAre(std::array<std::int64_t, 3>{from, to, 0},
                                  std::array<std::int64_t, 3>{from + gate, to + 3 * gate, 3},
                                  std::array<std::int64_t, 3>{from + 2 * gate, to + gate, 1},
                                  std::array<std::int64_t, 3>{from + 3 * gate, to + 2 * gate, 2}));
}

TEST(CudnnRows, EveryRowOfYHasOneSourceInEveryLayout) {
  const std::vector<std::int32_t> lengths{4, 0, 2};
  for (const bool batch_first : {false, true})
    for (const bool reverse : {false, true})
      for (const std::int64_t D : {1, 2}) {
        const Rows rows{{.T = 4, .N = 3, .I = 1, .H = 1, .D = D}, batch_first, reverse};
        std::set<std::int64_t> targets;
        for (const RowMove& move : rows.finish_y(lengths)) EXPECT_TRUE(targets.insert(move.to).second);
        EXPECT_EQ(targets.size(), rows.y_in_place() ? static_cast<std::size_t>(D) : static_cast<std::size_t>(12 * D));
        for (std::int64_t t = 0; t < 4 && rows.y_in_place(); ++t)
          for (std::int64_t d = 0; d < D; ++d)
            for (std::int64_t n = 0; n < 3; ++n) EXPECT_EQ(rows.onnx_y(t, d, n), rows.cudnn_y(t, d, n));
      }
}

}  // namespace
}  // namespace cellproof::cudnn
