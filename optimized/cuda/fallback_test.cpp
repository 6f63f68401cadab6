// Things that a device may refuse, and the way around them: on the host, and on a device if there is one. The bits are
// those of a plan to which nothing is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/cublas.hpp"
#include "optimized/cuda/per_device.hpp"
#include "optimized/cuda/testing/device.hpp"
#include "optimized/cuda/testing/sample.hpp"
#if CELLPROOF_WITH_NVCC
#include <cuda_runtime_api.h>
#endif

namespace cellproof::cuda::testing {
namespace {

/// Faults that plans made in its life are to meet.
class Refusing {
 public:
  explicit Refusing(const std::string& faults) { setenv("CELLPROOF_CUDA_FAULTS", faults.c_str(), 1); }
  Refusing(const Refusing&) = delete;
  Refusing& operator=(const Refusing&) = delete;
  ~Refusing() { unsetenv("CELLPROOF_CUDA_FAULTS"); }
};

/// The path after each of four runs of a plan that is refused something; all of them give the same bits.
std::vector<std::string> paths_after(const std::string& faults, const Sample& sample, cellproof_cuda_machine machine) {
  const auto in = inputs_of<float>(sample, 3);
  const auto expected = Plan<float>(sample, in, machine, CELLPROOF_CUDA_PATH_PERSISTENT).run(in);
  const Refusing refusing(faults);
  Plan<float> plan(sample, in, machine, CELLPROOF_CUDA_PATH_PERSISTENT);
  std::vector<std::string> paths;
  for (int run = 0; run < 4; ++run) {
    EXPECT_EQ(plan.run_in_place(in), expected) << faults << ", run " << run << ", " << sample.text();
    paths.push_back(plan.path());
  }
  return paths;
}

void check_every_fallback(cellproof_cuda_machine machine) {
  using Paths = std::vector<std::string>;
  const std::string refused = "steps, as a persistent kernel was refused";
  for (const auto op : {CELLPROOF_LSTM, CELLPROOF_GRU, CELLPROOF_RNN})
    for (const bool linear : {false, true}) {
      if (linear && op != CELLPROOF_GRU) continue;
      // Several chunks on the host.
      const Sample few{.op = op,
                       .T = 150,
                       .N = 2,
                       .H = 20,
                       .direction = "bidirectional",
                       .linear_before_reset = linear,
                       .lengths = {150, 7}};
      Sample many = few;
      many.N = 5;
      many.lengths = {150, 0, 3, 150, 9};
      EXPECT_EQ(paths_after("", few, machine), Paths(4, "persistent"));
      EXPECT_EQ(paths_after("", many, machine), Paths(4, "steps"));
      // The first run is launched as it is; the second one is to be recorded, and replayed at once.
      for (const char* fault : {"recording", "replaying"}) {
        EXPECT_EQ(paths_after(fault, few, machine), (Paths{"persistent", "persistent, not recorded",
                                                           "persistent, not recorded", "persistent, not recorded"}));
        EXPECT_EQ(paths_after(fault, many, machine),
                  (Paths{"steps", "steps, not recorded", "steps, not recorded", "steps, not recorded"}));
      }
      EXPECT_EQ(paths_after("persistent", few, machine), Paths(4, refused));
      EXPECT_EQ(paths_after("persistent", many, machine), Paths(4, "steps"));
      EXPECT_EQ(paths_after("persistent,recording", few, machine),
                (Paths{refused, refused + ", not recorded", refused + ", not recorded", refused + ", not recorded"}));
    }
}

/// A run that fails half-way has not loaded what a recording must find loaded: the next one is a first one again.
void check_a_failing_first_run(cellproof_cuda_machine machine) {
  const Refusing refusing("first-run,recording");
  const Sample sample{.T = 9, .N = 5};
  const auto in = inputs_of<float>(sample, 3);
  Plan<float> plan(sample, in, machine, CELLPROOF_CUDA_PATH_AUTO);
  EXPECT_THROW(plan.run_in_place(in), std::runtime_error);
  const auto first = plan.run_in_place(in);
  EXPECT_EQ(plan.path(), "steps");
  EXPECT_EQ(plan.run_in_place(in), first);
  EXPECT_EQ(plan.path(), "steps, not recorded");
}

TEST(CudaHostFallback, EveryOneGivesTheSameBitsAndIsSaid) {
  check_every_fallback(CELLPROOF_CUDA_HOST);
}
TEST(CudaHostFallback, ARunThatFailsIsNoFirstRun) {
  check_a_failing_first_run(CELLPROOF_CUDA_HOST);
}
TEST(CudaHostFallback, RefusesAFaultThatIsNone) {
  const Refusing refusing("gravity");
  const Sample sample;
  const auto in = inputs_of<float>(sample, 3);
  EXPECT_THROW(Plan<float>(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_AUTO), std::runtime_error);
}

class CudaDeviceFallback : public OnDevice {};

TEST_F(CudaDeviceFallback, EveryOneGivesTheSameBitsAndIsSaid) {
  check_every_fallback(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDeviceFallback, ARunThatFailsIsNoFirstRun) {
  check_a_failing_first_run(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDeviceFallback, APlanRunsOnAnotherThread) {
  const Sample sample{.T = 9, .N = 5};
  const auto in = inputs_of<float>(sample, 3);
  Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO);
  const auto here = plan.run(in);
  Outputs<float> there;
  std::thread([&] { there = plan.run(in); }).join();
  EXPECT_EQ(here, there);
}

/// A launch that is waited for names its kernel in an error, and is not recorded.
TEST_F(CudaDeviceFallback, LaunchesThatAreWaitedForGiveTheSameBits) {
  for (const std::int64_t N : {2, 5}) {
    const Sample sample{.T = 9, .N = N};
    const auto in = inputs_of<float>(sample, 3);
    const auto expected = Plan<float>(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO).run(in);
    setenv("CELLPROOF_CUDA_CHECK", "1", 1);
    Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO);
    unsetenv("CELLPROOF_CUDA_CHECK");
    for (int run = 0; run < 3; ++run) EXPECT_EQ(plan.run_in_place(in), expected);
    EXPECT_THAT(plan.path(), ::testing::EndsWith(", not recorded"));
  }
}

#if CELLPROOF_WITH_NVCC
/// An error that the caller's own calls left behind, and nobody has asked for, is no failure of a launch.
TEST_F(CudaDeviceFallback, AnErrorThatTheCallerLeftIsNotOurs) {
  for (const std::int64_t N : {2, 5}) {
    const Sample sample{.T = 9, .N = N};
    const auto in = inputs_of<float>(sample, 3);
    const auto expected = Plan<float>(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO).run(in);
    EXPECT_NE(cudaSetDevice(-1), cudaSuccess);
    Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO);
    for (int run = 0; run < 3; ++run) {
      EXPECT_NE(cudaSetDevice(-1), cudaSuccess);
      EXPECT_EQ(plan.run_in_place(in), expected);
    }
    cudaGetLastError();
  }
}

TEST_F(CudaDeviceFallback, APlanStaysOnItsDevice) {
  int devices = 0;
  ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
  if (devices < 2) GTEST_SKIP() << "there is one device here";
  const Sample sample{.T = 9, .N = 5};
  const auto in = inputs_of<float>(sample, 3);
  const auto expected = Plan<float>(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO).run(in);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_PATH_AUTO);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  for (int run = 0; run < 3; ++run) EXPECT_EQ(plan.run_in_place(in), expected);
  int current = -1;
  EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 0);
}
#endif

TEST(CudaErrors, NameTheBodyOfTheKernel) {
  EXPECT_THAT(std::string(name_of_body<Step<float, Phase::Lstm>>()), ::testing::HasSubstr("Step<float"));
  EXPECT_THAT(std::string(name_of_body<MixedProduct>()), ::testing::HasSubstr("Product<float, float"));
  EXPECT_EQ(launch_text("Widen<float>", 512), "Widen<float> over 512");
}

TEST(CudaLanes, AreOfOneDeviceEach) {
  PerDevice<std::string> lanes;
  EXPECT_EQ(lanes.take(0), std::nullopt);
  lanes.give_back(0, "a lane of device 0");
  EXPECT_EQ(lanes.take(1), std::nullopt);
  EXPECT_EQ(lanes.take(0), "a lane of device 0");
  EXPECT_EQ(lanes.take(0), std::nullopt);
}

#if CELLPROOF_WITH_NVCC
/// In a process of its own: the library is opened once.
TEST(CudaCublas, CanBeDoneWithout) {
  EXPECT_EXIT(
      {
        setenv("CELLPROOF_CUBLAS", "none", 1);
        _exit(Cublas::open(nullptr) == nullptr ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace cellproof::cuda::testing
