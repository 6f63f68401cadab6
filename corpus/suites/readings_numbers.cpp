#include <array>
#include <limits>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/readings_parts.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

/// One input and one step, all weights 1 and no recurrence, so that every gate's argument is X: 0.5, which is alpha.
/// The function stands first in the list, where every way of handing out alphas gives it the same one.
Case argument_at_alpha(OperatorVersion version) {
  Case c = plain_case(version, ElementType::Float, 1, 1, 1, 2);
  const auto fill = [&](std::size_t position, double value) {
    Tensor tensor(default_type(c, position), default_shape(c, position));
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, value);
    c.inputs[position].values = tensor;
  };
  fill(input::X, 0.5);
  fill(input::W, 1);
  fill(input::R, 0);
  std::vector<std::string> functions;
  for (const auto name : rules_of(version).default_activations) functions.emplace_back(name);
  functions.resize(static_cast<std::size_t>(activation_count(version.op)));
  functions.front() = "ThresholdedRelu";
  c.attributes.activations = functions;
  c.attributes.activation_alpha = {0.5F};
  return c;
}

/// X of the case with `value` where `where(t, n, i)` says so.
Case with_x(Case c, double value, auto where) {
  Tensor x = *make_problem(c).input(input::X);
  for (std::int64_t t = 0; t < c.T; ++t)
    for (std::int64_t n = 0; n < c.N; ++n)
      for (std::int64_t i = 0; i < c.I; ++i)
        if (where(t, n, i)) x.set_value(static_cast<std::size_t>((t * c.N + n) * c.I + i), value);
  c.inputs[input::X].values = x;
  return c;
}

/// With biases, where a runtime may clip at the largest finite number although no clip is asked for: that turns NaN
/// into a number under the usual functions, and an infinity into one under Relu. In the last step of one row, so that
/// the rest of the case can be verified.
std::vector<NumberedQuestion> not_finite(OperatorVersion version) {
  const Case plain = chosen(basis(version), {{"input.B", "initializer"}});
  const auto last_step = [&](std::int64_t t, std::int64_t n, std::int64_t i) {
    return t == plain.T - 1 && n == 1 && i == 2;
  };
  std::vector<NumberedQuestion> list{
      {Clause::NoClipIsIeee, "nan-in-X", with_x(plain, std::numeric_limits<double>::quiet_NaN(), last_step)}};
  if (version.op == Operator::RNN) {
    list.push_back(
        {Clause::NoClipIsIeee, "infinity-in-X",
         with_x(chosen(plain, {{"activation.f", "Relu"}}), std::numeric_limits<double>::infinity(), last_step)});
  }
  return list;
}

Case with_lengths(Case c, std::array<double, 3> lengths) {
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {3}, lengths);
  return c;
}

/// One unit's forget gate is infinite, in a single step from no cell: only the product with that cell makes NaN of it.
Case with_infinite_forget_gate(OperatorVersion version) {
  Case c = chosen(basis(version), {{"activation.f", "Relu"}, {"input.B", "initializer"}});
  c.T = 1;
  Tensor B = *make_problem(c).input(input::B);
  B.set_value(static_cast<std::size_t>(2 * c.H + 1), std::numeric_limits<double>::infinity());
  c.inputs[input::B].values = B;
  return c;
}

Case with_nan_in_padding(OperatorVersion version) {
  constexpr std::array<double, 3> lengths{5, 2, 3};
  return with_x(with_lengths(basis(version), lengths), std::numeric_limits<double>::quiet_NaN(),
                [&](std::int64_t t, std::int64_t n, std::int64_t) {
                  return static_cast<double>(t) >= lengths.at(static_cast<std::size_t>(n));
                });
}

/// Only this regime gives each column a zero point of its own.
Case with_zero_points_by_column(OperatorVersion version) {
  Case c = chosen(basis(version), {{"columns.W_scale", "per-column"},
                                   {"columns.R_scale", "per-column"},
                                   {"columns.W_zero_point", "per-column"},
                                   {"columns.R_zero_point", "per-column"}});
  for (const std::size_t position : {input::W_zero_point, input::R_zero_point})
    c.inputs[position].values = Generated{.regime = Regime::Special, .seed = {}};
  return c;
}

}  // namespace

std::vector<NumberedQuestion> questions_with_numbers(OperatorVersion version) {
  using enum Clause;
  std::vector<NumberedQuestion> list{
      {LengthOutOfRange, "negative", with_lengths(basis(version), {5, -1, 3})},
      {LengthOutOfRange, "beyond-T", with_lengths(basis(version), {5, 2, 6})},
      {MathematicalValue, "softplus-of-large-arguments", growing_softplus(version)},
  };
  if (has_cell_state(version.op))
    list.push_back({AbsentInitialC, "infinite-forget-gate", with_infinite_forget_gate(version)});
  if (is_quantised(version.op)) {
    list.push_back({DqZeroPoint, "per-column", with_zero_points_by_column(version)});
    return list;
  }
  list.push_back({ThresholdedReluEquality, "argument-at-alpha", argument_at_alpha(version)});
  list.push_back({PaddingContents, "nan-in-padding", with_nan_in_padding(version)});
  for (NumberedQuestion& question : not_finite(version)) list.push_back(std::move(question));
  return list;
}

}  // namespace cellproof::corpus::catalogue
