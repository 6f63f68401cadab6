// A sequence gives the same bits alone and in a batch, at once and in parts, and with any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "optimized/cpu/testing/node_case.hpp"

namespace cellproof::cpu::testing {
namespace {

struct Form {
  const char* name;
  cellproof_operator op;
  bool linear_before_reset;
};
constexpr Form forms[] = {{"LSTM", CELLPROOF_LSTM, false},
                          {"GRU", CELLPROOF_GRU, false},
                          {"GRU, reset after the product", CELLPROOF_GRU, true},
                          {"RNN", CELLPROOF_RNN, false}};

/// OpenBLAS adds up in an order that depends on the sizes.
std::vector<cellproof_cpu_path> paths_of_our_own() {
  std::vector<cellproof_cpu_path> paths;
  for (const auto path : {CELLPROOF_CPU_PATH_AUTO, CELLPROOF_CPU_PATH_SCALAR, CELLPROOF_CPU_PATH_AVX2,
                          CELLPROOF_CPU_PATH_AVX512, CELLPROOF_CPU_PATH_AVX512_BF16, CELLPROOF_CPU_PATH_AMX})
    if (*cellproof_cpu_path_missing(path) == '\0') paths.push_back(path);
  return paths;
}

/// Elements of a tensor [outer, N, inner] that belong to rows [begin, end).
template <class Real>
std::vector<Real> of_rows(const std::vector<Real>& values, std::size_t outer, std::size_t N, std::size_t begin,
                          std::size_t end) {
  std::vector<Real> result;
  const std::size_t inner = values.size() / (outer * N);
  for (std::size_t i = 0; i < outer && inner > 0; ++i)
    result.insert(result.end(), values.begin() + static_cast<std::ptrdiff_t>((i * N + begin) * inner),
                  values.begin() + static_cast<std::ptrdiff_t>((i * N + end) * inner));
  return result;
}

template <class Real>
Results<Real> of_rows(const Recipe& r, const Results<Real>& results, std::size_t begin, std::size_t end) {
  return {of_rows(results.Y, r.T * r.D(), r.N, begin, end), of_rows(results.Y_h, r.D(), r.N, begin, end),
          of_rows(results.Y_c, r.D(), r.N, begin, end)};
}

std::string text(const Form& form, const Recipe& r, cellproof_cpu_path path, int threads) {
  return std::string(form.name) + ", N " + std::to_string(r.N) + ", H " + std::to_string(r.H) + ", path " +
         std::to_string(path) + ", threads " + std::to_string(threads);
}

/// The rows of each batch size from the front, computed by themselves.
template <class Real>
void expect_any_batch(const Form& form, const Recipe& whole) {
  const auto data = data_for<Real>(whole, 11);
  for (const auto path : paths_of_our_own()) {
    const auto expected = Prepared<Real>(whole, data, {path, 1}).run(data);
    for (const std::size_t N : {1, 2, 3, 4, 5, 7})
      for (const int threads : {1, 2}) {
        const std::size_t begin = whole.N - N;
        Recipe part = whole;
        part.N = N;
        part.lengths = of_rows(whole.lengths, 1, whole.N, begin, whole.N);
        auto of_part = data;
        of_part.X = of_rows(data.X, whole.T, whole.N, begin, whole.N);
        of_part.initial_h = of_rows(data.initial_h, whole.D(), whole.N, begin, whole.N);
        of_part.initial_c = of_rows(data.initial_c, whole.D(), whole.N, begin, whole.N);
        ASSERT_EQ(Prepared<Real>(part, of_part, {path, threads}).run(of_part), of_rows(whole, expected, begin, whole.N))
            << text(form, part, path, threads);
      }
  }
}

/// W and R are packed even where B comes with each run.
TEST(SameBits, WhateverBatchASequenceIsIn) {
  for (const Form& form : forms)
    for (const std::size_t H : {3, 16, 37, 130})
      for (const bool is_long : {false, true}) {
        Recipe recipe{.op = form.op,
                      .T = is_long ? 70U : 6U,  // more steps than are multiplied ahead, and fewer
                      .N = H == 37 ? 33U : 9U,  // many and few rows take other tiles
                      .I = 21,
                      .H = H,
                      .direction = H == 37 ? "bidirectional" : "forward",
                      .linear_before_reset = form.linear_before_reset,
                      .with_states = H != 16,
                      .constant_bias = H != 3};
        if (H == 130) recipe.lengths = {6, 5, 1, 6, 0, 2, 6, 4, 6};
        expect_any_batch<float>(form, recipe);
        expect_any_batch<BFloat16>(form, recipe);
        if (!is_long) expect_any_batch<double>(form, recipe);
      }
}

/// T steps at once, and the first `cut` and then the others from the states that those ended with.
template <class Real>
void expect_any_cut(const Form& form, const Recipe& whole, std::size_t cut) {
  const auto data = data_for<Real>(whole, 12);
  const std::size_t of_a_step = whole.N * whole.I;
  const auto middle_of_x = data.X.begin() + static_cast<std::ptrdiff_t>(cut * of_a_step);
  for (const auto path : paths_of_our_own())
    for (const int threads : {1, 2}) {
      const auto expected = Prepared<Real>(whole, data, {path, 1}).run(data);
      Recipe before = whole, after = whole;
      before.T = cut;
      after.T = whole.T - cut;
      after.with_states = true;
      auto of_before = data, of_after = data;
      of_before.X.assign(data.X.begin(), middle_of_x);
      of_after.X.assign(middle_of_x, data.X.end());
      auto results = Prepared<Real>(before, of_before, {path, threads}).run(of_before);
      of_after.initial_h = results.Y_h;
      of_after.initial_c = results.Y_c;
      const auto rest = Prepared<Real>(after, of_after, {path, threads}).run(of_after);
      results.Y.insert(results.Y.end(), rest.Y.begin(), rest.Y.end());
      ASSERT_EQ(results.Y, expected.Y) << text(form, whole, path, threads) << ", cut " << cut;
      ASSERT_EQ(rest.Y_h, expected.Y_h) << text(form, whole, path, threads) << ", cut " << cut;
      ASSERT_EQ(rest.Y_c, expected.Y_c) << text(form, whole, path, threads) << ", cut " << cut;
    }
}

TEST(SameBits, HoweverTheStepsAreCutIntoRuns) {
  for (const Form& form : forms)
    for (const std::size_t N : {1, 3, 9})
      for (const std::size_t H : {5, 37, 64})
        for (const std::size_t cut : {1, 4, 8}) {
          const Recipe recipe{.op = form.op,
                              .T = 9,
                              .N = N,
                              .I = 21,
                              .H = H,
                              .linear_before_reset = form.linear_before_reset,
                              .with_states = H != 37,
                              .constant_bias = H != 5};
          expect_any_cut<float>(form, recipe, cut);
          expect_any_cut<double>(form, recipe, cut);
        }
}

}  // namespace
}  // namespace cellproof::cpu::testing
