#include "optimized/cudnn/cellproof_cudnn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "optimized/cudnn/plan.hpp"
#include "optimized/cudnn/rows.hpp"
#include "optimized/cudnn/testing/stand_in.hpp"
#include "optimized/cudnn/weights.hpp"

namespace cellproof::cudnn {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::stand_in;

/// An RNN with one unit over T = 3, N = 2, W = 0.5, R = 2: easy by hand.
struct SmallRnn {
  std::vector<float> X{1, -1, 2, -2, 3, -3}, W{0.5F}, R{2}, initial_h{0.25F, -0.25F}, P,
      Y = std::vector<float>(6, -9), Y_h = std::vector<float>(2, -9);
  std::vector<std::int32_t> lengths{3, 3};
  cellproof_node node{};
  std::string message;

  SmallRnn() {
    node.op = CELLPROOF_RNN;
    node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {3, 2, 1}, nullptr};
    node.inputs[CELLPROOF_W] = {CELLPROOF_FLOAT, 3, {1, 1, 1}, W.data()};
    node.inputs[CELLPROOF_R] = {CELLPROOF_FLOAT, 3, {1, 1, 1}, R.data()};
    node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {2}, nullptr};
    node.inputs[CELLPROOF_INITIAL_H] = {CELLPROOF_FLOAT, 3, {1, 2, 1}, nullptr};
  }
  cellproof_status prepare(cellproof_cudnn_context* context, cellproof_cudnn_plan** plan) {
    std::array<char, 500> text{};
    const auto status = cellproof_cudnn_prepare(context, &node, plan, text.data(), text.size());
    message = text.data();
    return status;
  }
  cellproof_status run(cellproof_cudnn_plan* plan) {
    const void* const inputs[CELLPROOF_INPUTS] = {X.data(),       W.data(),         R.data(), nullptr,
                                                  lengths.data(), initial_h.data(), nullptr,  P.data()};
    void* const outputs[CELLPROOF_OUTPUTS] = {Y.data(), Y_h.data(), nullptr};
    std::array<char, 500> text{};
    const auto status = cellproof_cudnn_run(plan, inputs, outputs, text.data(), text.size());
    message = text.data();
    return status;
  }
  /// h after each step of a sequence, by hand.
  std::vector<float> by_hand(std::size_t n, bool reverse) const {
    std::vector<float> y(3, 0);
    double h = initial_h[n];
    for (int s = 0; s < lengths[n]; ++s) {
      const auto t = static_cast<std::size_t>(reverse ? lengths[n] - 1 - s : s);
      h = std::tanh(0.5 * X[t * 2 + n] + 2 * h);
      y[t] = static_cast<float>(h);
      h = y[t];
    }
    return y;
  }
  void expect_by_hand(bool reverse) const {
    for (std::size_t n = 0; n < 2; ++n) {
      const auto expected = by_hand(n, reverse);
      for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(Y[t * 2 + n], expected[t]) << "t " << t << ", n " << n;
      const int length = lengths[n];
      const float last = length == 0 ? initial_h[n] : expected[reverse ? 0 : static_cast<std::size_t>(length - 1)];
      EXPECT_EQ(Y_h[n], last) << "n " << n;
    }
  }
};

class CellproofCudnn : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::reset_stand_in();
    context_ = testing::stand_in_context();
  }
  void TearDown() override {
    cellproof_cudnn_release(plan_);
    context_.reset();
    EXPECT_EQ(stand_in().live_memory, 0U);
    EXPECT_EQ(stand_in().live_descriptors, 0U);
    EXPECT_EQ(stand_in().live_handles, 0U);
  }

  std::unique_ptr<cellproof_cudnn_context> context_;
  cellproof_cudnn_plan* plan_ = nullptr;
  SmallRnn rnn_;
};

TEST_F(CellproofCudnn, TakesOtherLengthsWithEachRun) {
  for (const bool reverse : {false, true}) {
    rnn_.node.direction = reverse ? "reverse" : nullptr;
    ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
    for (const auto& lengths : std::vector<std::vector<std::int32_t>>{{3, 3}, {1, 3}, {0, 2}, {0, 0}, {2, 1}, {3, 3}}) {
      rnn_.lengths = lengths;
      ASSERT_EQ(rnn_.run(plan_), CELLPROOF_OK) << rnn_.message;
      rnn_.expect_by_hand(reverse);
    }
    EXPECT_EQ(stand_in().forwards, 5U) << "cuDNN is not asked where no sequence has a step";
    stand_in().forwards = 0;
    cellproof_cudnn_release(plan_);
    plan_ = nullptr;
  }
}

TEST_F(CellproofCudnn, KeepsTrueFloatsByDefault) {
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  EXPECT_EQ(stand_in().math, math::fma);
  EXPECT_EQ(stand_in().precision, data::float32);
  EXPECT_EQ(stand_in().algorithm, algorithm::standard);
}

