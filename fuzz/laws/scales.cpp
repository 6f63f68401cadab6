#include <optional>
#include <string>
#include <vector>

#include "fuzz/laws/all_elements.hpp"
#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/scaled.hpp"

namespace cellproof::fuzz {
namespace {

/// RNN of Tanh or Softsign: X, B and the initial state change their signs.
std::optional<Experiment> odd_function(const Problem& problem) {
  if (!is_rnn_of(problem, {"Tanh", "Softsign"})) return std::nullopt;
  const Node left(problem);
  return compare(
      left, scaled(left, -1), [](const At& at) { return std::optional(at); }, -1);
}

/// Products of two such numbers or larger ones, and what is left where sums of them cancel, are normal in float.
constexpr double smallest_factor = 0x1p-30;

/// RNN, all of whose functions become Relu: X, B, the initial state and the clip are doubled, and so is whatever is
/// computed of them, its rounding included: exactly, where nothing is near to under- or overflow. An engine that rounds
/// the factors of products, or quantises them by a scale of their own, moves its rounding along, too.
std::optional<Experiment> power_of_two(const Problem& problem) {
  if (problem.version.op != Operator::RNN) return std::nullopt;
  Node left(problem);
  Attributes& attributes = left.problem().attributes;
  attributes.activations = std::vector<std::string>(static_cast<std::size_t>(left.sizes().D), "Relu");
  attributes.activation_alpha.reset();
  attributes.activation_beta.reset();
  // Y shows what one state hides: small numbers on the way.
  if (problem.version.since_version >= 7)
    left.problem().outputs.assign(output_names(left.op()).size(), Presence::Given);
  const bool in_range = is_within(left.input(input::X), smallest_factor) &&
                        is_within(left.input(input::W), smallest_factor) &&
                        is_within(left.input(input::R), smallest_factor) &&
                        (!left.has(input::B) || is_within(left.input(input::B), smallest_factor)) &&
                        (!left.has(input::initial_h) || is_within(left.input(input::initial_h), smallest_factor)) &&
                        is_within(attributes.clip.value_or(0), smallest_factor);
  if (!in_range) return std::nullopt;
  Node right = scaled(left, 2);
  if (attributes.clip) right.problem().attributes.clip = 2 * *attributes.clip;
  Experiment experiment = compare(
      left, right, [](const At& at) { return std::optional(at); }, 0.5);
  // Half has too few exponents for that, in whatever it is computed.
  if (left.input(input::X).type() != ElementType::Float16) experiment.exact_from = smallest_factor;
  return experiment;
}

constexpr double factor = 4;
/// Bounds of numbers that are still normal when they are multiplied or divided by the factor: in half, and in float and
/// all that has its exponents.
constexpr double smallest_scaled_half = 0x1p-12, smallest_scaled = 0x1p-60;

void multiply(Tensor& tensor, double by) {
  for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, by * tensor.value(k));
}

/// X times 4 and W (of DynamicQuantizeLSTM its scale) divided by 4; bit by bit. Every product of the two is the same
/// number, so what comes behind it is the same, whatever the operator, the functions and the order of sums. Where
/// factors are rounded (TF32) or quantised before, both are by a power of two, as long as they are normal numbers: so
/// are those of which the law speaks.
std::optional<Experiment> weights_rescaled(const Problem& problem) {
  const Node left(problem);
  const std::size_t weights = is_quantised(left.op()) ? input::W_scale : input::W;
  const bool half = left.input(input::X).type() == ElementType::Float16;
  for (const std::size_t position : {input::X, weights}) {
    if (!is_within(left.input(position), half ? smallest_scaled_half : smallest_scaled)) return std::nullopt;
  }
  Node right(problem);
  multiply(right.mutable_input(input::X), factor);
  multiply(right.mutable_input(weights), 1 / factor);
  Experiment experiment;
  experiment.problems = {written(left.problem()), written(right.problem())};
  experiment.same_bits = true;
  add_all_elements(problem, 0, 1, experiment);
  return experiment;
}

}  // namespace

std::span<const Law> scales_laws() {
  static const std::vector<Law> list = {
      {"odd-function",
       "an RNN of an odd function answers the negated input with the negated output",
       odd_function,
       false,
       {},
       {"clip=biting"}},
      {"power-of-two",
       "an RNN of a homogeneous function answers twice the input with twice the output, to the last bit",
       power_of_two,
       false,
       {},
       {"clip=biting", "input.B=graph input.initial_h=graph"}},
      {"weights-rescaled", "four times X with a quarter of W gives the same bits", weights_rescaled, true},
  };
  return list;
}

}  // namespace cellproof::fuzz
