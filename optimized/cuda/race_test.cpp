// Things only a device can get wrong: the order between blocks that wait for each other, at sizes that fill it, and
// several kernels of that kind at once. The tools that look for races see shared memory only; these tests see results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "optimized/cuda/testing/device.hpp"
#include "optimized/cuda/testing/sample.hpp"

namespace cellproof::cuda::testing {
namespace {

struct Kind {
  cellproof_operator op;
  bool linear_before_reset;
};
constexpr Kind kinds[] = {
    {CELLPROOF_LSTM, false}, {CELLPROOF_GRU, false}, {CELLPROOF_GRU, true}, {CELLPROOF_RNN, false}};

/// "" or where two runs differ first: the step tells how long they went together.
template <class Real>
std::string difference(const Sample& sample, const Outputs<Real>& a, const Outputs<Real>& b) {
  for (std::size_t o = 0; o < a.size(); ++o) {
    if (a.at(o).empty() || std::memcmp(a.at(o).data(), b.at(o).data(), a.at(o).size() * sizeof(Real)) == 0) continue;
    for (std::size_t i = 0; i < a.at(o).size(); ++i)
      if (a.at(o)[i] != b.at(o)[i])
        return "output " + std::to_string(o) + ", element " + std::to_string(i) + ", step " +
               std::to_string(static_cast<std::int64_t>(i) / (sample.D() * sample.N * sample.H)) + ", " + sample.text();
  }
  return "";
}

Sample sample_of(const Kind& kind, std::int64_t T, std::int64_t N, std::int64_t H, const char* direction) {
  Sample sample{.op = kind.op, .T = T, .N = N, .I = 4, .H = H, .direction = direction};
  sample.linear_before_reset = kind.linear_before_reset;
  if (N == 3) sample.lengths = {static_cast<std::int32_t>(T), static_cast<std::int32_t>(T / 2), 1};
  return sample;
}

/// All paths add in the same order, and so have the same bits.
template <class Real>
void expect_persistent_equals_steps(const Sample& sample, const Inputs<Real>& in, cellproof_cuda_machine machine,
                                    cellproof_type type = type_of<Real>()) {
  const auto steps = Plan<Real>(sample, in, machine, CELLPROOF_CUDA_PATH_STEPS, type).run(in);
  for (const auto path : {CELLPROOF_CUDA_PATH_PERSISTENT, CELLPROOF_CUDA_PATH_BARRIER}) {
    Plan<Real> persistent(sample, in, machine, path, type);
    ASSERT_THAT(persistent.path(), ::testing::StartsWith("persistent")) << sample.text();
    EXPECT_EQ(difference(sample, steps, persistent.run(in)), "") << persistent.path();
    EXPECT_EQ(difference(sample, steps, persistent.run(in)), "") << persistent.path() << ", a second run";
  }
}

void expect_words_equal_steps(const Sample& sample, cellproof_cuda_machine machine) {
  const auto in = inputs_of<float>(sample, 3);
  expect_persistent_equals_steps(sample, words_of(in, Storage::Float16), machine, CELLPROOF_FLOAT16);
  expect_persistent_equals_steps(sample, words_of(in, Storage::BFloat16), machine, CELLPROOF_BFLOAT16);
}

TEST(CudaHostRace, PersistentEqualsStepsOverManySteps) {
  for (const Kind& kind : kinds)
    for (const std::int64_t N : {1, 3, 4})
      for (const char* direction : {"forward", "bidirectional"}) {
        const Sample sample = sample_of(kind, 300, N, 13, direction), shorter = sample_of(kind, 60, N, 13, direction);
        expect_persistent_equals_steps(sample, inputs_of<float>(sample, 3), CELLPROOF_CUDA_HOST);
        expect_persistent_equals_steps(shorter, inputs_of<double>(shorter, 3), CELLPROOF_CUDA_HOST);
        expect_words_equal_steps(sample_of(kind, 60, N, 37, direction), CELLPROOF_CUDA_HOST);
      }
}

class CudaDeviceRace : public OnDevice {};

/// A test for each recurrence and direction: some thousand steps at each of nine sizes take seconds.
class CudaDeviceRaceOf : public OnDevice, public ::testing::WithParamInterface<std::tuple<Kind, const char*>> {};

std::string name_of(const ::testing::TestParamInfo<CudaDeviceRaceOf::ParamType>& info) {
  const auto& [kind, direction] = info.param;
  const char* const op = kind.op == CELLPROOF_LSTM ? "Lstm" : kind.op == CELLPROOF_RNN ? "Rnn" : "Gru";
  return op + std::string(kind.linear_before_reset ? "LinearBeforeReset_" : "_") + direction;
}

INSTANTIATE_TEST_SUITE_P(CudaDevice, CudaDeviceRaceOf,
                         ::testing::Combine(::testing::ValuesIn(kinds),
                                            ::testing::Values("forward", "reverse", "bidirectional")),
                         name_of);

TEST_P(CudaDeviceRaceOf, PersistentEqualsStepsOverManySteps) {
  const auto& [kind, direction] = GetParam();
  for (const std::int64_t H : {129, 500, 1024})
    for (const std::int64_t N : {1, 3, 4}) {
      const Sample sample = sample_of(kind, 4000, N, H, direction);
      expect_persistent_equals_steps(sample, inputs_of<float>(sample, 3), CELLPROOF_CUDA_DEVICE);
      if (HasFatalFailure()) return;
    }
}

/// Double takes as many units as fit; 16 bits take as many as their R leaves room for, also beyond what is exchanged.
TEST_P(CudaDeviceRaceOf, PersistentEqualsStepsInEveryType) {
  const auto& [kind, direction] = GetParam();
  for (const std::int64_t N : {1, 3, 4}) {
    if (direction == std::string("bidirectional"))
      for (const std::int64_t H : {129, 900}) {
        const Sample sample = sample_of(kind, 4000, N, H, direction);
        expect_persistent_equals_steps(sample, inputs_of<double>(sample, 3), CELLPROOF_CUDA_DEVICE);
        if (HasFatalFailure()) return;
      }
    else
      for (const std::int64_t H : {129, 1024, 1900}) {
        expect_words_equal_steps(sample_of(kind, 4000, N, H, direction), CELLPROOF_CUDA_DEVICE);
        if (HasFatalFailure()) return;
      }
  }
}

/// Each kernel fills the device: the second one must wait as a whole, and neither may hold half of it.
TEST_F(CudaDeviceRace, FourThreadsWithKernelsThatFillTheDevice) {
  constexpr unsigned most_seconds = 60;
  const Sample sample{.T = 512, .N = 1, .I = 4, .H = 1024};
  const auto in = inputs_of<float>(sample, 3);
  for (const auto path : {CELLPROOF_CUDA_PATH_PERSISTENT, CELLPROOF_CUDA_PATH_BARRIER}) {
    alarm(most_seconds);  // blocks that wait for each other for ever end this process by SIGALRM
    const auto alone = Plan<float>(sample, in, CELLPROOF_CUDA_DEVICE, path).run(in);
    std::vector<std::string> found(4);
    std::vector<std::thread> threads;
    for (std::string& of_thread : found)
      threads.emplace_back([&] {
        Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, path);
        for (int run = 0; run < 20 && of_thread.empty(); ++run) of_thread = difference(sample, alone, plan.run(in));
      });
    for (std::thread& thread : threads) thread.join();
    alarm(0);
    for (const std::string& of_thread : found) EXPECT_EQ(of_thread, "");
  }
}

}  // namespace
}  // namespace cellproof::cuda::testing
