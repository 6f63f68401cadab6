#include <optional>
#include <string>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/scaled.hpp"

namespace cellproof::fuzz::law {
namespace {

/// Products of two such numbers or larger ones, and what is left where sums of them cancel, are normal in float.
constexpr double smallest = 0x1p-30;

}  // namespace

std::optional<Experiment> power_of_two(const Problem& problem) {
  if (problem.version.op != Operator::RNN) return std::nullopt;
  Node left(problem);
  Attributes& attributes = left.problem().attributes;
  attributes.activations = std::vector<std::string>(static_cast<std::size_t>(left.sizes().D), "Relu");
  attributes.activation_alpha.reset();
  attributes.activation_beta.reset();
  // What one state hides, Y shows: small numbers on the way.
  if (problem.version.since_version >= 7)
    left.problem().outputs.assign(output_names(left.op()).size(), Presence::Given);
  const bool in_range = is_within(left.input(input::X), smallest) && is_within(left.input(input::W), smallest) &&
                        is_within(left.input(input::R), smallest) &&
                        (!left.has(input::B) || is_within(left.input(input::B), smallest)) &&
                        (!left.has(input::initial_h) || is_within(left.input(input::initial_h), smallest)) &&
                        is_within(attributes.clip.value_or(0), smallest);
  if (!in_range) return std::nullopt;
  Node right = scaled(left, 2);
  if (attributes.clip) right.problem().attributes.clip = 2 * *attributes.clip;
  Experiment experiment = compare(
      left, right, [](const At& at) { return std::optional(at); }, 0.5);
  // Half has too few exponents for that, in whatever it is computed.
  if (left.input(input::X).type() != ElementType::Float16) experiment.exact_from = smallest;
  return experiment;
}

}  // namespace cellproof::fuzz::law
