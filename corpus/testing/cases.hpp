#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "spec/case.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus {

/// For tests: a valid case of the version, varied in everything that a model has to carry, the same for the same seed.
inline Case varied_case(OperatorVersion version, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(engine() % n); };
  std::vector<ElementType> types;
  for (const ElementType type : {ElementType::Float, ElementType::Float16, ElementType::Double, ElementType::BFloat16})
    if (const auto since = type_came_in(version.op, type); since && version.since_version >= *since)
      types.push_back(type);

  Case c = plain_case(version, types[static_cast<std::size_t>(below(types.size()))], below(4), 1 + below(3),
                      1 + below(4), 1 + below(5));
  c.seed = seed;
  c.regime = Regime::Normal;
  if (below(2) == 0) c.weight_type = ElementType::Int8;
  auto& attributes = c.attributes;
  if (below(2) == 0) attributes.direction = std::array{"forward", "reverse", "bidirectional"}[engine() % 3];
  if (below(4) == 0) attributes.hidden_size.reset();
  if (below(3) == 0) attributes.clip = 0.5F;
  if (below(4) == 0) attributes.activation_alpha = std::vector<float>{0.25F, -1.5F};
  if (below(4) == 0) attributes.activation_beta = std::vector<float>{};
  if (below(3) == 0 && has_cell_state(version.op)) attributes.input_forget = below(2);
  if (below(3) == 0 && version.since_version >= 14) attributes.layout = below(2);
  if (below(3) == 0 && version.op == Operator::GRU && version.since_version >= 3)
    attributes.linear_before_reset = below(2);
  if (below(3) == 0) {
    const int directions = attributes.direction == "bidirectional" ? 2 : 1;
    attributes.activations =
        std::vector<std::string>(static_cast<std::size_t>(activation_count(version.op) * directions), "Tanh");
  }
  for (std::size_t i = input::B; i < c.inputs.size() && i < input::W_scale; ++i) {
    c.inputs[i].presence = std::array{Presence::Absent, Presence::Empty, Presence::Given}[engine() % 3];
  }
  for (auto& made : c.inputs) made.source = below(2) == 0 ? Source::Initializer : Source::GraphInput;
  for (auto& presence : c.outputs) {
    presence = std::array{Presence::Absent, Presence::Empty, Presence::Given}[engine() % 3];
  }
  c.outputs[output::Y_h] = Presence::Given;  // GRU-1 has no optional Y_h
  return c;
}

/// For tests: `count` cases for each operator version.
inline std::vector<Case> varied_cases(std::uint64_t count) {
  std::vector<Case> result;
  for (const auto version : all_operator_versions()) {
    for (std::uint64_t seed = 0; seed < count; ++seed) result.push_back(varied_case(version, seed));
  }
  return result;
}

/// A problem as a model can hold it: where an input that is not given would have come from leaves no trace there.
inline Problem as_written(Problem problem) {
  for (auto& in : problem.inputs) {
    if (in.presence != Presence::Given) in.source = Source::GraphInput;
  }
  return problem;
}

}  // namespace cellproof::corpus
