// What only a device can get wrong: the order between blocks that wait for each other, at sizes that fill it, and
// several kernels of that kind at once. The tools that look for races see shared memory only; these tests see results.
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "optimized/cuda/testing/device.hpp"
#include "optimized/cuda/testing/sample.hpp"

namespace cellproof::cuda::testing {
namespace {

struct Kind {
  cellproof_cuda_operator op;
  bool linear_before_reset;
};
constexpr Kind kinds[] = {
    {CELLPROOF_CUDA_LSTM, false}, {CELLPROOF_CUDA_GRU, false}, {CELLPROOF_CUDA_GRU, true}, {CELLPROOF_CUDA_RNN, false}};

/// "" or where two runs differ first: the step tells how long they went together.
template <class Real>
std::string difference(const Sample& sample, const Outputs<Real>& a, const Outputs<Real>& b) {
  for (std::size_t o = 0; o < a.size(); ++o)
    for (std::size_t i = 0; i < a.at(o).size(); ++i)
      if (a.at(o)[i] != b.at(o)[i])
        return "output " + std::to_string(o) + ", element " + std::to_string(i) + ", step " +
               std::to_string(static_cast<std::int64_t>(i) / (sample.D() * sample.N * sample.H)) + ", " + sample.text();
  return "";
}

/// Both paths add in the same order.
template <class Real>
void expect_persistent_equals_steps(const Kind& kind, std::int64_t T, std::int64_t N, std::int64_t H,
                                    const char* direction, cellproof_cuda_machine machine) {
  Sample sample{.op = kind.op, .T = T, .N = N, .I = 4, .H = H, .direction = direction};
  sample.linear_before_reset = kind.linear_before_reset;
  if (N == 3) sample.lengths = {static_cast<std::int32_t>(T), static_cast<std::int32_t>(T / 2), 1};
  const auto in = inputs_of<Real>(sample, 3);
  Plan<Real> persistent(sample, in, machine, CELLPROOF_CUDA_PATH_PERSISTENT);
  ASSERT_EQ(persistent.path(), "persistent") << sample.text();
  const auto first = persistent.run(in), replayed = persistent.run(in);
  EXPECT_EQ(difference(sample, first, replayed), "");
  EXPECT_EQ(difference(sample, first, Plan<Real>(sample, in, machine, CELLPROOF_CUDA_PATH_STEPS).run(in)), "");
}

TEST(CudaHostRace, PersistentEqualsStepsOverManySteps) {
  for (const Kind& kind : kinds)
    for (const std::int64_t N : {1, 3, 4})
      for (const char* direction : {"forward", "bidirectional"}) {
        expect_persistent_equals_steps<float>(kind, 300, N, 13, direction, CELLPROOF_CUDA_HOST);
        expect_persistent_equals_steps<double>(kind, 60, N, 13, direction, CELLPROOF_CUDA_HOST);
      }
}

class CudaDeviceRace : public OnDevice {};

TEST_F(CudaDeviceRace, PersistentEqualsStepsOverManySteps) {
  for (const Kind& kind : kinds)
    for (const char* direction : {"forward", "bidirectional"})
      for (const std::int64_t H : {129, 500, 1024})
        for (const std::int64_t N : {1, 3, 4}) {
          expect_persistent_equals_steps<float>(kind, 4000, N, H, direction, CELLPROOF_CUDA_DEVICE);
          if (H <= 500) expect_persistent_equals_steps<double>(kind, 1000, N, H, direction, CELLPROOF_CUDA_DEVICE);
          if (HasFatalFailure()) return;
        }
}

/// Each kernel fills the device: the second one must wait as a whole, and neither may hold half of it.
TEST_F(CudaDeviceRace, FourThreadsWithKernelsThatFillTheDevice) {
  constexpr unsigned most_seconds = 60;
  alarm(most_seconds);  // blocks that wait for each other for ever end this process by SIGALRM
  const Sample sample{.T = 512, .N = 1, .I = 4, .H = 1024};
  const auto in = inputs_of<float>(sample, 3);
  const auto alone = Plan<float>(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_PERSISTENT).run(in);
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& of_thread : found)
    threads.emplace_back([&] {
      Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_PERSISTENT);
      for (int run = 0; run < 20 && of_thread.empty(); ++run) of_thread = difference(sample, alone, plan.run(in));
    });
  for (std::thread& thread : threads) thread.join();
  alarm(0);
  for (const std::string& of_thread : found) EXPECT_EQ(of_thread, "");
}

}  // namespace
}  // namespace cellproof::cuda::testing
