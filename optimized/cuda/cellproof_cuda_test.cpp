// The C interface: what it refuses and how, constant data and data of a run, machines that are not there.
#include "optimized/cuda/cellproof_cuda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace cellproof::cuda {
namespace {

using ::testing::HasSubstr;

constexpr cellproof_cuda_options on_host{CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_AUTO, 0, 0};

cellproof_node plain_lstm() {
  cellproof_node node{};
  node.op = CELLPROOF_LSTM;
  node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {3, 2, 4}, nullptr};
  node.inputs[CELLPROOF_W] = {CELLPROOF_FLOAT, 3, {1, 20, 4}, nullptr};
  node.inputs[CELLPROOF_R] = {CELLPROOF_FLOAT, 3, {1, 20, 5}, nullptr};
  return node;
}

cellproof_node plain_quantized() {
  cellproof_node node{};
  node.op = CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
  node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {3, 2, 4}, nullptr};
  node.inputs[CELLPROOF_W] = {CELLPROOF_INT8, 3, {1, 4, 20}, nullptr};
  node.inputs[CELLPROOF_R] = {CELLPROOF_INT8, 3, {1, 5, 20}, nullptr};
  node.inputs[CELLPROOF_W_SCALE] = {CELLPROOF_FLOAT, 1, {1}, nullptr};
  node.inputs[CELLPROOF_W_ZERO_POINT] = {CELLPROOF_INT8, 1, {1}, nullptr};
  node.inputs[CELLPROOF_R_SCALE] = {CELLPROOF_FLOAT, 2, {1, 20}, nullptr};
  node.inputs[CELLPROOF_R_ZERO_POINT] = {CELLPROOF_INT8, 2, {1, 20}, nullptr};
  return node;
}

struct Answer {
  cellproof_status status;
  std::string message;
};

Answer prepare(const cellproof_node& node, const cellproof_cuda_options& options = on_host) {
  cellproof_cuda_plan* plan = nullptr;
  std::array<char, 256> message{};
  const auto status = cellproof_cuda_prepare(&node, &options, &plan, message.data(), message.size());
  EXPECT_EQ(plan == nullptr, status != CELLPROOF_OK);
  cellproof_cuda_release(plan);
  return {status, message.data()};
}

template <class Change>
std::string refusal(cellproof_node node, Change change) {
  change(node);
  const Answer answer = prepare(node);
  EXPECT_EQ(answer.status, CELLPROOF_INVALID);
  return answer.message;
}

TEST(CudaInterface, SaysWhatANodeBreaks) {
  EXPECT_EQ(prepare(plain_lstm()).message, "");
  EXPECT_EQ(prepare(plain_quantized()).message, "");
  EXPECT_EQ(refusal(plain_lstm(), [](auto& n) { n.inputs[CELLPROOF_W].shape[1] = 19; }),
            "input W has shape [1,19,4], expected [D,4H,I] = [1,20,4] (input W)");
  EXPECT_EQ(refusal(plain_quantized(), [](auto& n) { n.inputs[CELLPROOF_R].type = CELLPROOF_UINT8; }),
            "input R has type uint8, expected int8 as W has (input R)");
  const char* const unknown[] = {"Elu", "Tanh", "Swish"};
  EXPECT_THAT(refusal(plain_lstm(),
                      [&](auto& n) {
                        n.activations = {unknown, 3};
                      }),
              HasSubstr("activations[2] is 'Swish', expected one of Relu, Tanh"));
}

