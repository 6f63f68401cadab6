#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::fuzz {
namespace {

/// From opset 7 on; trailing inputs that are absent become "".
std::optional<Experiment> absent_is_empty(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;
  const Node left(problem);
  Experiment experiment = compare(left, left);
  Problem& longer = experiment.problems[1];
  const std::size_t before = longer.inputs.size();
  longer.inputs.resize(input_names(left.op()).size(), {Presence::Empty, Source::GraphInput, std::nullopt});
  return longer.inputs.size() > before ? std::optional(experiment) : std::nullopt;
}

/// Limit of numbers: what double computes of smaller ones with bounded functions stays far below the largest float.
constexpr double modest = 1e15;

bool is_modest(const Problem& problem) {
  for (const Input& in : problem.inputs) {
    for (std::size_t k = 0; in.tensor && k < in.tensor->size(); ++k) {
      if (!(std::abs(in.tensor->value(k)) < modest)) return false;
    }
  }
  return !problem.attributes.activations;
}

/// No clip is written, and the largest number of float is: whatever a clip bounds, it bounds nothing. Double only of
/// the default functions: others can go beyond float.
std::optional<Experiment> clip_beyond_everything(const Problem& problem) {
  if (problem.attributes.clip) return std::nullopt;
  const Node left(problem);
  if (left.input(input::X).type() == ElementType::Double && !is_modest(problem)) return std::nullopt;
  Node right(problem);
  right.problem().attributes.clip = std::numeric_limits<float>::max();
  return compare(left, right);
}

/// Those that are not written are written with the default of the version table: direction, layout, input_forget,
/// linear_before_reset.
std::optional<Experiment> defaults_written(const Problem& problem) {
  const Node left(problem);
  Node right(problem);
  Attributes& attributes = right.problem().attributes;
  const OperatorRules& rules = rules_of(problem.version);
  if (!attributes.direction) attributes.direction = "forward";
  if (rules.attribute("layout") != nullptr && !attributes.layout) attributes.layout = 0;
  if (rules.attribute("input_forget") != nullptr && !attributes.input_forget) attributes.input_forget = 0;
  if (rules.attribute("linear_before_reset") != nullptr && !attributes.linear_before_reset)
    attributes.linear_before_reset = 0;
  return compare(left, right);
}

/// Whatever the problem has for them is replaced by T, and left out.
std::optional<Experiment> full_lengths(const Problem& problem) {
  Node left(problem);
  left.set_lengths(std::vector<std::int64_t>(static_cast<std::size_t>(left.sizes().N), left.sizes().T));
  Node right(problem);
  right.remove(input::sequence_lens);
  return compare(left, right);
}

/// `activations` is not written; it is written with the defaults of the version table, for each direction.
std::optional<Experiment> functions_written(const Problem& problem) {
  if (problem.attributes.activations) return std::nullopt;
  const Node left(problem);
  Node right(problem);
  std::vector<std::string>& names = right.problem().attributes.activations.emplace();
  for (std::int64_t d = 0; d < left.sizes().D; ++d) {
    for (const std::string_view name : rules_of(problem.version).default_activations) names.emplace_back(name);
  }
  return compare(left, right);
}

/// All outputs against the last of them alone; from opset 7 on, where nothing else says which there are.
std::optional<Experiment> output_subset(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;
  Node left(problem);
  const std::size_t count = output_names(left.op()).size();
  left.problem().outputs.assign(count, Presence::Given);
  Node right = left;
  for (std::size_t k = 0; k + 1 < count; ++k) right.problem().outputs[k] = Presence::Empty;
  return compare(left, right);
}

/// W, R and B change from the one to the other.
std::optional<Experiment> weights_by_either_way(const Problem& problem) {
  const Node left(problem);
  Node right(problem);
  for (const std::size_t position : {input::W, input::R, input::B}) {
    Source& source = right.problem().inputs[position].source;
    source = source == Source::Initializer ? Source::GraphInput : Source::Initializer;
  }
  return compare(left, right);
}

/// Whatever the problem has in this place is replaced by zeros, and left out.
Experiment zeros_or_nothing(const Problem& problem, std::size_t position, const Shape& shape) {
  Node zeros(problem), nothing(problem);
  zeros.set(position, zeros.tensor(shape));
  nothing.remove(position);
  return compare(zeros, nothing);
}

std::optional<Experiment> zero_bias(const Problem& problem) {
  const Node node(problem);
  return zeros_or_nothing(problem, input::B, {node.sizes().D, 2 * node.gates() * node.sizes().H});
}

std::optional<Experiment> zero_initial_c(const Problem& problem) {
  const Node node(problem);
  if (!has_cell_state(node.op())) return std::nullopt;
  return zeros_or_nothing(problem, input::initial_c, node.state_shape(node.sizes().N));
}

std::optional<Experiment> zero_initial_h(const Problem& problem) {
  const Node node(problem);
  return zeros_or_nothing(problem, input::initial_h, node.state_shape(node.sizes().N));
}

std::optional<Experiment> zero_peepholes(const Problem& problem) {
  const Node node(problem);
  if (!has_cell_state(node.op())) return std::nullopt;
  return zeros_or_nothing(problem, input::P, {node.sizes().D, 3 * node.sizes().H});
}

}  // namespace

std::span<const Law> absent_laws() {
  static const std::vector<Law> list = {
      {"absent-is-empty", "an optional input that is not written is as good as one with the empty name",
       absent_is_empty},
      {"clip-beyond-everything", "a clip that is never reached is as good as none", clip_beyond_everything},
      {"defaults-written", "attributes at their default are as good as none", defaults_written},
      {"full-lengths", "lengths that are all T are as good as none", full_lengths},
      {"functions-written", "the default functions by name are as good as none", functions_written},
      {"output-subset", "an output does not depend on which others are asked for", output_subset},
      {"weights-by-either-way", "weights as graph inputs give what they give as initializers", weights_by_either_way},
      {"zero-bias", "biases of zero are as good as none", zero_bias},
      {"zero-initial-c",
       "an initial cell state of zero is as good as none",
       zero_initial_c,
       false,
       {Clause::AbsentInitialC}},
      {"zero-initial-h", "an initial hidden state of zero is as good as none", zero_initial_h},
      {"zero-peepholes", "peepholes of zero are as good as none", zero_peepholes},
  };
  return list;
}

}  // namespace cellproof::fuzz
