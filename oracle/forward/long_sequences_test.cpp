// Honest last states of long sequences. With CELLPROOF_LONG_SEQUENCES=1 those of real models' sizes are among them, for
// docs/measurements/without-y.md: each test writes the seconds it took as a property.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "oracle/testing/judging.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/values_of.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using Floats = std::vector<float>;

float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}

/// [rows] sums of a matrix's rows and a vector, and a bias.
Floats affine(const std::vector<double>& matrix, const Floats& v, const double* bias, std::size_t rows) {
  Floats sums(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0;
    for (std::size_t k = 0; k < v.size(); ++k) sum += static_cast<float>(matrix[r * v.size() + k]) * v[k];
    sums[r] = sum + static_cast<float>(bias[r]);
  }
  return sums;
}

/// An engine in float that takes little time: one row, default functions, GRU with linear_before_reset, no peepholes.
Outputs last_states(const Problem& problem) {
  const auto values = [&](std::size_t which) { return values_of(*problem.input(which)); };
  const std::vector<double> W = values(input::W), R = values(input::R), B = values(input::B), X = values(input::X),
                            first = values(input::initial_h);
  const bool is_lstm = problem.version.op == Operator::LSTM;
  const Layout f = layout_of(problem);
  const auto H = static_cast<std::size_t>(f.H), I = static_cast<std::size_t>(f.I);
  const std::size_t rows = (is_lstm ? 4 : 3) * H;
  Floats h(first.begin(), first.end()), c;
  if (is_lstm) {
    const std::vector<double> cells = values(input::initial_c);
    c.assign(cells.begin(), cells.end());
  }
  for (std::size_t t = 0; t < static_cast<std::size_t>(f.T); ++t) {
    const Floats x(X.begin() + static_cast<std::ptrdiff_t>(t * I),
                   X.begin() + static_cast<std::ptrdiff_t>((t + 1) * I));
    const Floats of_x = affine(W, x, B.data(), rows), of_h = affine(R, h, B.data() + rows, rows);
    for (std::size_t j = 0; j < H; ++j) {
      const auto sum = [&](std::size_t gate) { return of_x[gate * H + j] + of_h[gate * H + j]; };
      if (is_lstm) {
        c[j] = sigmoid(sum(2)) * c[j] + sigmoid(sum(0)) * std::tanh(sum(3));
        h[j] = sigmoid(sum(1)) * std::tanh(c[j]);
      } else {
        const float z = sigmoid(sum(0));
        h[j] = (1 - z) * std::tanh(of_x[2 * H + j] + sigmoid(sum(1)) * of_h[2 * H + j]) + z * h[j];
      }
    }
  }
  const auto tensor_of = [&](const Floats& state) {
    return Tensor::from_values(ElementType::Float, f.state_shape(), std::vector<double>(state.begin(), state.end()));
  };
  Outputs outputs{std::nullopt, tensor_of(h)};
  if (is_lstm) outputs.emplace_back(tensor_of(c));
  return outputs;
}

struct Long {
  Operator op;
  std::int64_t T;
  int H;
};
std::string name_of(const Long& size) {
  return fmt::format("{}_T{}_H{}", name(size.op), size.T, size.H);
}
void PrintTo(const Long& size, std::ostream* out) {
  *out << name_of(size);
}

class LongSequence : public ::testing::TestWithParam<Long> {};

TEST_P(LongSequence, Conforms) {
  const auto& [op, T, H] = GetParam();
  const Problem problem = testing::trained_like(op, T, H, 1);
  const Outputs honest = last_states(problem);
  const std::clock_t start = std::clock();
  const Judgement judgement = testing::judge(problem, honest, {Readings{}, ContractId::F32});
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(judgement.verdict, Verdict::Conforms) << sentence_of(judgement);
  RecordProperty("seconds", fmt::format("{:.2f}", seconds));
  RecordProperty("said", sentence_of(judgement));
}

std::vector<Long> sizes() {
  std::vector<Long> list{{Operator::LSTM, 40, 128}, {Operator::GRU, 40, 128}};
  if (!std::getenv("CELLPROOF_LONG_SEQUENCES")) return list;
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    list.push_back({op, 300, 256});
    list.push_back({op, 400, 512});
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Sizes, LongSequence, ::testing::ValuesIn(sizes()),
                         [](const auto& p) { return name_of(p.param); });

}  // namespace
}  // namespace cellproof::oracle
