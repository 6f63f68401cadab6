#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {
namespace {

using Numbers = std::vector<double>;

constexpr std::int64_t gates = 4;

/// Room for every float rounding of both runs, as a share of the terms that are added: sums have fewer than a hundred.
constexpr double of_rounding = 1e-4;

/// A parameter per direction or per column of it.
double parameter(const Tensor& tensor, std::int64_t d, std::int64_t column) {
  return tensor.rank() == 1 ? tensor.value({d}) : tensor.value({d, column});
}

/// (stored - zero point) * scale of [D, K, 4H], as LSTM has it: [D, 4H, K].
Tensor dequantised(const Tensor& stored, const Tensor& scale, const Tensor& zero_point) {
  const std::int64_t D = stored.shape()[0], K = stored.shape()[1], columns = stored.shape()[2];
  Tensor weights(ElementType::Float, {D, columns, K});
  for (std::int64_t d = 0; d < D; ++d) {
    for (std::int64_t column = 0; column < columns; ++column) {
      for (std::int64_t k = 0; k < K; ++k) {
        const double value = stored.value({d, k, column}) - parameter(zero_point, d, column);
        weights.set_value({d, column, k}, value * parameter(scale, d, column));
      }
    }
  }
  return weights;
}

/// NaN or infinite where an element is.
double largest(const Tensor* tensor) {
  double most = 0;
  for (std::size_t k = 0; tensor != nullptr && k < tensor->size(); ++k) {
    const double magnitude = std::abs(tensor->value(k));
    if (!std::isfinite(magnitude)) return magnitude;
    most = std::max(most, magnitude);
  }
  return most;
}

/// Distances that the states of the two runs can have, step by step. Quantisation moves a number by no more than one
/// step of its range, be that the batch's, the block's or one row's; sigmoid and tanh pass on a quarter and the whole
/// of what reaches them.
class Distances {
 public:
  Distances(const Node& lstm, std::int64_t d)
      : lstm_(lstm), d_(d), h_(static_cast<std::size_t>(lstm.sizes().H)), c_(h_) {
    const Tensor& X = lstm.input(input::X);
    double low = 0, high = 0;
    for (std::size_t k = 0; k < X.size(); ++k) {
      low = std::min(low, X.value(k));
      high = std::max(high, X.value(k));
    }
    largest_x_ = std::max(-low, high);
    step_of_x_ = (high - low) / 255;
    largest_h_ = std::max(1.0, largest(optional(input::initial_h)));
    step_of_h_ = 2 * largest_h_ / 255;
    largest_c_ = largest(optional(input::initial_c));
  }

  const Numbers& h() const { return h_; }
  const Numbers& c() const { return c_; }

  void advance() {
    Numbers h, c;
    for (std::int64_t j = 0; j < lstm_.sizes().H; ++j) {
      const double before = c_[static_cast<std::size_t>(j)];
      const double i = std::min(1.0, of_gate(gate_i, j, before) / 4), f = std::min(1.0, of_gate(gate_f, j, before) / 4);
      const double g = std::min(2.0, of_gate(gate_c, j, 0));
      c.push_back(before + largest_c_ * f + g + i + of_rounding * (largest_c_ + 1));
      h.push_back(std::min(2.0, std::min(1.0, of_gate(gate_o, j, c.back()) / 4) + c.back() + of_rounding));
    }
    largest_c_ += 1;
    h_ = std::move(h);
    c_ = std::move(c);
  }

 private:
  const Tensor* optional(std::size_t position) const { return lstm_.problem().input(position); }

  /// The distance of a pre-activation, where the cell that it looks at may be so far off.
  double of_gate(std::int64_t gate, std::int64_t j, double cell) const {
    const auto [T, N, I, H, D] = lstm_.sizes();
    const std::int64_t row = gate * H + j;
    double distance = of_rounding;
    for (std::int64_t k = 0; k < I; ++k)
      distance += std::abs(lstm_.input(input::W).value({d_, row, k})) * (step_of_x_ + of_rounding * largest_x_);
    for (std::int64_t k = 0; k < H; ++k) {
      distance += std::abs(lstm_.input(input::R).value({d_, row, k})) *
                  (step_of_h_ + h_[static_cast<std::size_t>(k)] + of_rounding * largest_h_);
    }
    if (const Tensor* B = optional(input::B))
      distance += of_rounding * (std::abs(B->value({d_, row})) + std::abs(B->value({d_, gates * H + row})));
    const Tensor* P = optional(input::P);
    if (P != nullptr && gate != gate_c)
      distance += std::abs(P->value({d_, row})) * (cell + of_rounding * (largest_c_ + 1));
    return distance;
  }