TEST(CudaInterface, RefusesLengthsAndDataThatAreNotThereAndWritesNothing) {
  cellproof_node node = plain_lstm();
  node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {2}, nullptr};
  cellproof_cuda_plan* plan = nullptr;
  std::array<char, 256> message{};
  ASSERT_EQ(cellproof_cuda_prepare(&node, &on_host, &plan, message.data(), message.size()), CELLPROOF_OK);
  const std::vector<float> weights(1000, 0.5F);
  std::vector<float> Y(30, 7);
  void* outputs[CELLPROOF_OUTPUTS] = {Y.data()};
  const auto run = [&](std::vector<std::int32_t> lengths, const void* x) {
    const void* inputs[CELLPROOF_INPUTS] = {x, weights.data(), weights.data(), nullptr, lengths.data()};
    EXPECT_EQ(cellproof_cuda_run(plan, inputs, outputs, message.data(), message.size()), CELLPROOF_INVALID);
    EXPECT_EQ(Y, std::vector<float>(30, 7));
    return std::string(message.data());
  };
  EXPECT_EQ(run({3, 4}, weights.data()),
            "sequence_lens[1] is 4, expected a length between 0 and 3 (input sequence_lens)");
  EXPECT_EQ(run({-1, 3}, weights.data()),
            "sequence_lens[0] is -1, expected a length between 0 and 3 (input sequence_lens)");
  EXPECT_EQ(run({1, 1}, nullptr), "input X comes without data (input X)");
  cellproof_cuda_release(plan);
}

TEST(CudaInterface, TakesSizesThatNoMachineHasForWhatTheyAre) {
  constexpr std::int64_t huge = std::int64_t{1} << 31;
  cellproof_node node = plain_lstm();
  node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {huge, huge, 4}, nullptr};  // 2^64 elements
  EXPECT_EQ(prepare(node).status, CELLPROOF_OUT_OF_MEMORY);
  node = plain_lstm();
  node.inputs[CELLPROOF_R].shape[2] = INT64_MAX;
  EXPECT_EQ(prepare(node).status, CELLPROOF_OUT_OF_MEMORY);
  EXPECT_EQ(refusal(plain_lstm(),
                    [](cellproof_node& changed) {
                      changed.has_hidden_size = 1;
                      changed.hidden_size = INT64_MAX;
                    }),
            "hidden_size is 9223372036854775807, expected a size that R can have (attribute hidden_size)");
}

TEST(CudaInterface, CutsMessagesAndTakesNone) {
  cellproof_node node = plain_lstm();
  node.direction = "sideways";
  cellproof_cuda_plan* plan = nullptr;
  std::array<char, 10> message{};
  EXPECT_EQ(cellproof_cuda_prepare(&node, &on_host, &plan, message.data(), message.size()), CELLPROOF_INVALID);
  EXPECT_STREQ(message.data(), "direction");
  EXPECT_EQ(cellproof_cuda_prepare(&node, &on_host, &plan, nullptr, 0), CELLPROOF_INVALID);
  cellproof_cuda_release(nullptr);
}

TEST(CudaInterface, ADeviceThatIsNotThereIsSaidOnlyOfAValidNode) {
  std::array<char, 256> why{};
  if (cellproof_cuda_probe(CELLPROOF_CUDA_DEVICE, why.data(), why.size()) != CELLPROOF_UNAVAILABLE)
    GTEST_SKIP() << "there is a device";
  const cellproof_cuda_options on_device{};
  const Answer valid = prepare(plain_lstm(), on_device);
  EXPECT_EQ(valid.status, CELLPROOF_UNAVAILABLE);
  EXPECT_EQ(valid.message, why.data());
  cellproof_node broken = plain_lstm();
  broken.inputs[CELLPROOF_W].shape[1] = 19;
  EXPECT_EQ(prepare(broken, on_device).status, CELLPROOF_INVALID);
  std::array<char, 64> text{};
  cellproof_cuda_describe(CELLPROOF_CUDA_DEVICE, text.data(), text.size());
  EXPECT_STREQ(text.data(), "");
}

TEST(CudaInterface, TheHostIsAlwaysThere) {
  EXPECT_EQ(cellproof_cuda_probe(CELLPROOF_CUDA_HOST, nullptr, 0), CELLPROOF_OK);
  std::array<char, 64> text{};
  cellproof_cuda_describe(CELLPROOF_CUDA_HOST, text.data(), text.size());
  EXPECT_STREQ(text.data(), "host");
}

}  // namespace
}  // namespace cellproof::cuda
