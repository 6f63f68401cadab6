// The plan on the host, and on a device where there is one, against the equations: at sizes around a warp's lanes and
// the rows that it serves, twice with one plan, step by step and persistent.
#include <gtest/gtest.h>

#include "optimized/cuda/testing/device.hpp"
#include "optimized/cuda/testing/sample.hpp"

namespace cellproof::cuda::testing {
namespace {

struct OperatorKind {
  cellproof_operator op;
  bool linear_before_reset;
};
constexpr OperatorKind operator_kinds[] = {
    {CELLPROOF_LSTM, false}, {CELLPROOF_GRU, false}, {CELLPROOF_GRU, true}, {CELLPROOF_RNN, false}};
constexpr cellproof_cuda_path both_paths[] = {CELLPROOF_CUDA_PATH_STEPS, CELLPROOF_CUDA_PATH_PERSISTENT};

Sample of_kind(const OperatorKind& kind, Sample sample = {}) {
  sample.op = kind.op;
  sample.linear_before_reset = kind.linear_before_reset;
  return sample;
}

/// Three runs of one plan, the last as the first: what a run leaves behind must not matter to the next. Other
/// addresses or lengths aside, a device replays the second and third from a recording.
template <class Real>
void expect_the_equations(const Sample& sample, cellproof_cuda_machine machine, cellproof_cuda_path path) {
  constexpr double tolerance = sizeof(Real) == sizeof(float) ? 4e-6 : 2e-14;
  const Inputs<Real> weights = inputs_of<Real>(sample, 5);  // constant ones stay while the plan does
  Plan<Real> plan(sample, weights, machine, path);
  for (const std::uint64_t run : {0, 1, 0}) {
    const Inputs<Real> in = inputs_of<Real>(sample, 5, run);
    const Outputs<Real> actual = plan.run(in);
    const Outputs<double> expected = by_the_equations(sample, in);
    for (std::size_t o = 0; o < actual.size(); ++o) {
      ASSERT_EQ(actual.at(o).size(), expected.at(o).size());
      for (std::size_t i = 0; i < actual.at(o).size(); ++i)
        ASSERT_NEAR(actual.at(o)[i], expected.at(o)[i], tolerance)
            << sample.text() << ", " << plan.path() << ", output " << o << ", element " << i;
    }
  }
}

void expect_the_equations_everywhere(const Sample& sample, cellproof_cuda_machine machine) {
  for (const cellproof_cuda_path path : both_paths) {
    expect_the_equations<float>(sample, machine, path);
    expect_the_equations<double>(sample, machine, path);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void check_sizes(cellproof_cuda_machine machine) {
  for (const OperatorKind& kind : operator_kinds)
    for (const std::int64_t H : {1, 3, 31, 32, 33})
      for (const std::int64_t N : {1, 4, 5})
        expect_the_equations_everywhere(of_kind(kind, {.T = 3, .N = N, .I = 3, .H = H}), machine);
  for (const std::int64_t I : {0, 1, 31, 32, 33})
    expect_the_equations_everywhere({.T = 2, .N = 3, .I = I, .H = 4}, machine);
}

void check_lengths_and_layouts(cellproof_cuda_machine machine) {
  for (const OperatorKind& kind : operator_kinds)
    for (const char* direction : {"forward", "reverse", "bidirectional"})
      for (const bool batch_first : {false, true})
        for (const std::vector<std::int32_t>& lengths :
             {std::vector<std::int32_t>{}, {4, 4}, {2, 4, 0}, {0, 0}, {1, 4, 2, 3, 0, 4, 1}, {3}}) {
          const auto N = lengths.empty() ? 6 : static_cast<std::int64_t>(lengths.size());
          expect_the_equations_everywhere(of_kind(kind, {.T = 4,
                                                         .N = N,
                                                         .I = 3,
                                                         .H = 7,
                                                         .direction = direction,
                                                         .batch_first = batch_first,
                                                         .lengths = lengths}),
                                          machine);
        }
}

void check_options(cellproof_cuda_machine machine) {
  for (const OperatorKind& kind : operator_kinds)
    for (int bits = 0; bits < 32; ++bits) {
      const bool lstm = kind.op == CELLPROOF_LSTM;
      expect_the_equations_everywhere(of_kind(kind, {.N = 3,
                                                     .direction = "bidirectional",
                                                     .input_forget = lstm && (bits & 1) != 0,
                                                     .bias = (bits & 2) != 0,
                                                     .states = (bits & 4) != 0,
                                                     .peepholes = lstm && (bits & 8) != 0,
                                                     .constant_weights = (bits & 16) != 0,
                                                     .clip = (bits & 1) != 0 ? 0.25 : INFINITY}),
                                      machine);
    }
}

void check_emptiness(cellproof_cuda_machine machine) {
  for (const OperatorKind& kind : operator_kinds)
    for (const auto& [T, N] : {std::pair{0, 3}, {4, 0}, {0, 0}})
      expect_the_equations_everywhere(of_kind(kind, {.T = T, .N = N, .direction = "bidirectional"}), machine);
}

void check_chunks(cellproof_cuda_machine machine) {
  // More steps than are computed ahead on the host, the last chunk a short one.
  for (const std::int64_t N : {2, 5})
    expect_the_equations_everywhere(
        {.T = 230, .N = N, .I = 2, .H = 20, .direction = "reverse", .clip = 2, .lengths = {}}, machine);
}

TEST(CudaHost, HidesNoTailOfASum) {
  check_sizes(CELLPROOF_CUDA_HOST);
}
TEST(CudaHost, TakesEveryDirectionLayoutAndLength) {
  check_lengths_and_layouts(CELLPROOF_CUDA_HOST);
}
TEST(CudaHost, TakesOptionalInputsAndAttributes) {
  check_options(CELLPROOF_CUDA_HOST);
}
TEST(CudaHost, TakesEmptySequencesAndBatches) {
  check_emptiness(CELLPROOF_CUDA_HOST);
}
TEST(CudaHost, TakesProductsAheadInChunks) {
  check_chunks(CELLPROOF_CUDA_HOST);
}

TEST(CudaHost, APersistentKernelGivesTheBitsOfTheSteps) {
  for (const OperatorKind& kind : operator_kinds)
    for (const std::int64_t H : {1, 2, 3, 4, 37})
      for (const std::vector<std::int32_t>& lengths : {std::vector<std::int32_t>{6, 1, 0, 4}, {6}}) {
        const Sample sample = of_kind(kind, {.T = 6,
                                             .N = static_cast<std::int64_t>(lengths.size()),
                                             .H = H,
                                             .direction = "bidirectional",
                                             .lengths = lengths});
        const auto in = inputs_of<float>(sample, 3);
        Plan<float> steps(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_STEPS);
        Plan<float> persistent(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_PERSISTENT);
        EXPECT_EQ(steps.path(), "steps");
        EXPECT_EQ(persistent.path(), "persistent");
        EXPECT_EQ(steps.run(in), persistent.run(in)) << sample.text();
      }
}

TEST(CudaHost, TwoPersistentDirectionsGiveTheSameBitsAtOnceAndOneAfterTheOther) {
  for (const std::int64_t H : {40, 160}) {  // of 160 units only one direction fits into the host's blocks
    const Sample both{.T = 3, .N = 2, .H = H, .direction = "bidirectional", .lengths = {3, 2}};
    const auto in = inputs_of<float>(both, 3);
    Plan<float> steps(both, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_STEPS);
    Plan<float> persistent(both, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_PERSISTENT);
    EXPECT_EQ(persistent.path(), H <= 100 ? "persistent" : "persistent with a barrier");
    EXPECT_EQ(steps.run(in), persistent.run(in)) << H;
  }
}

TEST(CudaHost, IsPersistentOnlyForAFewRowsWhoseWeightsFit) {
  const auto path_of = [](const Sample& sample) {
    const auto in = inputs_of<float>(sample, 1);
    return Plan<float>(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_AUTO).path();
  };
  EXPECT_EQ(path_of({.T = 2, .N = 4, .H = 8}), "persistent");
  EXPECT_EQ(path_of({.T = 2, .N = 5, .H = 8}), "steps");
  EXPECT_EQ(path_of({.T = 2, .N = 4, .H = 100}), "persistent");
  EXPECT_EQ(path_of({.T = 2, .N = 4, .H = 101}), "persistent with a barrier");
  EXPECT_EQ(path_of({.T = 2, .N = 1, .H = 207}), "persistent with a barrier");  // 4 * 69 * 207 floats
  EXPECT_EQ(path_of({.T = 2, .N = 1, .H = 208}), "steps");
}

TEST(CudaHost, DoesNotReadPadding) {
  const Sample sample{.T = 4, .N = 5, .direction = "bidirectional", .lengths = {4, 1, 0, 3, 2}};
  const auto in = inputs_of<float>(sample, 5);
  auto dirty = in;
  for (std::int64_t n = 0; n < sample.N; ++n)
    for (std::int64_t t = sample.length(n); t < sample.T; ++t)
      for (std::int64_t k = 0; k < sample.I; ++k)
        dirty[CELLPROOF_X][static_cast<std::size_t>(sample.in_x(t, n) + k)] = NAN;
  for (const cellproof_cuda_path path : both_paths) {
    Plan<float> plan(sample, in, CELLPROOF_CUDA_HOST, path);
    EXPECT_EQ(plan.run(dirty), plan.run(in));
  }
}

TEST(CudaHost, OutputsThatAreNotWantedChangeNothing) {
  const Sample sample{.T = 6, .N = 3, .H = 19, .lengths = {6, 1, 0}};
  const auto in = inputs_of<float>(sample, 5);
  for (const cellproof_cuda_path path : both_paths) {
    Plan<float> plan(sample, in, CELLPROOF_CUDA_HOST, path);
    const auto all = plan.run(in), without_y = plan.run(in, false);
    EXPECT_EQ(without_y[CELLPROOF_Y_H], all[CELLPROOF_Y_H]);
    EXPECT_EQ(without_y[CELLPROOF_Y_C], all[CELLPROOF_Y_C]);
  }
}

TEST(CudaHost, AnAbsentStateIsZeroEvenWhereRIsInfinite) {
  const Sample sample{.T = 1, .N = 1, .H = 4, .states = false};
  auto in = inputs_of<float>(sample, 5);
  in[CELLPROOF_R][0] = INFINITY;  // 0 * infinity: the first unit's input gate is NaN
  for (const cellproof_cuda_path path : both_paths)
    EXPECT_TRUE(std::isnan(Plan<float>(sample, in, CELLPROOF_CUDA_HOST, path).run(in)[CELLPROOF_Y][0]));
}

/// The same on a device.
class CudaDevice : public OnDevice {};

TEST_F(CudaDevice, HidesNoTailOfASum) {
  check_sizes(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDevice, TakesEveryDirectionLayoutAndLength) {
  check_lengths_and_layouts(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDevice, TakesOptionalInputsAndAttributes) {
  check_options(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDevice, TakesEmptySequencesAndBatches) {
  check_emptiness(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDevice, TakesProductsAheadInChunks) {
  check_chunks(CELLPROOF_CUDA_DEVICE);
}
TEST_F(CudaDevice, TakesSizesThatFillItAndGivesTheSameBitsAgain) {
  for (const OperatorKind& kind : operator_kinds)
    for (const std::int64_t N : {1, 4, 64})
      for (const cellproof_cuda_path path : both_paths) {
        const Sample sample = of_kind(kind, {.T = 8, .N = N, .I = 300, .H = 500, .direction = "bidirectional"});
        expect_the_equations<float>(sample, CELLPROOF_CUDA_DEVICE, path);
        const auto in = inputs_of<float>(sample, 3);
        Plan<float> plan(sample, in, CELLPROOF_CUDA_DEVICE, path);
        const auto first = plan.run(in);
        for (int again = 0; again < 3; ++again) EXPECT_EQ(plan.run(in), first) << sample.text();
      }
}

}  // namespace
}  // namespace cellproof::cuda::testing
