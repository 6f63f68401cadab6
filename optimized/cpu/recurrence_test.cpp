// Every path against the equations, at sizes around the vectors' and the tiles', and against itself: run twice, in
// other orders, by several threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <type_traits>

#include "optimized/cpu/testing/node_case.hpp"

namespace cellproof::cpu::testing {
namespace {

constexpr cellproof_cpu_path all_paths[] = {CELLPROOF_CPU_PATH_SCALAR, CELLPROOF_CPU_PATH_AVX2,
                                            CELLPROOF_CPU_PATH_AVX512, CELLPROOF_CPU_PATH_OPENBLAS};

/// The paths that this machine has.
std::vector<cellproof_cpu_path> paths() {
  std::vector<cellproof_cpu_path> result;
  for (const auto path : all_paths)
    if (std::string(cellproof_cpu_path_missing(path)).empty()) result.push_back(path);
  return result;
}

/// The same, and those that differ for bfloat16 only.
std::vector<cellproof_cpu_path> paths_of_bfloat16() {
  std::vector<cellproof_cpu_path> result = paths();
  for (const auto path : {CELLPROOF_CPU_PATH_AVX512_BF16, CELLPROOF_CPU_PATH_AMX})
    if (*cellproof_cpu_path_missing(path) == '\0') result.push_back(path);
  return result;
}

struct Kind {
  const char* name;
  cellproof_operator op;
  bool linear_before_reset;
};
constexpr Kind kinds[] = {{"LSTM", CELLPROOF_LSTM, false},
                          {"GRU", CELLPROOF_GRU, false},
                          {"GRU, linear before reset", CELLPROOF_GRU, true},
                          {"RNN", CELLPROOF_RNN, false}};

std::string text_of(const Recipe& r, int path) {
  return "path " + std::to_string(path) + " op " + std::to_string(r.op) + " T" + std::to_string(r.T) + " N" +
         std::to_string(r.N) + " I" + std::to_string(r.I) + " H" + std::to_string(r.H) + " " + r.direction;
}

template <class Real>
void expect_near(const std::vector<Real>& actual, const std::vector<double>& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) ASSERT_NEAR(actual[i], expected[i], tolerance) << what << ", " << i;
}

/// Two runs of one plan with other data each: what the first leaves behind must not matter to the second.
template <class Real>
void expect_the_equations(const Recipe& recipe, double tolerance) {
  const auto weights = data_for<Real>(recipe, 7);
  std::vector<Data<Real>> data{data_for<Real>(recipe, 100), weights};
  for (auto member : {&Data<Real>::W, &Data<Real>::R, &Data<Real>::B, &Data<Real>::P})
    data[0].*member = weights.*member;
  const node::testing::Results expected[] = {by_the_equations(recipe, data[0]), by_the_equations(recipe, data[1])};
  for (const auto path : std::is_same_v<Real, BFloat16> ? paths_of_bfloat16() : paths()) {
    const Prepared<Real> node(recipe, weights, {path, 1});
    for (const std::size_t run : {0, 1}) {
      const auto actual = node.run(data[run]);
      const std::string what = text_of(recipe, path);
      expect_near(actual.Y, expected[run].Y, tolerance, what + " Y");
      expect_near(actual.Y_h, expected[run].Y_h, tolerance, what + " Y_h");
      expect_near(actual.Y_c, expected[run].Y_c, tolerance, what + " Y_c");
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

constexpr double of_float = 3e-6, of_double = 1e-14, of_bfloat16 = 2e-2;

TEST(Recurrence, HidesNoTailOfAVector) {
  for (const Kind& kind : kinds)
    for (const std::size_t H : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 47, 64, 65})
      for (const std::size_t N : {1, 5}) {
        const Recipe recipe{
            .op = kind.op, .T = 3, .N = N, .I = 3, .H = H, .linear_before_reset = kind.linear_before_reset};
        expect_the_equations<float>(recipe, of_float);
        expect_the_equations<BFloat16>(recipe, of_bfloat16);
        expect_the_equations<double>(recipe, of_double);
      }
}

TEST(Recurrence, TakesEveryNumberOfRowsAndSteps) {
  for (const Kind& kind : kinds)
    for (const std::size_t N : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 18, 37, 70, 131})
      for (const std::size_t T : {1, 2, 4, 9})
        expect_the_equations<float>(
            {.op = kind.op, .T = T, .N = N, .I = 2, .H = 18, .linear_before_reset = kind.linear_before_reset},
            of_float);
}

TEST(Recurrence, TakesEveryDirectionLayoutAndLength) {
  for (const Kind& kind : kinds)
    for (const char* direction : {"forward", "reverse", "bidirectional"})
      for (const bool batch_first : {false, true})
        for (const std::vector<int>& lengths :
             {std::vector<int>{}, {5, 5, 5}, {2, 5, 0}, {0, 0, 0}, {1, 4, 2, 5, 3, 0, 5}, {3}}) {
          const std::size_t N = lengths.empty() ? 6 : lengths.size();
          const Recipe recipe{.op = kind.op,
                              .T = 5,
                              .N = N,
                              .I = 3,
                              .H = 20,
                              .direction = direction,
                              .batch_first = batch_first,
                              .linear_before_reset = kind.linear_before_reset,
                              .lengths = lengths};
          expect_the_equations<float>(recipe, of_float);
          expect_the_equations<BFloat16>(recipe, of_bfloat16);
          expect_the_equations<double>(recipe, of_double);
        }
}

TEST(Recurrence, TakesOptionalInputsAndAttributes) {
  for (const Kind& kind : kinds)
    for (int bits = 0; bits < 32; ++bits)
      for (const std::size_t N : {2, 5}) {
        const bool lstm = kind.op == CELLPROOF_LSTM;
        const Recipe recipe{.op = kind.op,
                            .T = 4,
                            .N = N,
                            .I = 3,
                            .H = 17,
                            .linear_before_reset = kind.linear_before_reset,
                            .input_forget = lstm && (bits & 1) != 0,
                            .with_bias = (bits & 2) != 0,
                            .with_states = (bits & 4) != 0,
                            .with_peepholes = lstm && (bits & 8) != 0,
                            .clip = (bits & 1) != 0 ? 0.25 : -1,
                            .constant_weights = (bits & 16) != 0};
        expect_the_equations<float>(recipe, of_float);
      }
}

TEST(Recurrence, TakesEmptySequencesAndBatches) {
  for (const Kind& kind : kinds)
    for (const auto& [T, N] : {std::pair{0, 3}, {0, 5}, {4, 0}, {0, 0}}) {
      expect_the_equations<float>({.op = kind.op,
                                   .T = static_cast<std::size_t>(T),
                                   .N = static_cast<std::size_t>(N),
                                   .H = 9,
                                   .direction = "bidirectional",
                                   .linear_before_reset = kind.linear_before_reset},
                                  of_float);
    }
}

TEST(Recurrence, TakesAChunkedAheadProduct) {
  // These steps need more than what is computed ahead at once, so that the last chunk is a short one.
  expect_the_equations<float>({.T = 640, .N = 2, .I = 1, .H = 64, .direction = "reverse", .lengths = {640, 571}}, 1e-5);
}

TEST(Recurrence, TakesWeightsOfManyPanels) {
  // One row, and more weights than a panel of few rows has: the last panel is a short one.
  for (const Kind& kind : kinds)
    expect_the_equations<double>(
        {.op = kind.op, .T = 5, .N = 1, .I = 2, .H = 267, .linear_before_reset = kind.linear_before_reset}, 1e-12);
}

TEST(Recurrence, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Kind& kind : kinds)
    for (const char* direction : {"forward", "bidirectional"})
      for (const std::size_t N : {1, 3, 9}) {
        std::vector<int> lengths;
        for (std::size_t n = 0; n < N; ++n) lengths.push_back(static_cast<int>(12 - n));
        const Recipe recipe{.op = kind.op,
                            .T = 12,
                            .N = N,
                            .I = 40,
                            .H = 146,  // three rows of RNN are worth a meeting of threads
                            .direction = direction,
                            .linear_before_reset = kind.linear_before_reset,
                            .lengths = lengths};
        const auto data = data_for<float>(recipe, 3);
        for (const auto path : paths()) {
          const auto alone = Prepared<float>(recipe, data, {path, 1}).run(data);
          for (const int threads : {2, 3}) {
            const Prepared<float> node(recipe, data, {path, threads});
            for (int run = 0; run < 3; ++run)
              ASSERT_EQ(node.run(data), alone) << kind.name << ", " << text_of(recipe, path) << ", " << threads;
          }
        }
      }
}

TEST(Recurrence, GivesTheSameBitsWhereThreadsShareTheUnitsOfAGreatBatch) {
  for (const Kind& kind : kinds)
    for (const std::size_t N : {4, 13}) {
      std::vector<int> lengths;
      for (std::size_t n = 0; n < N; ++n) lengths.push_back(static_cast<int>(n * 2 % 9));
      const Recipe recipe{.op = kind.op,
                          .T = 9,
                          .N = N,
                          .I = 70,
                          .H = kind.op == CELLPROOF_RNN ? 560U : 300U,  // weights of more than 1 MiB
                          .direction = "reverse",
                          .linear_before_reset = kind.linear_before_reset,
                          .lengths = lengths};
      const auto data = data_for<float>(recipe, 3);
      for (const auto path : paths())
        ASSERT_EQ(Prepared<float>(recipe, data, {path, 2}).run(data),
                  Prepared<float>(recipe, data, {path, 1}).run(data))
            << kind.name << ", " << text_of(recipe, path);
    }
}

TEST(Recurrence, GivesTheSameBitsWhereTwoThreadsShareBothDirections) {
  // R of a direction is more than 2 MiB.
  const Recipe recipe{.T = 4, .N = 2, .I = 5, .H = 390, .direction = "bidirectional", .lengths = {4, 3}};
  const auto data = data_for<float>(recipe, 3);
  for (const auto path : paths())
    ASSERT_EQ(Prepared<float>(recipe, data, {path, 2}).run(data), Prepared<float>(recipe, data, {path, 1}).run(data))
        << text_of(recipe, path);
}

TEST(Recurrence, DoesNotReadPadding) {
  const Recipe recipe{.T = 4, .N = 5, .direction = "bidirectional", .lengths = {4, 1, 0, 3, 2}};
  auto data = data_for<float>(recipe, 5);
  for (const auto path : paths()) {
    const Prepared<float> node(recipe, data, {path, 1});
    const auto clean = node.run(data);
    auto dirty = data;
    for (std::size_t t = 0; t < recipe.T; ++t)
      for (std::size_t n = 0; n < recipe.N; ++n)
        for (std::size_t k = 0; t >= static_cast<std::size_t>(recipe.lengths[n]) && k < recipe.I; ++k)
          dirty.X[(t * recipe.N + n) * recipe.I + k] = std::nanf("");
    EXPECT_EQ(node.run(dirty), clean);
  }
}

TEST(Recurrence, AnAbsentStateIsZeroEvenWhereRIsInfinite) {
  const Recipe recipe{.T = 1, .N = 1, .H = 4, .with_states = false};
  auto data = data_for<float>(recipe, 5);
  data.R[0] = INFINITY;  // 0 * infinity: the first unit's input gate is NaN
  for (const auto path : paths()) EXPECT_TRUE(std::isnan(Prepared<float>(recipe, data, {path, 1}).run(data).Y[0]));
}

TEST(Recurrence, NeedsNoMoreOfRAtRunTimeThanTheStepsDo) {
  for (const Kind& kind : kinds) {
    Recipe recipe{.op = kind.op,
                  .T = 3,
                  .N = 2,
                  .H = 21,
                  .direction = "bidirectional",
                  .linear_before_reset = kind.linear_before_reset,
                  .with_states = false,
                  .constant_weights = false};
    for (const std::vector<int>& lengths : {std::vector{1, 1}, {0, 1}, {2, 1}, {0, 0}}) {
      recipe.lengths = lengths;
      expect_the_equations<float>(recipe, of_float);
      recipe.with_states = !recipe.with_states;
    }
    recipe.lengths = {1, 1}, recipe.with_states = false;
    auto data = data_for<float>(recipe, 5);
    data.R.back() = INFINITY;  // of the backward direction's last unit
    for (const auto path : paths()) {
      const auto Y = Prepared<float>(recipe, data, {path, 1}).run(data).Y;
      EXPECT_TRUE(std::ranges::any_of(Y, [](float y) { return std::isnan(y); })) << text_of(recipe, path);
    }
  }
}

TEST(Recurrence, MultipliesFewStepsByWeightsWhereTheyAre) {
  for (const Kind& kind : kinds)
    for (const auto& [T, N] : {std::pair{1, 1}, {3, 1}, {1, 3}, {1, 4}})  // the last ones are packed
      for (const std::size_t H : {1, 5, 8, 15, 16, 17, 33, 67})
        for (const bool with_states : {false, true}) {
          const Recipe recipe{.op = kind.op,
                              .T = static_cast<std::size_t>(T),
                              .N = static_cast<std::size_t>(N),
                              .I = H % 7 + 30,
                              .H = H,
                              .direction = "bidirectional",
                              .linear_before_reset = kind.linear_before_reset,
                              .with_bias = H % 2 == 0,
                              .with_states = with_states,
                              .constant_weights = false};
          expect_the_equations<float>(recipe, of_float);
          expect_the_equations<double>(recipe, of_double);
        }
}

TEST(Recurrence, GivesTheSameBitsForAnyNumberOfThreadsByWeightsWhereTheyAre) {
  for (const Kind& kind : kinds) {
    const Recipe recipe{.op = kind.op,
                        .T = 2,
                        .N = 3,
                        .I = 40,
                        .H = kind.op == CELLPROOF_RNN ? 560U : 300U,  // so large that six products do not pack it
                        .linear_before_reset = kind.linear_before_reset,
                        .constant_weights = false};
    const auto data = data_for<float>(recipe, 3);
    for (const auto path : paths()) {
      const auto alone = Prepared<float>(recipe, data, {path, 1}).run(data);
      for (const int threads : {2, 3})
        ASSERT_EQ(Prepared<float>(recipe, data, {path, threads}).run(data), alone) << text_of(recipe, path);
    }
    expect_the_equations<double>(recipe, 1e-12);
  }
}

TEST(Recurrence, OutputsThatAreNotWantedChangeNothing) {
  const Recipe recipe{.T = 6, .N = 5, .H = 19, .lengths = {6, 1, 0, 3, 2}};
  const auto data = data_for<float>(recipe, 5);
  for (const auto path : paths()) {
    const Prepared<float> node(recipe, data, {path, 1});
    EXPECT_EQ(node.run(data, false).Y_h, node.run(data).Y_h);
    EXPECT_EQ(node.run(data, false).Y_c, node.run(data).Y_c);
  }
}

}  // namespace
}  // namespace cellproof::cpu::testing
