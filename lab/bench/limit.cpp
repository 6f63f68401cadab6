#include "lab/bench/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lab/bench/report/report.hpp"
#include "spec/element_type.hpp"

namespace cellproof::lab::bench {
namespace {

/// Sigmoids and hyperbolic tangents among a step's activations for one unit.
struct FunctionsOfAUnit {
  double sigmoids, tanhs;
};

FunctionsOfAUnit functions_of(Operator op) {
  constexpr std::array<FunctionsOfAUnit, 4> of_each{
      {{3, 2}, {2, 1}, {0, 1}, {3, 2}}};  // LSTM, GRU, RNN, quantised LSTM
  return of_each.at(static_cast<std::size_t>(op));
}

struct Steps {
  double all = 0;         ///< of all sequences together
  double with_state = 0;  ///< those whose state before is not zero
  double in_a_row = 0;    ///< of these, in the longest sequence
};

Steps steps_of(const Problem& problem, const Dimensions& size) {
  const Tensor* lengths = problem.input(input::sequence_lens);
  const std::int64_t without_state = problem.input(input::initial_h) == nullptr ? 1 : 0;
  std::int64_t all = 0, with_state = 0, in_a_row = 0;
  for (std::int64_t n = 0; n < size.N; ++n) {
    const std::int64_t length = lengths == nullptr ? size.T : lengths->integer(static_cast<std::size_t>(n));
    const std::int64_t rest = std::max<std::int64_t>(length - without_state, 0);
    all += length;
    with_state += rest;
    in_a_row = std::max(in_a_row, rest);
  }
  return {static_cast<double>(all), static_cast<double>(with_state), static_cast<double>(in_a_row)};
}

/// "224 B", "52.4 M multiply-adds", "117 G/s"
std::string scaled(double value, std::string_view unit) {
  struct Scale {
    double size;
    const char* prefix;
  };
  constexpr Scale scales[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const Scale& scale : scales)
    if (value >= scale.size) return fmt::format("{:.3g} {}{}", value / scale.size, scale.prefix, unit);
  return fmt::format("{:.3g} {}", value, unit.substr(unit.starts_with(' ') ? 1 : 0));
}

double time_for_X(const Work& work, const Rates& rates) {
  return std::max(work.multiply_adds_of_X / rates.multiply_adds, work.bytes_of_W / rates.bytes_read);
}
double time_for_H(const Work& work, const Rates& rates) {
  return std::max(work.multiply_adds_of_H / rates.multiply_adds, work.steps * work.bytes_of_R / rates.bytes_read);
}
double time_for_functions(const Work& work, const Rates& rates) {
  return work.sigmoids / rates.sigmoids + work.tanhs / rates.tanhs;
}

}  // namespace

Work work_of(const Problem& problem) {
  if (problem.attributes.activations)
    throw std::invalid_argument("no limit is known for activations other than the operator's own");
  const Dimensions size = dimensions_of(problem);
  const Steps steps = steps_of(problem, size);
  const Tensor &W = *problem.input(input::W), &R = *problem.input(input::R);
  const auto gates = static_cast<double>(gate_count(problem.version.op));
  const auto H = static_cast<double>(size.H), I = static_cast<double>(size.I), D = static_cast<double>(size.D);
  const FunctionsOfAUnit functions = functions_of(problem.version.op);
  const double units = D * steps.all * H;
  return {.multiply_adds_of_X = D * gates * H * steps.all * I,
          .multiply_adds_of_H = D * gates * H * steps.with_state * H,
          .of_bytes = R.type() == ElementType::Int8 || R.type() == ElementType::UInt8,
          .of_bfloat16 = R.type() == ElementType::BFloat16,
          .bytes_of_W = static_cast<double>(W.bytes().size()),
          .steps = steps.in_a_row,
          .bytes_of_R = static_cast<double>(R.bytes().size()),
          .sigmoids = units * functions.sigmoids,
          .tanhs = units * functions.tanhs};
}

double limit_of(const Work& work, const Rates& rates) {
  return time_for_X(work, rates) + time_for_H(work, rates) + time_for_functions(work, rates);
}

std::string formula_of(const Work& work, const Rates& rates) {
  const auto product = [&](double multiply_adds, double reads, double bytes, std::string_view weights, double time) {
    return fmt::format("max({} / {}, {:.0f} x {} of {} / {}) = {}",
                       scaled(multiply_adds, work.of_bytes      ? " 8-bit multiply-adds"
                                             : work.of_bfloat16 ? " bfloat16 multiply-adds"
                                                                : " multiply-adds"),
                       scaled(rates.multiply_adds, "/s"), reads, scaled(bytes, "B"), weights,
                       scaled(rates.bytes_read, "B/s"), duration_text(time));
  };
  return fmt::format("X: {}; H: {}; {} / {} + {} / {} = {}; together {}",
                     product(work.multiply_adds_of_X, 1, work.bytes_of_W, "W", time_for_X(work, rates)),
                     product(work.multiply_adds_of_H, work.steps, work.bytes_of_R, "R", time_for_H(work, rates)),
                     scaled(work.sigmoids, " sigmoids"), scaled(rates.sigmoids, "/s"), scaled(work.tanhs, " tanhs"),
                     scaled(rates.tanhs, "/s"), duration_text(time_for_functions(work, rates)),
                     duration_text(limit_of(work, rates)));
}

}  // namespace cellproof::lab::bench
