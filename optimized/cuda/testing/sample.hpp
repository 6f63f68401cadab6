#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cuda/cellproof_cuda.h"
#include "optimized/cuda/elements.hpp"
#include "optimized/node/testing/equations.hpp"

namespace cellproof::cuda::testing {

/// Recipe of a node.
struct Sample {
  cellproof_operator op = CELLPROOF_LSTM;
  std::int64_t T = 3, N = 2, I = 4, H = 5;
  std::string direction = "forward";
  bool batch_first = false, linear_before_reset = false, input_forget = false;
  bool bias = true, states = true, peepholes = false, constant_weights = true;
  double clip = INFINITY;
  std::vector<std::int32_t> lengths = {};  ///< empty: not given

  std::int64_t D() const { return direction == "bidirectional" ? 2 : 1; }
  std::int64_t G() const { return op == CELLPROOF_GRU ? 3 : op == CELLPROOF_RNN ? 1 : 4; }
  bool is_lstm() const { return op == CELLPROOF_LSTM; }
  std::int64_t length(std::int64_t n) const { return lengths.empty() ? T : lengths[static_cast<std::size_t>(n)]; }
  std::int64_t in_x(std::int64_t t, std::int64_t n) const { return (batch_first ? n * T + t : t * N + n) * I; }
  std::string text() const {
    return "op " + std::to_string(op) + " T" + std::to_string(T) + " N" + std::to_string(N) + " I" + std::to_string(I) +
           " H" + std::to_string(H) + " " + direction;
  }
};

/// Data by input; empty: not given.
template <class Real>
using Inputs = std::array<std::vector<Real>, CELLPROOF_W_SCALE>;
template <class Real>
using Outputs = std::array<std::vector<Real>, CELLPROOF_OUTPUTS>;

/// Numbers in [-size, size) from a multiplicative generator.
template <class Real>
std::vector<Real> noise(std::int64_t count, std::uint64_t seed, double size) {
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(count));
  std::uint64_t state = seed * 2862933555777941757u + 3037000493u;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 3202034522624059733u + 1;
    values.push_back(static_cast<Real>(size * (static_cast<double>(state >> 43) / (1 << 20) - 1)));
  }
  return values;
}

/// Weights depend on `seed` alone, everything else on `run`, too.
template <class Real>
Inputs<Real> inputs_of(const Sample& s, std::uint64_t seed, std::uint64_t run = 0) {
  const std::int64_t rows = s.D() * s.G() * s.H, states = s.D() * s.N * s.H;
  const double size = 1 / std::sqrt(static_cast<double>(s.H));
  Inputs<Real> in;
  in[CELLPROOF_X] = noise<Real>(s.T * s.N * s.I, seed + 10 + run, 1);
  in[CELLPROOF_W] = noise<Real>(rows * s.I, seed + 1, size);
  in[CELLPROOF_R] = noise<Real>(rows * s.H, seed + 2, size);
  if (s.bias) in[CELLPROOF_B] = noise<Real>(2 * rows, seed + 3, size);
  if (s.states) in[CELLPROOF_INITIAL_H] = noise<Real>(states, seed + 20 + run, 1);
  if (s.states && s.is_lstm()) in[CELLPROOF_INITIAL_C] = noise<Real>(states, seed + 30 + run, 1);
  if (s.peepholes) in[CELLPROOF_P] = noise<Real>(3 * s.D() * s.H, seed + 4, 1);
  return in;
}

/// The same numbers as they are stored in 16 bits.
inline Inputs<std::uint16_t> words_of(const Inputs<float>& in, Storage storage) {
  Inputs<std::uint16_t> words;
  for (std::size_t i = 0; i < in.size(); ++i) {
    words.at(i).resize(in.at(i).size());
    for (std::size_t e = 0; e < in.at(i).size(); ++e)
      store(storage, words.at(i).data(), static_cast<Index>(e), in.at(i)[e]);
  }
  return words;
}

template <class Real>
constexpr cellproof_type type_of() {
  return sizeof(Real) == sizeof(double)  ? CELLPROOF_DOUBLE
         : sizeof(Real) == sizeof(float) ? CELLPROOF_FLOAT
                                         : CELLPROOF_FLOAT16;
}

