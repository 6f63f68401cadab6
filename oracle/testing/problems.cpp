#include "oracle/testing/problems.hpp"

#include <array>
#include <cmath>
#include <random>
#include <string>

namespace cellproof::oracle::testing {
namespace {

void give_optional_inputs(Case& c) {
  for (std::size_t k = input::B; k < c.inputs.size(); ++k) {
    if (k != input::sequence_lens) c.inputs[k].presence = Presence::Given;
  }
  if (c.inputs.size() > input::sequence_lens && c.inputs[input::sequence_lens].presence == Presence::Absent) {
    c.inputs[input::sequence_lens].presence = Presence::Empty;
  }
}

}  // namespace

void give_lengths(Case& c, const std::vector<double>& lengths) {
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {c.N}, lengths);
}

Case some_case(Operator op, ElementType type, const std::function<void(Case&)>& change) {
  Case c = plain_case(newest(op), type, 5, 3, 4, 6);
  c.seed = 20261121;
  give_optional_inputs(c);
  if (change) change(c);
  return c;
}

Problem some_problem(Operator op, ElementType type, const std::function<void(Case&)>& change) {
  return make_problem(some_case(op, type, change));
}

Case drawn_case(Operator op, ElementType type, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  const auto below = [&](std::uint64_t n) { return dice() % n; };
  const auto size = [&](std::uint64_t most) { return static_cast<std::int64_t>(1 + below(most)); };
  Case c = plain_case(newest(op), type, size(8), size(3), size(9), size(9));
  c.seed = seed;
  constexpr std::array regimes = {Regime::Normal,  Regime::Discriminating, Regime::Saturating,
                                  Regime::Chaotic, Regime::ExactDyadic,    Regime::Subnormal};
  c.regime = regimes[below(regimes.size())];
  give_optional_inputs(c);
  for (std::size_t k = input::B; k < c.inputs.size(); ++k) {
    if (below(3) == 0) c.inputs[k].presence = Presence::Empty;
  }
  c.attributes.direction = std::array{"forward", "reverse", "bidirectional"}[below(3)];
  c.attributes.layout = static_cast<std::int64_t>(below(2));
  const std::size_t directions = c.attributes.direction == "bidirectional" ? 2 : 1;
  if (below(2) == 0) {
    std::vector<double> lengths;
    for (std::int64_t b = 0; b < c.N; ++b)
      lengths.push_back(static_cast<double>(1 + below(static_cast<std::uint64_t>(c.T))));
    give_lengths(c, lengths);
  }
  if (below(3) == 0) c.attributes.clip = 0.25F * static_cast<float>(1 + below(12));
  if (op == Operator::LSTM && below(3) == 0) c.attributes.input_forget = 1;
  if (op == Operator::GRU) c.attributes.linear_before_reset = static_cast<std::int64_t>(below(2));
  if (below(2) == 0) {
    constexpr std::array functions = {
        "Relu",       "Tanh",        "Sigmoid", "Affine",   "LeakyRelu", "ThresholdedRelu",
        "ScaledTanh", "HardSigmoid", "Elu",     "Softsign", "Softplus"};
    c.attributes.activations.emplace();
    c.attributes.activation_alpha.emplace();
    c.attributes.activation_beta.emplace();
    const std::size_t count = directions * static_cast<std::size_t>(activation_count(op));
    for (std::size_t k = 0; k < count; ++k) {
      c.attributes.activations->emplace_back(functions[below(functions.size())]);
      c.attributes.activation_alpha->push_back(0.1F + 0.1F * static_cast<float>(below(12)));
      c.attributes.activation_beta->push_back(-0.5F + 0.1F * static_cast<float>(below(12)));
    }
  }
  return c;
}

Problem trained_like(Operator op, std::int64_t T, int H, double gain, std::uint64_t seed) {
  Problem problem = some_problem(op, ElementType::Float, [&](Case& c) {
    c.T = T;
    c.N = 1;
    c.I = c.H = H;
    if (op == Operator::LSTM) c.inputs[input::P].presence = Presence::Empty;
    if (op == Operator::GRU) c.attributes.linear_before_reset = 1;
  });
  std::mt19937_64 dice(seed);
  const double most = gain / std::sqrt(H);
  for (const std::size_t which : {input::W, input::R, input::B}) {
    Tensor& weights = *problem.inputs[which].tensor;
    for (std::size_t k = 0; k < weights.size(); ++k)
      weights.set_value(k, static_cast<float>(std::uniform_real_distribution<double>(-most, most)(dice)));
  }
  Tensor& X = *problem.inputs[input::X].tensor;
  for (std::size_t k = 0; k < X.size(); ++k)
    X.set_value(k, static_cast<float>(std::normal_distribution<double>()(dice)));
  problem.outputs.assign(has_cell_state(op) ? 3 : 2, Presence::Given);
  problem.outputs[output::Y] = Presence::Empty;
  return problem;
}

}  // namespace cellproof::oracle::testing