/// cuDNN's reference names no other math for double, which has no narrower one.
TEST_F(CellproofCudnn, AsksForDoubleInItsOnlyMath) {
  for (cellproof_tensor& input : rnn_.node.inputs) {
    if (input.type == CELLPROOF_FLOAT) input.type = CELLPROOF_DOUBLE;
    input.data = nullptr;
  }
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  EXPECT_EQ(stand_in().math, math::standard);
  EXPECT_EQ(stand_in().precision, data::float64);
}

TEST_F(CellproofCudnn, RefusesALengthOutOfRangeAndWritesNothing) {
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK);
  rnn_.lengths = {3, 4};
  EXPECT_EQ(rnn_.run(plan_), CELLPROOF_INVALID);
  EXPECT_EQ(rnn_.message, "sequence_lens[1] is 4, expected a length between 0 and 3 (input sequence_lens)");
  EXPECT_THAT(rnn_.Y, Each(-9.0F));
}

TEST_F(CellproofCudnn, ComputesWhereTheDataLies) {
  context_ = testing::stand_in_context({CELLPROOF_CUDNN_MATH_FMA, CELLPROOF_CUDNN_MEMORY_DEVICE});
  rnn_.node.inputs[CELLPROOF_W].data = rnn_.node.inputs[CELLPROOF_R].data = nullptr;
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  const DeviceApi& device = testing::stand_in_device();
  std::vector<void*> made;
  const auto upload = [&](const std::vector<float>& values) {
    made.push_back(nullptr);
    EXPECT_EQ(device.allocate(&made.back(), values.size() * 4), 0);
    EXPECT_EQ(device.copy(made.back(), values.data(), values.size() * 4, Copy::ToDevice, nullptr), 0);
    return made.back();
  };
  rnn_.lengths = {2, 0};
  const void* const inputs[CELLPROOF_INPUTS] = {upload(rnn_.X), upload(rnn_.W),      upload(rnn_.R),
                                                nullptr,        rnn_.lengths.data(), upload(rnn_.initial_h)};
  void* const outputs[CELLPROOF_OUTPUTS] = {upload(rnn_.Y), upload(rnn_.Y_h), nullptr};
  std::array<char, 300> message{};
  ASSERT_EQ(cellproof_cudnn_run(plan_, inputs, outputs, message.data(), message.size()), CELLPROOF_OK)
      << message.data();
  device.copy(rnn_.Y.data(), outputs[0], rnn_.Y.size() * 4, Copy::FromDevice, nullptr);
  device.copy(rnn_.Y_h.data(), outputs[1], rnn_.Y_h.size() * 4, Copy::FromDevice, nullptr);
  ASSERT_EQ(device.synchronize(nullptr), 0);
  rnn_.expect_by_hand(false);
  const auto refusal = [&](std::size_t input, const void* in, void* out) {
    const void* other_inputs[CELLPROOF_INPUTS];
    std::copy(std::begin(inputs), std::end(inputs), other_inputs);
    other_inputs[input] = in;
    void* const other_outputs[CELLPROOF_OUTPUTS] = {outputs[0], out, nullptr};
    EXPECT_EQ(cellproof_cudnn_run(plan_, other_inputs, other_outputs, message.data(), message.size()),
              CELLPROOF_INVALID);
    return std::string(message.data());
  };
  EXPECT_EQ(refusal(CELLPROOF_X, static_cast<const char*>(inputs[0]) + 4, outputs[1]),
            "input X begins at an address that is no multiple of 16 (input X)");
  EXPECT_EQ(refusal(CELLPROOF_X, inputs[0], static_cast<char*>(outputs[1]) + 8),
            "output Y_h begins at an address that is no multiple of 16 (output Y_h)");
  EXPECT_EQ(refusal(CELLPROOF_INITIAL_H, outputs[1], outputs[1]),
            "output Y_h lies where input initial_h does, expected memory of its own (output Y_h)");
  for (void* const memory : made) device.release(memory);
}

TEST_F(CellproofCudnn, PutsWeightsWhereCudnnSaysThatTheyLie) {
  stand_in().weights_shift = 3;
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  ASSERT_EQ(rnn_.run(plan_), CELLPROOF_OK) << rnn_.message;
  rnn_.expect_by_hand(false);
}

TEST_F(CellproofCudnn, NoticesWeightsThatLieNowhereOrHaveAnotherShape) {
  stand_in().weights_shift = -1;
  EXPECT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_FAILED);
  EXPECT_THAT(rnn_.message, HasSubstr("part 0 of direction 0 does not lie in the weight space"));
  stand_in().weights_shift = 0;
  stand_in().weights_are_transposed = true;
  rnn_.W = {1, 2}, rnn_.R = {3};
  rnn_.node.inputs[CELLPROOF_X].shape[2] = rnn_.node.inputs[CELLPROOF_W].shape[2] = 2;
  EXPECT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_FAILED);
  EXPECT_THAT(rnn_.message, HasSubstr("part 0 of direction 0 has another shape"));
}

