// The C interface: what it refuses and how, constant and run-time data, what it promises about memory.
#include "optimized/cpu/cellproof_cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "optimized/cpu/testing/node_case.hpp"

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace cellproof::cpu::testing {
namespace {

using ::testing::HasSubstr;

cellproof_node small_lstm() {
  cellproof_node node{};
  node.op = CELLPROOF_LSTM;
  node.inputs[CELLPROOF_X] = {CELLPROOF_FLOAT, 3, {3, 2, 4}, nullptr};
  node.inputs[CELLPROOF_W] = {CELLPROOF_FLOAT, 3, {1, 20, 4}, nullptr};
  node.inputs[CELLPROOF_R] = {CELLPROOF_FLOAT, 3, {1, 20, 5}, nullptr};
  return node;
}

/// The status and message of preparing a node.
std::pair<cellproof_status, std::string> prepare(const cellproof_node& node) {
  cellproof_cpu_plan* plan = nullptr;
  char message[256];
  const auto status = cellproof_cpu_prepare(&node, nullptr, &plan, message, sizeof message);
  EXPECT_EQ(plan == nullptr, status != CELLPROOF_OK);
  cellproof_cpu_release(plan);
  return {status, message};
}

template <class Change>
std::string refusal(Change change) {
  cellproof_node node = small_lstm();
  change(node);
  const auto [status, message] = prepare(node);
  EXPECT_EQ(status, CELLPROOF_INVALID);
  return message;
}

TEST(Interface, SaysWhatANodeBreaks) {
  EXPECT_EQ(prepare(small_lstm()).first, CELLPROOF_OK);
  EXPECT_EQ(refusal([](auto& n) { n.inputs[CELLPROOF_W].shape[1] = 19; }),
            "input W has shape [1,19,4], expected [D,4H,I] = [1,20,4] (input W)");
  const char* names[] = {"Sigmoid", "tanh", "Cosine"};
  EXPECT_THAT(refusal([&](auto& n) { n.activations = {names, 3}; }), HasSubstr("activations[2] is 'Cosine'"));
}

TEST(Interface, TakesSizesThatNoMachineHasForALackOfMemory) {
  cellproof_node node = small_lstm();
  node.inputs[CELLPROOF_X].shape[0] = node.inputs[CELLPROOF_X].shape[1] = std::int64_t{1} << 31;  // 2^64 elements
  const auto [status, message] = prepare(node);
  EXPECT_EQ(status, CELLPROOF_OUT_OF_MEMORY);
  EXPECT_EQ(message, "out of memory");
}

TEST(Interface, CutsAMessageWhereItDoesNotFit) {
  cellproof_node node = small_lstm();
  node.direction = "sideways";
  cellproof_cpu_plan* plan = nullptr;
  char message[10];
  EXPECT_EQ(cellproof_cpu_prepare(&node, nullptr, &plan, message, sizeof message), CELLPROOF_INVALID);
  EXPECT_STREQ(message, "direction");
  EXPECT_EQ(cellproof_cpu_prepare(&node, nullptr, &plan, nullptr, 0), CELLPROOF_INVALID);
}

TEST(Interface, RefusesLengthsAndMissingDataBeforeItWrites) {
  const Recipe recipe{.lengths = {4, 1}};  // T is 3
  const auto data = data_for<float>(recipe, 1);
  const Prepared<float> node(recipe, data, {CELLPROOF_CPU_PATH_AUTO, 1});
  EXPECT_THROW(
      try { node.run(data); } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "sequence_lens[0] is 4, expected a length between 0 and 3 (input sequence_lens)");
        throw;
      },
      std::runtime_error);
  const cellproof_node lstm = small_lstm();
  cellproof_cpu_plan* plan = nullptr;
  ASSERT_EQ(cellproof_cpu_prepare(&lstm, nullptr, &plan, nullptr, 0), CELLPROOF_OK);
  const void* inputs[CELLPROOF_INPUTS] = {};
  float Y[30] = {7};
  void* outputs[CELLPROOF_OUTPUTS] = {Y};
  char message[100];
  EXPECT_EQ(cellproof_cpu_run(plan, inputs, outputs, message, sizeof message), CELLPROOF_INVALID);
  EXPECT_STREQ(message, "input X comes without data (input X)");
  EXPECT_EQ(Y[0], 7);
  cellproof_cpu_release(plan);
}

