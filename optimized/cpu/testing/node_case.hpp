#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/testing/bfloat16.hpp"
#include "optimized/node/testing/equations.hpp"

namespace cellproof::cpu::testing {

/// Recipe of a node and its data, in float, double or BFloat16.
struct Recipe {
  cellproof_operator op = CELLPROOF_LSTM;
  std::size_t T = 3, N = 2, I = 4, H = 5;
  const char* direction = "forward";
  bool batch_first = false;
  bool linear_before_reset = false;
  bool input_forget = false;
  bool with_bias = true, with_states = true, with_peepholes = false;
  double clip = -1;  ///< negative: none
  std::vector<int> lengths = {};
  bool constant_weights = true;
  bool constant_bias = true;  ///< where the weights are

  std::size_t D() const { return std::string(direction) == "bidirectional" ? 2 : 1; }
  std::size_t gates() const { return op == CELLPROOF_GRU ? 3 : op == CELLPROOF_RNN ? 1 : 4; }
};

/// The inputs of a recipe (empty: not given), and the outputs of a run.
template <class Real>
struct Data {
  std::vector<Real> X, W, R, B, initial_h, initial_c, P;
};
template <class Real>
struct Results {
  std::vector<Real> Y, Y_h, Y_c;
  friend bool operator==(const Results&, const Results&) = default;
};

/// Numbers in [-1, 1) that look random, another series for each seed.
template <class Real>
std::vector<Real> numbers(std::size_t count, std::uint64_t seed, double size = 1) {
  std::vector<Real> result(count);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15 + 1;
  for (Real& number : result) {
    state = state * 6364136223846793005 + 1442695040888963407;
    number = static_cast<Real>(size * (static_cast<double>(state >> 40) / (1 << 23) - 1));
  }
  return result;
}

template <class Real>
Data<Real> data_for(const Recipe& r, std::uint64_t seed) {
  const std::size_t rows = r.gates() * r.H, states = r.D() * r.N * r.H;
  const double size = 1 / std::sqrt(static_cast<double>(r.H));
  Data<Real> data{numbers<Real>(r.T * r.N * r.I, seed),
                  numbers<Real>(r.D() * rows * r.I, seed + 1, size),
                  numbers<Real>(r.D() * rows * r.H, seed + 2, size),
                  {},
                  {},
                  {},
                  {}};
  if (r.with_bias) data.B = numbers<Real>(r.D() * 2 * rows, seed + 3, size);
  if (r.with_states) data.initial_h = numbers<Real>(states, seed + 4);
  if (r.with_states && r.gates() == 4) data.initial_c = numbers<Real>(states, seed + 5);
  if (r.with_peepholes) data.P = numbers<Real>(r.D() * 3 * r.H, seed + 6);
  return data;
}

/// Computes a recipe with its data by the operators' equations, in double.
template <class Real>
node::testing::Results by_the_equations(const Recipe& r, const Data<Real>& data) {
  const auto size = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  const auto wide = [](const std::vector<Real>& values) { return std::vector<double>(values.begin(), values.end()); };
  return node::testing::by_the_equations({.op = r.op,
                                          .T = size(r.T),
                                          .N = size(r.N),
                                          .I = size(r.I),
                                          .H = size(r.H),
                                          .D = size(r.D()),
                                          .reverse = std::string(r.direction) == "reverse",
                                          .batch_first = r.batch_first,
                                          .linear_before_reset = r.linear_before_reset,
                                          .input_forget = r.input_forget,
                                          .clip = r.clip < 0 ? INFINITY : r.clip,
                                          .lengths = {r.lengths.begin(), r.lengths.end()},
                                          .X = wide(data.X),
                                          .W = wide(data.W),
                                          .R = wide(data.R),
                                          .B = wide(data.B),
                                          .P = wide(data.P),
                                          .h0 = wide(data.initial_h),
                                          .c0 = wide(data.initial_c)});
}

/// A prepared node. Throws std::runtime_error with the message where a status is not OK.
template <class Real>
class Prepared {
 public:
  Prepared(const Recipe& recipe, const Data<Real>& data, cellproof_cpu_options options)
      : recipe_(recipe), constant_(recipe.constant_weights) {
    const std::int64_t T = signed_(recipe.T), N = signed_(recipe.N), I = signed_(recipe.I), H = signed_(recipe.H);
    const std::int64_t D = signed_(recipe.D()), rows = signed_(recipe.gates()) * H;
    cellproof_node node{};
    node.op = recipe.op;
    node.direction = recipe.direction;
    node.has_clip = recipe.clip >= 0;
    node.clip = static_cast<float>(recipe.clip);
    node.input_forget = recipe.input_forget;
    node.linear_before_reset = recipe.linear_before_reset;
    node.layout = recipe.batch_first;
    const auto type = std::is_same_v<Real, BFloat16> ? CELLPROOF_BFLOAT16
                      : std::is_same_v<Real, float>  ? CELLPROOF_FLOAT
                                                     : CELLPROOF_DOUBLE;
    const auto weight = [&](const std::vector<Real>& values) { return constant_ ? values.data() : nullptr; };
    const auto state = [&](const std::vector<Real>& values) {
      const bool given = recipe.with_states && (!values.empty() || N == 0);
      if (!given) return cellproof_tensor{};
      return recipe.batch_first ? cellproof_tensor{type, 3, {N, D, H}, nullptr}
                                : cellproof_tensor{type, 3, {D, N, H}, nullptr};
    };
    node.inputs[CELLPROOF_X] = recipe.batch_first ? cellproof_tensor{type, 3, {N, T, I}, nullptr}
                                                  : cellproof_tensor{type, 3, {T, N, I}, nullptr};
    node.inputs[CELLPROOF_W] = {type, 3, {D, rows, I}, weight(data.W)};
    node.inputs[CELLPROOF_R] = {type, 3, {D, rows, H}, weight(data.R)};
    const Real* bias = recipe.constant_bias ? weight(data.B) : nullptr;
    if (recipe.with_bias) node.inputs[CELLPROOF_B] = {type, 2, {D, 2 * rows}, bias};
    if (!recipe.lengths.empty()) node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {N}, nullptr};
    node.inputs[CELLPROOF_INITIAL_H] = state(data.initial_h);
    if (recipe.gates() == 4) node.inputs[CELLPROOF_INITIAL_C] = state(data.initial_c);
    if (recipe.with_peepholes) node.inputs[CELLPROOF_P] = {type, 2, {D, 3 * H}, weight(data.P)};
    cellproof_cpu_plan* plan = nullptr;
    char message[256];
    if (cellproof_cpu_prepare(&node, &options, &plan, message, sizeof message) != CELLPROOF_OK)
      throw std::runtime_error(message);
    plan_.reset(plan);
  }