  const Node& lstm_;
  std::int64_t d_;
  Numbers h_, c_;  ///< [H], after the steps so far
  double largest_x_ = 0, step_of_x_ = 0, largest_h_ = 0, step_of_h_ = 0, largest_c_ = 0;
};

bool is_plain(const Problem& problem) {
  const Attributes& attributes = problem.attributes;
  return problem.version.op == Operator::DynamicQuantizeLSTM && !attributes.activations && !attributes.clip &&
         attributes.input_forget.value_or(0) == 0;
}

/// LSTM-14 with the weights that the integers stand for.
Problem dequantised(const Node& quantised) {
  Problem plain = quantised.problem();
  plain.version = {Operator::LSTM, 14};
  for (const auto& [weights, scale, zero_point] : {std::tuple(input::W, input::W_scale, input::W_zero_point),
                                                   std::tuple(input::R, input::R_scale, input::R_zero_point)}) {
    plain.inputs[weights].tensor =
        dequantised(quantised.input(weights), quantised.input(scale), quantised.input(zero_point));
  }
  plain.inputs.resize(input_names(Operator::LSTM).size());
  return plain;
}

bool is_finite(const Problem& problem) {
  return std::ranges::all_of(problem.inputs,
                             [](const Input& in) { return !in.tensor || std::isfinite(largest(&*in.tensor)); });
}

/// Every element of every output that is asked for, with the distance that it can have between the two runs.
std::vector<Equation> equations_of(const Node& lstm) {
  std::vector<Equation> equations;
  const auto equate = [&](std::size_t output, std::size_t element, double slack) {
    if (lstm.problem().asks_for(output)) equations.push_back({{0, output, element}, {1, output, element}, 1, slack});
  };
  const std::vector<std::int64_t> lengths = lstm.lengths();
  const auto [T, N, I, H, D] = lstm.sizes();
  for (std::int64_t d = 0; d < D; ++d) {
    const bool reverse = d == 1 || lstm.direction() == Direction::Reverse;
    Distances distances(lstm, d);
    for (std::int64_t step = 0; step < T; ++step) {
      distances.advance();
      for (std::int64_t n = 0; n < N; ++n) {
        const std::int64_t length = lengths[static_cast<std::size_t>(n)];
        if (step >= length) continue;
        for (std::int64_t j = 0; j < H; ++j) {
          const double h = distances.h()[static_cast<std::size_t>(j)], c = distances.c()[static_cast<std::size_t>(j)];
          equate(output::Y, lstm.y_at({reverse ? length - 1 - step : step, d, n, j}), h);
          if (step + 1 < length) continue;
          equate(output::Y_h, lstm.state_at(d, n, j), h);
          equate(output::Y_c, lstm.state_at(d, n, j), c);
        }
      }
    }
  }
  return equations;
}

/// DynamicQuantizeLSTM of the default functions without clip, and LSTM-14 with the weights that the integers stand for:
/// as far apart as the steps of the quantisation can bring them.
std::optional<Experiment> quantised_dequantised(const Problem& problem) {
  if (!is_plain(problem)) return std::nullopt;
  const Problem plain = dequantised(Node(problem));
  if (!is_finite(plain)) return std::nullopt;
  Experiment experiment;
  experiment.problems = {written(problem), written(plain)};
  experiment.equations = equations_of(Node(plain));
  experiment.slack_is_all = true;
  return experiment;
}

}  // namespace

std::span<const Law> quantised_laws() {
  static const std::vector<Law> list = {
      {"quantised-dequantised",
       "integer weights give what the numbers give that they stand for, up to quantisation",
       quantised_dequantised,
       true,
       {Clause::DqZeroPoint}},
  };
  return list;
}

}  // namespace cellproof::fuzz