/// The stand-in refuses what the real one was seen to refuse without it: batch-major, and lengths below T.
TEST_F(CellproofCudnn, PadsInputAndOutputOnlyWhereItMust) {
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  for (const auto& [lengths, padded] :
       {std::pair{std::vector<std::int32_t>{3, 3}, false}, {{3, 1}, true}, {{3, 3}, false}}) {
    rnn_.lengths = lengths;
    ASSERT_EQ(rnn_.run(plan_), CELLPROOF_OK) << rnn_.message;
    EXPECT_EQ(stand_in().padded_io, padded);
    rnn_.expect_by_hand(false);
  }
}

TEST_F(CellproofCudnn, WorksOnItsOwnDeviceWhateverTheCallersIs) {
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  stand_in().device = 1;
  ASSERT_EQ(rnn_.run(plan_), CELLPROOF_OK) << rnn_.message;
  EXPECT_EQ(stand_in().device, 1);
  EXPECT_EQ(stand_in().device_of_forward, 0);
  rnn_.expect_by_hand(false);
}

TEST_F(CellproofCudnn, TellsALackOfMemoryFromAFailureAndFromWhatIsNotSupported) {
  stand_in().memory_limit = 16;
  EXPECT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OUT_OF_MEMORY) << rnn_.message;
  stand_in().memory_limit = 1 << 20;
  ASSERT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
  for (const auto& [answer, status] : {std::pair{3000, CELLPROOF_NOT_SUPPORTED},
                                       {3002, CELLPROOF_NOT_SUPPORTED},
                                       {3014, CELLPROOF_NOT_SUPPORTED},
                                       {3005, CELLPROOF_FAILED},  // faults of the machine, not of the node
                                       {3008, CELLPROOF_FAILED},
                                       {3009, CELLPROOF_FAILED},
                                       {3013, CELLPROOF_FAILED},
                                       {4004, CELLPROOF_OUT_OF_MEMORY},
                                       {2000, CELLPROOF_FAILED},
                                       {5003, CELLPROOF_FAILED}}) {
    stand_in().forward_status = answer;
    EXPECT_EQ(rnn_.run(plan_), status);
    EXPECT_THAT(rnn_.message, HasSubstr("cudnnRNNForward: a status of the stand-in (" + std::to_string(answer) +
                                        "): as was asked for"));
  }
}

TEST_F(CellproofCudnn, IsAbsentWhereWhatIsInstalledCannotBeUsed) {
  const auto opened = [](int handle, int descriptor) {
    stand_in().handle_status = handle;
    stand_in().descriptor_status = descriptor;
    try {
      testing::stand_in_context();
    } catch (const Failure& failure) {
      return failure;
    }
    return Failure{CELLPROOF_OK, ""};
  };
  EXPECT_EQ(opened(3007, 0).status(), CELLPROOF_UNAVAILABLE);  // a device that this cuDNN does not know
  EXPECT_EQ(opened(1002, 0).status(), CELLPROOF_UNAVAILABLE);
  EXPECT_EQ(opened(0, 3009).status(), CELLPROOF_UNAVAILABLE);
  EXPECT_THAT(opened(0, 3009).what(), HasSubstr("cudnnCreateRNNDescriptor: a status of the stand-in (3009)"));
  EXPECT_EQ(opened(1001, 0).status(), CELLPROOF_FAILED);
  EXPECT_EQ(opened(0, 4000).status(), CELLPROOF_FAILED);
  EXPECT_EQ(opened(0, 0).status(), CELLPROOF_OK);
}

TEST_F(CellproofCudnn, LeavesNoDescriptorBehindWhereOneCannotBeMade) {
  for (int good = 0; good < 6; ++good) {
    stand_in().descriptor_status = 4003;
    stand_in().good_descriptors = good;
    EXPECT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OUT_OF_MEMORY) << good;
    EXPECT_EQ(stand_in().live_descriptors, 0U) << good;
  }
}

TEST_F(CellproofCudnn, TakesBfloat16FromThatVersionOn) {
  for (int i = 0; i < CELLPROOF_INPUTS; ++i)
    if (rnn_.node.inputs[i].type == CELLPROOF_FLOAT) rnn_.node.inputs[i].type = CELLPROOF_BFLOAT16;
  stand_in().version = 91200;
  EXPECT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_NOT_SUPPORTED);
  stand_in().version = 91300;
  EXPECT_EQ(rnn_.prepare(context_.get(), &plan_), CELLPROOF_OK) << rnn_.message;
}

}  // namespace
}  // namespace cellproof::cudnn