TEST(Interface, WeightsThatArePackedInTheRunGiveTheSameBits) {
  for (const std::size_t N : {2, 5}) {
    const Recipe constant{.N = N, .H = 21, .with_peepholes = true};
    Recipe given = constant;
    given.constant_weights = false;
    const auto data = data_for<float>(constant, 9), other = data_for<float>(constant, 10);
    const cellproof_cpu_options options{CELLPROOF_CPU_PATH_AUTO, 1};
    const Prepared<float> node(given, data, options);
    node.run(other);  // other weights before
    EXPECT_EQ(node.run(data), Prepared<float>(constant, data, options).run(data));
  }
}

TEST(Interface, ARunAllocatesNothing) {
  for (const auto op : {CELLPROOF_LSTM, CELLPROOF_GRU, CELLPROOF_RNN}) {
    for (const std::size_t N : {1, 9}) {
      const Recipe recipe{.op = op, .N = N, .H = 70, .lengths = std::vector<int>(N, 2), .constant_weights = N == 1};
      const auto data = data_for<float>(recipe, 9);
      const Prepared<float> node(recipe, data, {CELLPROOF_CPU_PATH_AUTO, 2});
      const std::size_t before_first = allocations;
      node.run(data);
      const std::size_t of_the_test = allocations - before_first;
      const std::size_t before_second = allocations;
      std::vector<float> results[] = {std::vector<float>(1), std::vector<float>(1), std::vector<float>(1)};
      EXPECT_LE(of_the_test, 3U) << "the results' three vectors, and no more";
      EXPECT_EQ(allocations - before_second, 3U) << "the count itself works";
    }
  }
}

TEST(Interface, KnowsEachPathByTheNameThatItSays) {
  const Recipe recipe;
  const auto data = data_for<float>(recipe, 9);
  for (const char* name : {"scalar", "avx2", "avx-vnni", "avx512", "avx512-bf16", "amx", "openblas"}) {
    cellproof_cpu_path path = CELLPROOF_CPU_PATH_AUTO;
    ASSERT_EQ(cellproof_cpu_path_named(name, &path), 1) << name;
    const bool is_here = *cellproof_cpu_path_missing(path) == '\0';
    EXPECT_EQ(is_here ? Prepared<float>(recipe, data, {path, 1}).path() : name, name);
  }
  cellproof_cpu_path path = CELLPROOF_CPU_PATH_AMX;
  EXPECT_EQ(cellproof_cpu_path_named("avx9", &path), 0);
  EXPECT_EQ(path, CELLPROOF_CPU_PATH_AMX);
  EXPECT_EQ(cellproof_cpu_path_named("auto", &path), 1);
  EXPECT_EQ(path, CELLPROOF_CPU_PATH_AUTO);
}

/// bfloat16 and bytes have paths of their own, where the processor has them.
TEST(Interface, ChoosesByTheProcessorAndTheType) {
  const auto has = [](cellproof_cpu_path path) { return *cellproof_cpu_path_missing(path) == '\0'; };
  const Recipe recipe;
  const std::string of_float = Prepared<float>(recipe, data_for<float>(recipe, 9), {}).path();
  const std::string of_pairs = Prepared<BFloat16>(recipe, data_for<BFloat16>(recipe, 9), {}).path();
  EXPECT_NE(of_float, "amx");
  if (has(CELLPROOF_CPU_PATH_AMX))
    EXPECT_EQ(of_pairs, "amx");
  else
    EXPECT_TRUE(of_pairs == of_float || (of_pairs == "avx512-bf16" && has(CELLPROOF_CPU_PATH_AVX512_BF16))) << of_pairs;
}

TEST(Interface, SaysWhichPathItTakes) {
  const Recipe recipe;
  const auto data = data_for<float>(recipe, 9);
  EXPECT_EQ(Prepared<float>(recipe, data, {CELLPROOF_CPU_PATH_SCALAR, 1}).path(), "scalar");
  EXPECT_EQ(Prepared<float>(recipe, data, {CELLPROOF_CPU_PATH_OPENBLAS, 1}).path(), "openblas");
  for (const auto& [path, name] :
       {std::pair{CELLPROOF_CPU_PATH_AVX2, "avx2"}, std::pair{CELLPROOF_CPU_PATH_AVX512, "avx512"},
        std::pair{CELLPROOF_CPU_PATH_AVX512_BF16, "avx512-bf16"}, std::pair{CELLPROOF_CPU_PATH_AMX, "amx"}}) {
    if (*cellproof_cpu_path_missing(path) == '\0') {
      EXPECT_EQ(Prepared<float>(recipe, data, {path, 1}).path(), name);
    } else {
      EXPECT_THROW(Prepared<float>(recipe, data, {path, 1}), std::runtime_error);
    }
  }
}

}  // namespace
}  // namespace cellproof::cpu::testing
