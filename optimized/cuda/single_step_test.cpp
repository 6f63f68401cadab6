// A node of one step and few sequences, which one launch computes, against the equations and against the other paths.
#include "optimized/cuda/single_step.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

#include "optimized/cuda/testing/device.hpp"
#include "optimized/cuda/testing/sample.hpp"

namespace cellproof::cuda::testing {
namespace {

using Kind = std::pair<cellproof_operator, bool>;  ///< and linear_before_reset
constexpr Kind kinds[] = {
    {CELLPROOF_LSTM, false}, {CELLPROOF_GRU, false}, {CELLPROOF_GRU, true}, {CELLPROOF_RNN, false}};

Sample of_kind(const Kind& kind, Sample sample) {
  sample.op = kind.first;
  sample.linear_before_reset = kind.second;
  sample.T = 1;
  return sample;
}

template <class Real>
void expect_the_equations(const Sample& sample, cellproof_cuda_machine machine) {
  const Inputs<Real> weights = inputs_of<Real>(sample, 7);
  Plan<Real> plan(sample, weights, machine, CELLPROOF_CUDA_PATH_AUTO);
  ASSERT_EQ(plan.path(), "single step");
  for (const std::uint64_t run : {0, 1, 0}) {
    const Inputs<Real> in = inputs_of<Real>(sample, 7, run);
    const Outputs<Real> actual = plan.run(in);
    const Outputs<double> expected = by_the_equations(sample, in);
    for (std::size_t o = 0; o < actual.size(); ++o) {
      ASSERT_EQ(actual.at(o).size(), expected.at(o).size());
      for (std::size_t i = 0; i < actual.at(o).size(); ++i)
        ASSERT_NEAR(actual.at(o)[i], expected.at(o)[i], sizeof(Real) == sizeof(float) ? 2e-6 : 1e-14)
            << sample.text() << ", output " << o << ", element " << i;
    }
  }
}

void expect_the_equations_in_both_types(const Sample& sample, cellproof_cuda_machine machine) {
  expect_the_equations<float>(sample, machine);
  if (!::testing::Test::HasFatalFailure()) expect_the_equations<double>(sample, machine);
}

void check_sizes(cellproof_cuda_machine machine) {
  for (const Kind& kind : kinds)
    for (const std::int64_t N : {1, 2, 3, 4})
      for (const auto& [I, H] : {std::pair{1, 1}, {0, 3}, {31, 33}, {32, 32}, {33, 31}, {300, 5}, {5, 300}})
        expect_the_equations_in_both_types(of_kind(kind, {.N = N, .I = I, .H = H}), machine);
}

void check_lengths_layouts_and_options(cellproof_cuda_machine machine) {
  for (const Kind& kind : kinds)
    for (const char* direction : {"reverse", "bidirectional"})
      for (const std::vector<std::int32_t>& lengths :
           {std::vector<std::int32_t>{1, 0, 1, 0}, {0, 1}, {0, 0, 0}, {0}, {1}, {1, 1, 1}})
        for (int bits = 0; bits < 32; ++bits) {
          const bool lstm = kind.first == CELLPROOF_LSTM;
          expect_the_equations<float>(of_kind(kind, {.N = static_cast<std::int64_t>(lengths.size()),
                                                     .I = 3,
                                                     .H = 7,
                                                     .direction = direction,
                                                     .batch_first = (bits & 1) != 0,
                                                     .input_forget = lstm && (bits & 2) != 0,
                                                     .bias = (bits & 4) != 0,
                                                     .states = (bits & 8) != 0,
                                                     .peepholes = lstm && (bits & 16) != 0,
                                                     .constant_weights = (bits & 16) == 0,
                                                     .clip = (bits & 2) != 0 ? 0.25 : INFINITY,
                                                     .lengths = lengths}),
                                      machine);
          if (::testing::Test::HasFatalFailure()) return;
        }
}

TEST(CudaHostSingleStep, HidesNoTailOfASum) {
  check_sizes(CELLPROOF_CUDA_HOST);
}
TEST(CudaHostSingleStep, TakesEveryDirectionLayoutLengthAndOption) {
  check_lengths_layouts_and_options(CELLPROOF_CUDA_HOST);
}

TEST(CudaHostSingleStep, IsForOneStepAndFewSequencesUnlessAnotherPathIsAskedFor) {
  const auto path_of = [](const Sample& sample, cellproof_cuda_path path) {
    return Plan<float>(sample, inputs_of<float>(sample, 1), CELLPROOF_CUDA_HOST, path).path();
  };
  EXPECT_EQ(path_of({.T = 1, .N = 4}, CELLPROOF_CUDA_PATH_AUTO), "single step");
  EXPECT_EQ(path_of({.T = 1, .N = 5}, CELLPROOF_CUDA_PATH_AUTO), "steps");
  EXPECT_EQ(path_of({.T = 2, .N = 4}, CELLPROOF_CUDA_PATH_AUTO), "persistent");
  EXPECT_EQ(path_of({.T = 1, .N = 4}, CELLPROOF_CUDA_PATH_STEPS), "steps");
  EXPECT_EQ(path_of({.T = 1, .N = 4}, CELLPROOF_CUDA_PATH_PERSISTENT), "persistent");
}

TEST(CudaHostSingleStep, AnotherPathIsAskedForByTheEnvironment) {
  const Sample sample{.T = 1, .N = 2};
  const auto in = inputs_of<float>(sample, 1);
  const auto path_of = [&](cellproof_cuda_path path) {
    return Plan<float>(sample, in, CELLPROOF_CUDA_HOST, path).path();
  };
  const struct Unset {
    ~Unset() { unsetenv("CELLPROOF_CUDA_PATH"); }
  } unset_at_the_end;
  ASSERT_EQ(setenv("CELLPROOF_CUDA_PATH", "steps", 1), 0);
  EXPECT_EQ(path_of(CELLPROOF_CUDA_PATH_AUTO), "steps");
  EXPECT_EQ(path_of(CELLPROOF_CUDA_PATH_PERSISTENT), "persistent");
  ASSERT_EQ(setenv("CELLPROOF_CUDA_PATH", "persistent", 1), 0);
  EXPECT_EQ(path_of(CELLPROOF_CUDA_PATH_AUTO), "persistent");
  ASSERT_EQ(setenv("CELLPROOF_CUDA_PATH", "sideways", 1), 0);
  EXPECT_THROW(path_of(CELLPROOF_CUDA_PATH_AUTO), std::runtime_error);
  ASSERT_EQ(unsetenv("CELLPROOF_CUDA_PATH"), 0);
  EXPECT_EQ(path_of(CELLPROOF_CUDA_PATH_AUTO), "single step");
}

TEST(CudaHostSingleStep, AnAbsentStateIsZeroEvenWhereRIsInfinite) {
  const Sample sample{.T = 1, .N = 1, .H = 4, .states = false};
  auto in = inputs_of<float>(sample, 5);
  in[CELLPROOF_R][0] = INFINITY;
  EXPECT_TRUE(
      std::isnan(Plan<float>(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_AUTO).run(in)[CELLPROOF_Y][0]));
}

/// The candidate's two sums are apart: what is infinite in one of them must not meet the zero of the other.
TEST(CudaHostSingleStep, AnInfiniteXOfAGruIsNoNan) {
  Sample sample = of_kind(kinds[2], {.N = 1, .I = 1, .H = 3, .bias = false, .states = false});
  auto in = inputs_of<float>(sample, 5);
  in[CELLPROOF_X][0] = INFINITY;
  in[CELLPROOF_W] = std::vector<float>(9, 1);
  const auto out = Plan<float>(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_AUTO).run(in);
  for (const float y : out[CELLPROOF_Y]) EXPECT_EQ(y, 0);  // z = 1
}

class CudaDeviceSingleStep : public OnDevice {};

TEST_F(CudaDeviceSingleStep, GivesTheEquations) {
  check_sizes(CELLPROOF_CUDA_DEVICE);
  check_lengths_layouts_and_options(CELLPROOF_CUDA_DEVICE);
}

}  // namespace
}  // namespace cellproof::cuda::testing
