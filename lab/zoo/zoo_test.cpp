#include "lab/zoo/zoo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "lab/zoo/honest_functions.hpp"
#include "lab/zoo/quantized_run.hpp"
#include "spec/case.hpp"
#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::lab::zoo {
namespace {

/// Attributes and inputs of all kinds, sizes beyond a vector's width.
Case some_case(OperatorVersion version, ElementType type, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Case c = plain_case(version, type, 3, 3, 5, 6);
  c.seed = seed;
  c.regime = seed % 2 ? Regime::Normal : Regime::Discriminating;
  const char* directions[] = {"forward", "reverse", "bidirectional"};
  c.attributes.direction = directions[engine() % 3];
  if (rules_of(version).attribute("layout")) c.attributes.layout = static_cast<std::int64_t>(engine() % 2);
  if (rules_of(version).attribute("input_forget")) c.attributes.input_forget = static_cast<std::int64_t>(engine() % 2);
  if (rules_of(version).attribute("linear_before_reset"))
    c.attributes.linear_before_reset = static_cast<std::int64_t>(engine() % 2);
  if (engine() % 3 == 0) c.attributes.clip = 0.75F;
  if (engine() % 2 == 0) {
    c.attributes.activations.emplace();
    const int count = activation_count(version.op) * (c.attributes.direction == "bidirectional" ? 2 : 1);
    for (int i = 0; i < count; ++i) {
      // Not ThresholdedRelu: where it jumps, honest results differ.
      const auto& info = activations()[engine() % activations().size()];
      c.attributes.activations->emplace_back(info.name == "ThresholdedRelu" ? "Elu" : info.name);
    }
    if (engine() % 2 == 0) c.attributes.activation_alpha = {0.5F, 0.75F};
    if (engine() % 2 == 0) c.attributes.activation_beta = {0.25F, 0.5F};
  }
  for (std::size_t position = input::B; position < c.inputs.size(); ++position) {
    if (engine() % 3) c.inputs[position].presence = Presence::Given;
  }
  return c;
}

TEST(Zoo, HasTwelveStylesAndMoreOfDifferentNames) {
  std::set<std::string_view> names;
  for (const Style& style : styles()) EXPECT_TRUE(names.insert(style.name).second) << style.name;
  EXPECT_GE(names.size(), 12U);
}

TEST(Zoo, StylesReallyDiffer) {
  const Problem f32 = make_problem(some_case({Operator::LSTM, 22}, ElementType::Float, 3));
  std::set<std::vector<std::uint64_t>> results;
  for (const Style& style : styles()) {
    std::vector<std::uint64_t> bits;
    const auto outputs = run(f32, style, 1);
    for (std::size_t i = 0; i < outputs[output::Y]->size(); ++i) bits.push_back(outputs[output::Y]->bits(i));
    results.insert(bits);
  }
  EXPECT_GE(results.size(), styles().size() / 2);
  // Only the permuted and the noisy styles hear the seed.
  EXPECT_EQ(run(f32, styles()[0], 1), run(f32, styles()[0], 2));
  EXPECT_NE(run(f32, styles().back(), 1), run(f32, styles().back(), 2));
  EXPECT_EQ(run(f32, styles().back(), 1), run(f32, styles().back(), 1));
}

TEST(Zoo, SixteenBitStylesDifferInTheStateThatIsFedBack) {
  const Problem f16 = make_problem(some_case({Operator::RNN, 22}, ElementType::Float16, 5));
  Style rounded = styles()[0], unrounded = styles()[0];
  unrounded.feedback = Feedback::Unrounded;
  EXPECT_NE(run(f16, rounded, 1), run(f16, unrounded, 1));
}

TEST(Zoo, EnginesThatDeclareTheirArithmeticDoComputeSo) {
  std::set<std::string_view> names;
  for (const DeclaredStyle& declared : declared_styles()) {
    EXPECT_TRUE(names.insert(declared.style.name).second) << declared.style.name;
    Case c = some_case({Operator::GRU, 22}, declared.type, 5);
    if (declared.style.flushed) c.regime = Regime::Subnormal;
    c.attributes.activations.reset();
    const Problem problem = make_problem(c);
    Style usual = declared.style;
    if (usual.evaluation == Evaluation::Clamped) usual.evaluation = Evaluation::Libm;
    usual.flushed = false;
    usual.factors = usual.states = usual.products = std::nullopt;
    usual.factors_of_tf32 = false;
    EXPECT_NE(run(problem, declared.style, 1), run(problem, usual, 1)) << declared.style.name;
  }
}

TEST(Zoo, FlushesOnlyWhileItComputes) {
  Style flushing = styles()[0];
  flushing.flushed = true;
  Case c = some_case({Operator::RNN, 22}, ElementType::Float, 5);
  c.regime = Regime::Subnormal;
  c.attributes.activations = {{"Affine", "Affine"}};
  c.attributes.direction = "bidirectional";
  const Outputs outputs = run(make_problem(c), flushing, 1);
  const Tensor& Y = *outputs[output::Y];
  for (std::size_t k = 0; k < Y.size(); ++k)
    EXPECT_TRUE(Y.value(k) == 0 || std::abs(Y.value(k)) >= 0x1p-126) << Y.value(k);
  volatile double smallest = 0x1p-1022;
  EXPECT_NE(smallest / 2, 0);
}

TEST(Zoo, GivesTheNumbersThatCodesStandFor) {
  const Problem codes = make_problem(plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 2, 1, 3, 2));
  const Problem real = with_real_weights(codes);
  EXPECT_EQ(real.version.op, Operator::LSTM);
  const Tensor &W = *real.input(input::W), &stored = *codes.input(input::W);
  const double scale = codes.input(input::W_scale)->value(0), zero = codes.input(input::W_zero_point)->value(0);
  ASSERT_EQ(W.shape(), (Shape{1, 8, 3}));
  for (std::int64_t row = 0; row < 8; ++row) {
    for (std::int64_t column = 0; column < 3; ++column) {
      const double code = stored.value(stored.offset({0, column, row})) - zero;
      EXPECT_EQ(W.value(W.offset({0, row, column})), static_cast<float>(code) * static_cast<float>(scale));
    }
  }
}

