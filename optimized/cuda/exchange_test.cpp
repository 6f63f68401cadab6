// Exchange between blocks of a persistent kernel. On the host warps go on in another order with each run, as far ahead
// as the words allow, and the bits must be those of single steps. A fault in the exchange must be seen.
#include "optimized/cuda/exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "optimized/cuda/testing/sample.hpp"

namespace cellproof::cuda::testing {
namespace {

struct Kind {
  cellproof_operator op;
  bool linear_before_reset;
};
constexpr Kind kinds[] = {
    {CELLPROOF_LSTM, false}, {CELLPROOF_GRU, false}, {CELLPROOF_GRU, true}, {CELLPROOF_RNN, false}};

Sample sample_of(const Kind& kind, std::int64_t N, const std::string& direction) {
  // More steps than one kernel takes on the host.
  Sample sample{.op = kind.op, .T = 130, .N = N, .I = 3, .H = 11, .direction = direction};
  sample.linear_before_reset = kind.linear_before_reset;
  if (N == 3) sample.lengths = {130, 57, 1};
  return sample;
}

template <class Real>
void expect_the_bits_of_steps(const Sample& sample) {
  const auto in = inputs_of<Real>(sample, 3);
  const auto expected = Plan<Real>(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_STEPS).run(in);
  Plan<Real> exchanging(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_PERSISTENT);
  EXPECT_EQ(exchanging.path(), "persistent");
  for (int run = 0; run < 5; ++run) EXPECT_EQ(exchanging.run(in), expected) << run << ", " << sample.text();
  Plan<Real> waiting(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_BARRIER);
  EXPECT_EQ(waiting.path(), "persistent with a barrier");
  EXPECT_EQ(waiting.run(in), expected) << sample.text();
}

TEST(CudaExchange, GivesTheBitsOfStepsInEveryOrderOfBlocks) {
  for (const Kind& kind : kinds)
    for (const std::int64_t N : {1, 3, 4})
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        expect_the_bits_of_steps<float>(sample_of(kind, N, direction));
        expect_the_bits_of_steps<double>(sample_of(kind, N, direction));
      }
}

/// "" or how a plan with a fault in the exchange differs from the steps: by its outputs, or by not coming to an end.
std::string seen_of(const char* fault, const Kind& kind, std::int64_t T = 130) {
  Sample sample = sample_of(kind, 4, "bidirectional");
  sample.T = T;
  const auto weights = inputs_of<float>(sample, 3);
  Plan<float> steps(sample, weights, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_STEPS);
  setenv("CELLPROOF_CUDA_FAULTS", fault, 1);
  Plan<float> faulty(sample, weights, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_PERSISTENT);
  unsetenv("CELLPROOF_CUDA_FAULTS");
  try {
    for (std::uint64_t run = 0; run < 5; ++run) {
      const auto in = inputs_of<float>(sample, 3, run);
      if (faulty.run(in) != steps.run(in)) return "other outputs";
    }
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(CudaExchange, EveryFaultInItIsSeen) {
  for (const Kind& kind : kinds) {
    EXPECT_EQ(seen_of("", kind), "");
    for (const char* fault : {"any-moment", "one-gathering"})
      EXPECT_NE(seen_of(fault, kind), "") << fault << ", op " << kind.op;
    // Words that the last kernel left have the moment that is needed if that kernel was as short.
    EXPECT_NE(seen_of("not-cleared", kind, 2), "") << "op " << kind.op;
    // The reset gate's products come between two steps: before H is written, all have read it.
    const bool needs_two_halves = kind.op != CELLPROOF_GRU || kind.linear_before_reset;
    EXPECT_EQ(seen_of("one-half", kind).empty(), !needs_two_halves) << "op " << kind.op;
  }
  EXPECT_EQ(seen_of("one-half", kinds[3]), "the blocks of a persistent kernel wait for numbers that never come");
}

TEST(CudaExchange, CanBeDoneWithoutByTheEnvironment) {
  const Sample sample = sample_of(kinds[0], 2, "forward");
  const auto in = inputs_of<float>(sample, 3);
  const auto path_by = [&](const char* name) {
    setenv("CELLPROOF_CUDA_PATH", name, 1);
    try {
      std::string path = Plan<float>(sample, in, CELLPROOF_CUDA_HOST, CELLPROOF_CUDA_PATH_AUTO).path();
      unsetenv("CELLPROOF_CUDA_PATH");
      return path;
    } catch (const std::runtime_error& error) {
      unsetenv("CELLPROOF_CUDA_PATH");
      return std::string(error.what());
    }
  };
  EXPECT_EQ(path_by("barrier"), "persistent with a barrier");
  EXPECT_EQ(path_by("persistent"), "persistent");
  EXPECT_EQ(path_by("steps"), "steps");
  EXPECT_EQ(path_by("sideways"), "CELLPROOF_CUDA_PATH is 'sideways', expected steps, persistent or barrier");
}

TEST(CudaExchange, KeepsTheBitsOfANumberAndItsMoment) {
  for (const double value : {0.0, -0.0, 1.5, -1e-310, double{INFINITY}}) {
    const auto wide = Flagged<double>::of(value, 7);
    EXPECT_TRUE(wide.is_of(7));
    EXPECT_FALSE(wide.is_of(6));
    EXPECT_EQ(std::signbit(wide.value()), std::signbit(value));
    EXPECT_EQ(wide.value(), value);
    EXPECT_EQ(Flagged<float>::of(static_cast<float>(value), 7).value(), static_cast<float>(value));
  }
  EXPECT_TRUE(std::isnan(Flagged<float>::of(NAN, 1).value()));
  // A word of each half of a double may come before the other.
  auto torn = Flagged<double>::of(1, 3);
  torn.word[1] = Flagged<double>::of(1, 2).word[1];
  EXPECT_FALSE(torn.is_of(3));
  EXPECT_FALSE(torn.is_of(2));
}

}  // namespace
}  // namespace cellproof::cuda::testing
