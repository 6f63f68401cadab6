#include "oracle/quantized/testing/cases.hpp"

#include <array>
#include <random>

namespace cellproof::oracle::testing {
namespace {

void give_columns(Case& c, std::size_t position, Generated values) {
  const std::int64_t directions = c.attributes.direction == "bidirectional" ? 2 : 1;
  c.inputs[position].shape = Shape{directions, 4 * c.H};
  c.inputs[position].values = values;
}

}  // namespace

void give_column_scales(Case& c) {
  for (const std::size_t position : {input::W_scale, input::R_scale}) give_columns(c, position, {});
}

void give_column_zero_points(Case& c) {
  // Only this regime gives each column a zero point of its own.
  for (const std::size_t position : {input::W_zero_point, input::R_zero_point}) {
    give_columns(c, position, {.regime = Regime::Special, .seed = std::nullopt});
  }
}

void give_lengths_of(Case& c, const std::vector<double>& lengths) {
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {c.N}, lengths);
}

Problem rich_problem(const std::function<void(Case&)>& change) {
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 5, 4, 4, 6);
  c.seed = 7;
  c.attributes.direction = "bidirectional";
  for (const std::size_t position : {input::B, input::initial_h, input::initial_c, input::P}) {
    c.inputs[position].presence = Presence::Given;
  }
  give_lengths_of(c, {5, 2, 3, 4});
  give_column_scales(c);
  if (change) change(c);
  return make_problem(c);
}

Case drawn_case(std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  const auto below = [&](std::uint64_t n) { return dice() % n; };
  const auto size = [&](std::uint64_t most) { return static_cast<std::int64_t>(1 + below(most)); };
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, size(7), size(4), size(9), size(9));
  c.seed = seed;
  constexpr std::array regimes = {Regime::Normal,     Regime::Discriminating, Regime::ExactDyadic,
                                  Regime::Saturating, Regime::Chaotic,        Regime::Subnormal};
  c.regime = regimes[below(regimes.size())];
  c.weight_type = below(2) == 0 ? ElementType::Int8 : ElementType::UInt8;
  c.attributes.direction = std::array{"forward", "reverse", "bidirectional"}[below(3)];
  for (const std::size_t position : {input::B, input::initial_h, input::initial_c, input::P}) {
    c.inputs[position].presence = below(3) == 0 ? Presence::Empty : Presence::Given;
  }
  if (below(2) == 0) {
    std::vector<double> lengths;
    for (std::int64_t n = 0; n < c.N; ++n) {
      lengths.push_back(static_cast<double>(1 + below(static_cast<std::uint64_t>(c.T))));
    }
    give_lengths_of(c, lengths);
  }
  if (below(2) == 0) give_column_scales(c);
  if (below(2) == 0) give_column_zero_points(c);
  if (below(4) == 0) c.attributes.clip = 0.25F * static_cast<float>(1 + below(12));
  if (below(4) == 0) c.attributes.input_forget = 1;
  return c;
}

}  // namespace cellproof::oracle::testing
