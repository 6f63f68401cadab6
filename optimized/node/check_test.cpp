// Parts of a node that are refused, with which words; parts that are taken, and with which defaults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <new>
#include <string>

#include "optimized/node/call.hpp"

namespace cellproof::node {
namespace {

cellproof_node lstm() {
  cellproof_node node{};
  node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {3, 2, 4}, nullptr};
  node.inputs[CELLPROOF_W] = {CELLPROOF_FLOAT, 3, {1, 20, 4}, nullptr};
  node.inputs[CELLPROOF_R] = {CELLPROOF_FLOAT, 3, {1, 20, 5}, nullptr};
  return node;
}

cellproof_node quantized() {
  cellproof_node node = lstm();
  node.op = CELLPROOF_DYNAMIC_QUANTIZE_LSTM;
  node.inputs[CELLPROOF_W] = {CELLPROOF_INT8, 3, {1, 4, 20}, nullptr};
  node.inputs[CELLPROOF_R] = {CELLPROOF_INT8, 3, {1, 5, 20}, nullptr};
  node.inputs[CELLPROOF_W_SCALE] = {CELLPROOF_FLOAT, 1, {1}, nullptr};
  node.inputs[CELLPROOF_W_ZERO_POINT] = {CELLPROOF_INT8, 1, {1}, nullptr};
  node.inputs[CELLPROOF_R_SCALE] = {CELLPROOF_FLOAT, 2, {1, 20}, nullptr};
  node.inputs[CELLPROOF_R_ZERO_POINT] = {CELLPROOF_INT8, 2, {1, 20}, nullptr};
  return node;
}

/// Refusal of a node with one thing changed; "" if it is taken.
template <class Change>
std::string refusal(cellproof_node node, Change change) {
  change(node);
  try {
    checked(node);
  } catch (const Invalid& error) {
    EXPECT_EQ(error.status(), CELLPROOF_INVALID);
    return error.what();
  }
  return "";
}

using N = cellproof_node&;

TEST(Check, NamesTheInputAndTheClause) {
  const auto of = [](auto change) { return refusal(lstm(), change); };
  EXPECT_EQ(of([](N) {}), "");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_R].type = CELLPROOF_NONE; }),
            "input R is missing, expected a tensor: it is required (input R)");
  EXPECT_EQ(of([](N n) { n.op = CELLPROOF_GRU, n.inputs[CELLPROOF_P] = n.inputs[CELLPROOF_X]; }),
            "the node has more inputs than its operator, at most 6 are expected (inputs)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_X].type = CELLPROOF_INT32; }),
            "input X has type int32, expected float16, bfloat16, float or double (input X)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_W].type = CELLPROOF_DOUBLE; }),
            "input W has type double, expected float as X has (input W)");
  EXPECT_EQ(of([](N n) {
              n.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_OTHER, 1, {2}, nullptr};
            }),
            "input sequence_lens has type another type, expected int32 (input sequence_lens)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_X].rank = 7; }),
            "input X has rank 7, expected three sizes, [T,N,I] (input X)");
  EXPECT_EQ(of([](N n) { n.layout = 1, n.inputs[CELLPROOF_X].rank = 2; }),
            "input X has shape [3,2], expected three sizes, [N,T,I] (input X)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_W].shape[1] = 19; }),
            "input W has shape [1,19,4], expected [D,4H,I] = [1,20,4] (input W)");
  EXPECT_EQ(of([](N n) {
              n.inputs[CELLPROOF_B] = {CELLPROOF_FLOAT, 1, {40}, nullptr};
            }),
            "input B has shape [40], expected [D,8H] = [1,40] (input B)");
  EXPECT_EQ(of([](N n) {
              n.inputs[CELLPROOF_INITIAL_C] = {CELLPROOF_FLOAT, 3, {2, 1, 5}, nullptr};
            }),
            "input initial_c has shape [2,1,5], expected [D,N,H] = [1,2,5] (input initial_c)");
  EXPECT_EQ(of([](N n) {
              n.inputs[CELLPROOF_P] = {CELLPROOF_FLOAT, 2, {1, 20}, nullptr};
            }),
            "input P has shape [1,20], expected [D,3H] = [1,15] (input P)");
  EXPECT_EQ(of([](N n) { n.op = CELLPROOF_RNN; }), "input W has shape [1,20,4], expected [D,H,I] = [1,5,4] (input W)");
}

TEST(Check, NamesTheAttribute) {
  const auto of = [](auto change) { return refusal(lstm(), change); };
  EXPECT_EQ(of([](N n) { n.direction = "up"; }),
            "direction is 'up', expected forward, reverse or bidirectional (attribute direction)");
  EXPECT_EQ(of([](N n) { n.has_clip = 1, n.clip = NAN; }),
            "clip is nan, expected a number of at least 0 (attribute clip)");
  EXPECT_EQ(of([](N n) { n.has_clip = 1, n.clip = -1; }),
            "clip is -1.000000, expected a number of at least 0 (attribute clip)");
  EXPECT_EQ(of([](N n) { n.has_clip = 1, n.clip = -0.0F; }), "");
  EXPECT_EQ(of([](N n) { n.has_hidden_size = 1; }),
            "hidden_size is 0, expected a positive number (attribute hidden_size)");
  EXPECT_EQ(of([](N n) { n.has_hidden_size = 1, n.hidden_size = INT64_MAX; }),
            "hidden_size is 9223372036854775807, expected a size that R can have (attribute hidden_size)");
  EXPECT_EQ(of([](N n) { n.has_hidden_size = 1, n.hidden_size = 4; }),
            "input W has shape [1,20,4], expected [D,4H,I] = [1,16,4] (input W)");
}