TEST(Zoo, QuantisesInDifferentHonestWays) {
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 6, 2, 9, 5);
  c.regime = Regime::Normal;
  const Problem problem = make_problem(c);
  std::set<std::vector<std::uint64_t>> results;
  std::set<int> ways;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const Quantisation way = quantisation_of(seed);
    ways.insert(way.scale_by_reciprocal + 2 * way.values_by_reciprocal + 4 * way.zero_point_first +
                8 * way.scaled_apart);
    std::vector<std::uint64_t> bits;
    const auto outputs = run(problem, styles()[0], seed);
    for (std::size_t k = 0; k < outputs[output::Y]->size(); ++k) bits.push_back(outputs[output::Y]->bits(k));
    results.insert(bits);
  }
  EXPECT_EQ(ways.size(), 16U);
  EXPECT_GE(results.size(), 3U);
}

template <class F>
void expect_functions_within(Evaluation evaluation, double roundings) {
  const double u = sizeof(F) == 4 ? 0x1p-24 : 0x1p-53;
  HonestFunctions<F> functions(evaluation, 1);
  for (double x = -30; x < 30; x += 0.037) {
    const F argument = static_cast<F>(x);
    const long double wide = argument;
    const auto tanh = static_cast<double>(std::tanh(wide)), sigmoid = static_cast<double>(1 / (1 + std::exp(-wide)));
    EXPECT_NEAR(functions({"Tanh", 0, 0}, argument), tanh, roundings * u) << x;
    EXPECT_NEAR(functions({"Sigmoid", 0, 0}, argument), sigmoid, roundings * u) << x;
  }
}

TEST(HonestFunctions, AreWithinAFewRoundings) {
  for (Evaluation evaluation : {Evaluation::Libm, Evaluation::Literal, Evaluation::Rational, Evaluation::Noisy}) {
    expect_functions_within<float>(evaluation, 5);
    expect_functions_within<double>(evaluation, 5);
  }
  expect_functions_within<float>(Evaluation::Clamped, 6);
}

}  // namespace
}  // namespace cellproof::lab::zoo
