#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "spec/case.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus {

/// Draws from an engine for random numbers.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}
  std::int64_t below(std::uint64_t n) { return static_cast<std::int64_t>(engine_() % n); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class List>
  auto of(const List& list) {
    return list[static_cast<std::size_t>(below(std::size(list)))];
  }

 private:
  std::mt19937_64 engine_;
};

inline std::vector<ElementType> types_of(OperatorVersion version) {
  std::vector<ElementType> types;
  for (const ElementType type : {ElementType::Float, ElementType::Float16, ElementType::Double, ElementType::BFloat16})
    if (const auto since = type_came_in(version.op, type); since && version.since_version >= *since)
      types.push_back(type);
  return types;
}

inline void vary_attributes(Attributes& attributes, OperatorVersion version, Draws& draws) {
  if (draws.one_in(2)) attributes.direction = draws.of(std::array{"forward", "reverse", "bidirectional"});
  if (draws.one_in(4)) attributes.hidden_size.reset();
  if (draws.one_in(3)) attributes.clip = 0.5F;
  if (draws.one_in(4)) attributes.activation_alpha = std::vector<float>{0.25F, -1.5F};
  if (draws.one_in(4)) attributes.activation_beta = std::vector<float>{};
  if (draws.one_in(3) && has_cell_state(version.op)) attributes.input_forget = draws.below(2);
  if (draws.one_in(3) && version.since_version >= 14) attributes.layout = draws.below(2);
  if (draws.one_in(3) && version.op == Operator::GRU && version.since_version >= 3)
    attributes.linear_before_reset = draws.below(2);
  if (draws.one_in(3)) {
    const int directions = attributes.direction == "bidirectional" ? 2 : 1;
    attributes.activations =
        std::vector<std::string>(static_cast<std::size_t>(activation_count(version.op) * directions), "Tanh");
  }
}

/// Before it, Constant has tensors of floating-point numbers alone.
inline constexpr int first_constant_of_integers = 9;

inline void vary_presence(Case& c, Draws& draws) {
  constexpr std::array presences{Presence::Absent, Presence::Empty, Presence::Given};
  for (std::size_t i = input::B; i < c.inputs.size() && i < input::W_scale; ++i)
    c.inputs[i].presence = draws.of(presences);
  constexpr std::array sources{Source::Initializer, Source::GraphInput, Source::ConstantNode};
  for (auto& made : c.inputs) made.source = draws.of(sources);
  CaseInput& lengths = c.inputs[input::sequence_lens];
  if (lengths.source == Source::ConstantNode && c.version.since_version < first_constant_of_integers)
    lengths.source = Source::Initializer;
  for (auto& presence : c.outputs) presence = draws.of(presences);
  c.outputs[output::Y_h] = Presence::Given;  // GRU-1 has no optional Y_h
  if (draws.one_in(3)) c.presentation.weights = Weights::Computed;
  if (draws.one_in(3)) c.presentation.states = States::Shared;
}

/// For tests: a valid case of the version, varied in everything that a model has to carry, the same for the same seed.
inline Case varied_case(OperatorVersion version, std::uint64_t seed) {
  Draws draws(seed);
  const std::vector<ElementType> types = types_of(version);
  Case c = plain_case(version, types[static_cast<std::size_t>(draws.below(types.size()))], draws.below(4),
                      1 + draws.below(3), 1 + draws.below(4), 1 + draws.below(5));
  c.seed = seed;
  c.regime = Regime::Normal;
  if (draws.one_in(2)) c.weight_type = ElementType::Int8;
  vary_attributes(c.attributes, version, draws);
  vary_presence(c, draws);
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
  bool has_weight = false;
  for (std::size_t k = 0; k < problem.inputs.size(); ++k) {
    Input& in = problem.inputs[k];
    if (in.presence != Presence::Given) in.source = Source::GraphInput;
    const bool is_weight = k == input::W || k == input::R || k == input::B || k == input::P;
    has_weight = has_weight || (is_weight && in.presence == Presence::Given && in.source == Source::Initializer);
  }
  if (!has_weight) problem.presentation.weights = Weights::Stored;
  if (!shares_states(problem)) problem.presentation.states = States::Own;
  return problem;
}

}  // namespace cellproof::corpus