TEST(Check, ReadsTheHiddenSizeFromROrSaysWhyNot) {
  EXPECT_EQ(
      refusal(lstm(), [](N n) { n.inputs[CELLPROOF_R].rank = 2; }),
      "input R has shape [1,20], from which no hidden size can be read, expected three sizes, [D,GH,H] (input R)");
  EXPECT_EQ(refusal(lstm(), [](N n) { n.inputs[CELLPROOF_R].shape[2] = 0; }),
            "the hidden size is 0 by the shape of R [1,20,0], expected a positive number (attribute hidden_size)");
  EXPECT_EQ(refusal(quantized(), [](N n) { n.inputs[CELLPROOF_R].rank = 5; }),
            "input R has rank 5, from which no hidden size can be read, expected three sizes, [D,H,4H] (input R)");
}

TEST(Check, KnowsWhatAQuantizedNodeTakes) {
  const auto of = [](auto change) { return refusal(quantized(), change); };
  EXPECT_EQ(of([](N) {}), "");
  EXPECT_EQ(of([](N n) { n.layout = 1; }), "") << "the operator has no such attribute; its tensors are time-major";
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_R_SCALE].type = CELLPROOF_NONE; }),
            "input R_scale is missing, expected a tensor: it is required (input R_scale)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_X].type = CELLPROOF_DOUBLE; }),
            "input X has type double, expected float (input X)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_W].type = CELLPROOF_INT32; }),
            "input W has type int32, expected uint8 or int8 (input W)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_R].type = CELLPROOF_UINT8; }),
            "input R has type uint8, expected int8 as W has (input R)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_R_SCALE].shape[1] = 5; }),
            "input R_scale has shape [1,5], expected [D] or [D,4H] = [1,20] (input R_scale)");
  EXPECT_EQ(of([](N n) { n.inputs[CELLPROOF_W].shape[1] = 3; }),
            "input W has shape [1,3,20], expected [D,I,4H] = [1,4,20] (input W)");
}

TEST(Check, PutsEveryDefaultInPlace) {
  cellproof_node node = lstm();
  node.linear_before_reset = 1;  // no attribute of LSTM
  const Node valid = checked(node);
  EXPECT_EQ(valid.type, CELLPROOF_FLOAT);
  EXPECT_EQ(valid.size.T, 3U);
  EXPECT_EQ(valid.size.N, 2U);
  EXPECT_EQ(valid.size.I, 4U);
  EXPECT_EQ(valid.size.H, 5U);
  EXPECT_EQ(valid.size.D, 1U);
  EXPECT_FALSE(valid.reversed[0]);
  EXPECT_TRUE(std::isinf(valid.clip));
  EXPECT_FALSE(valid.input_forget || valid.linear_before_reset || valid.batch_first);
  EXPECT_TRUE(valid.has(CELLPROOF_R) && !valid.has(CELLPROOF_B));
  node.layout = 7;
  node.direction = "reverse";
  const Node other = checked(node);
  EXPECT_TRUE(other.batch_first && other.reversed[0]);
  EXPECT_EQ(other.size.N, 3U);
  EXPECT_EQ(other.size.T, 2U);
}

TEST(Check, TakesSizesThatNoMachineHasForALackOfMemory) {
  constexpr std::int64_t huge = std::int64_t{1} << 31;
  cellproof_node node = lstm();
  node.inputs[CELLPROOF_X].shape[0] = node.inputs[CELLPROOF_X].shape[1] = huge;  // 2^64 elements
  const Node valid = checked(node);
  EXPECT_THROW(check_countable(valid), std::bad_alloc);
  EXPECT_NO_THROW(check_countable(checked(lstm())));
  node = lstm();
  node.inputs[CELLPROOF_R].shape[2] = INT64_MAX;
  EXPECT_THROW(checked(node), std::bad_alloc);
}

TEST(Call, AsksForDataOnlyWhereTheNodeHasSome) {
  cellproof_node node = lstm();
  node.inputs[CELLPROOF_X].shape[0] = 0;
  const Node valid = checked(node);
  const float weights = 1;
  EXPECT_EQ(required_data(valid, CELLPROOF_W, &weights), &weights);
  EXPECT_EQ(required_data(valid, CELLPROOF_B, &weights), nullptr);
  EXPECT_NE(required_data(valid, CELLPROOF_X, nullptr), nullptr) << "it is empty";
  EXPECT_THROW(required_data(valid, CELLPROOF_R, nullptr), Invalid);
}

TEST(Call, SaysOneLineThatFits) {
  std::array<char, 8> message{};
  const auto outcome = [&](auto work) { return status_of(message.data(), message.size(), work); };
  EXPECT_EQ(outcome([] { throw Failure(CELLPROOF_UNAVAILABLE, "no such device"); }), CELLPROOF_UNAVAILABLE);
  EXPECT_STREQ(message.data(), "no such");
  EXPECT_EQ(outcome([] { throw std::bad_alloc(); }), CELLPROOF_OUT_OF_MEMORY);
  EXPECT_STREQ(message.data(), "out of ");
  EXPECT_EQ(outcome([] {}), CELLPROOF_OK);
  EXPECT_STREQ(message.data(), "");
  EXPECT_EQ(status_of(nullptr, 0, [] { throw Invalid("unheard"); }), CELLPROOF_INVALID);
}

}  // namespace
}  // namespace cellproof::node