/// A plan of a sample in float, double, or, of std::uint16_t, a type of 16 bits. Throws std::runtime_error with the
/// message where a status is not OK.
template <class Real>
class Plan {
 public:
  Plan(const Sample& sample, const Inputs<Real>& in, cellproof_cuda_machine machine, cellproof_cuda_path path,
       cellproof_type type = type_of<Real>())
      : sample_(sample) {
    cellproof_node node{};
    node.op = sample.op;
    node.direction = sample_.direction.c_str();
    node.has_clip = !std::isinf(sample.clip);
    node.clip = node.has_clip ? static_cast<float>(sample.clip) : 0;
    node.input_forget = sample.input_forget;
    node.linear_before_reset = sample.linear_before_reset;
    node.layout = sample.batch_first;
    const std::int64_t T = sample.T, N = sample.N, D = sample.D(), rows = sample.G() * sample.H, H = sample.H;
    const auto constant = [&](std::size_t i) { return sample.constant_weights ? in.at(i).data() : nullptr; };
    const cellproof_tensor state = sample.batch_first ? cellproof_tensor{type, 3, {N, D, H}, nullptr}
                                                      : cellproof_tensor{type, 3, {D, N, H}, nullptr};
    node.inputs[CELLPROOF_X] = sample.batch_first ? cellproof_tensor{type, 3, {N, T, sample.I}, nullptr}
                                                  : cellproof_tensor{type, 3, {T, N, sample.I}, nullptr};
    node.inputs[CELLPROOF_W] = {type, 3, {D, rows, sample.I}, constant(CELLPROOF_W)};
    node.inputs[CELLPROOF_R] = {type, 3, {D, rows, H}, constant(CELLPROOF_R)};
    if (sample.bias) node.inputs[CELLPROOF_B] = {type, 2, {D, 2 * rows}, constant(CELLPROOF_B)};
    if (!sample.lengths.empty()) node.inputs[CELLPROOF_SEQUENCE_LENS] = {CELLPROOF_INT32, 1, {N}, nullptr};
    if (sample.states) node.inputs[CELLPROOF_INITIAL_H] = state;
    if (sample.states && sample.is_lstm()) node.inputs[CELLPROOF_INITIAL_C] = state;
    if (sample.peepholes) node.inputs[CELLPROOF_P] = {type, 2, {D, 3 * H}, constant(CELLPROOF_P)};
    const cellproof_cuda_options options{machine, path, 0, 0};
    cellproof_cuda_plan* plan = nullptr;
    if (cellproof_cuda_prepare(&node, &options, &plan, message_.data(), message_.size()) != CELLPROOF_OK)
      throw std::runtime_error(message_.data());
    plan_.reset(plan);
  }

  std::string path() const { return cellproof_cuda_path_of(plan_.get()); }

  /// Fills outputs with a number that no case gives before it runs.
  Outputs<Real> run(const Inputs<Real>& in, bool with_y = true) {
    Outputs<Real> out;
    return run_into(out, in, with_y);
  }
  /// The same with outputs that lie where those of the last such run did, so that it may be replayed on the host, too.
  Outputs<Real> run_in_place(const Inputs<Real>& in) { return run_into(kept_, in, true); }

 private:
  Outputs<Real> run_into(Outputs<Real>& out, const Inputs<Real>& in, bool with_y) {
    const auto states = static_cast<std::size_t>(sample_.D() * sample_.N * sample_.H);
    if (with_y) out[CELLPROOF_Y].assign(states * static_cast<std::size_t>(sample_.T) + guards, guard);
    out[CELLPROOF_Y_H].assign(states + guards, guard);
    if (sample_.is_lstm()) out[CELLPROOF_Y_C].assign(states + guards, guard);
    std::array<const void*, CELLPROOF_INPUTS> data{};
    for (std::size_t i = 0; i < in.size(); ++i) data.at(i) = in.at(i).empty() ? nullptr : in.at(i).data();
    data[CELLPROOF_SEQUENCE_LENS] = sample_.lengths.data();
    std::array<void*, CELLPROOF_OUTPUTS> to{};
    for (std::size_t i = 0; i < out.size(); ++i) to.at(i) = out.at(i).empty() ? nullptr : out.at(i).data();
    if (cellproof_cuda_run(plan_.get(), data.data(), to.data(), message_.data(), message_.size()) != CELLPROOF_OK)
      throw std::runtime_error(message_.data());
    Outputs<Real> result = out;
    for (auto& output : result) {
      if (output.empty()) continue;
      for (std::size_t i = 0; i < guards; ++i)
        EXPECT_EQ(output[output.size() - 1 - i], guard) << "written past the end of an output, " << sample_.text();
      output.resize(output.size() - guards);
    }
    return result;
  }

  struct Release {
    void operator()(cellproof_cuda_plan* plan) const { cellproof_cuda_release(plan); }
  };
  static constexpr std::size_t guards = 32;
  static constexpr Real guard = static_cast<Real>(98765);

  Sample sample_;
  Outputs<Real> kept_;
  std::array<char, 256> message_{};
  std::unique_ptr<cellproof_cuda_plan, Release> plan_;
};

/// Computes a sample by the operators' equations, in double.
template <class Real>
Outputs<double> by_the_equations(const Sample& s, const Inputs<Real>& in) {
  const auto wide = [&](std::size_t i) { return std::vector<double>(in.at(i).begin(), in.at(i).end()); };
  auto [Y, Y_h, Y_c] = node::testing::by_the_equations({.op = s.op,
                                                        .T = s.T,
                                                        .N = s.N,
                                                        .I = s.I,
                                                        .H = s.H,
                                                        .D = s.D(),
                                                        .reverse = s.direction == "reverse",
                                                        .batch_first = s.batch_first,
                                                        .linear_before_reset = s.linear_before_reset,
                                                        .input_forget = s.input_forget,
                                                        .clip = s.clip,
                                                        .lengths = s.lengths,
                                                        .X = wide(CELLPROOF_X),
                                                        .W = wide(CELLPROOF_W),
                                                        .R = wide(CELLPROOF_R),
                                                        .B = wide(CELLPROOF_B),
                                                        .P = wide(CELLPROOF_P),
                                                        .h0 = wide(CELLPROOF_INITIAL_H),
                                                        .c0 = wide(CELLPROOF_INITIAL_C)});
  return {std::move(Y), std::move(Y_h), std::move(Y_c)};
}

}  // namespace cellproof::cuda::testing