  /// Outputs come in buffers with a guard behind each, which must not change.
  Results<Real> run(const Data<Real>& data, bool with_y = true) const {
    const std::size_t states = recipe_.D() * recipe_.N * recipe_.H;
    const Real guard = 12345;
    Results<Real> results{std::vector<Real>(recipe_.T * states + guards, guard),
                          std::vector<Real>(states + guards, guard),
                          std::vector<Real>(recipe_.gates() == 4 ? states + guards : 0, guard)};
    const void* inputs[CELLPROOF_INPUTS] = {data.X.data(),         data.W.data(),          data.R.data(),
                                            data.B.data(),         recipe_.lengths.data(), data.initial_h.data(),
                                            data.initial_c.data(), data.P.data()};
    void* outputs[CELLPROOF_OUTPUTS] = {with_y ? results.Y.data() : nullptr, results.Y_h.data(),
                                        results.Y_c.empty() ? nullptr : results.Y_c.data()};
    char message[256];
    if (cellproof_cpu_run(plan_.get(), inputs, outputs, message, sizeof message) != CELLPROOF_OK)
      throw std::runtime_error(message);
    for (auto* output : {&results.Y, &results.Y_h, &results.Y_c}) {
      if (output->empty()) continue;
      for (std::size_t i = output->size() - guards; i < output->size(); ++i)
        if ((*output)[i] != guard) throw std::runtime_error("an output was written past its end");
      output->resize(output->size() - guards);
    }
    if (!with_y) results.Y.clear();
    return results;
  }
  std::string path() const { return cellproof_cpu_path_of(plan_.get()); }

 private:
  static constexpr std::size_t guards = 64;
  static std::int64_t signed_(std::size_t size) { return static_cast<std::int64_t>(size); }
  struct Release {
    void operator()(cellproof_cpu_plan* plan) const { cellproof_cpu_release(plan); }
  };
  Recipe recipe_;
  bool constant_;
  std::unique_ptr<cellproof_cpu_plan, Release> plan_;
};

}  // namespace cellproof::cpu::testing
