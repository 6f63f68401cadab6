#include "campaign/quantisation_effect.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/reference.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

/// Products that the reference computes within a second or two.
constexpr double most_products = 2e8;

double products_of(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  return static_cast<double>(T * N * D) * static_cast<double>(gate_count(problem.version.op) * H) *
         static_cast<double>(I + H);
}

QuantisationEffect::Output compared(std::string_view name, const std::vector<double>& with,
                                    const std::vector<double>& without) {
  QuantisationEffect::Output output{std::string(name)};
  for (std::size_t k = 0; k < with.size(); ++k) {
    output.most = std::max(output.most, std::abs(with[k] - without[k]));
    output.largest = std::max(output.largest, std::abs(without[k]));
  }
  return output;
}

}  // namespace

std::optional<QuantisationEffect> quantisation_effect(const corpus::RecurrentNode& node, const corpus::NodeCall& call) {
  QuantisationEffect effect;
  const auto names = input_names(node.version.op);
  Problem unquantised = call.problem;
  for (std::size_t k = 0; k < std::min(node.inputs.size(), names.size()); ++k) {
    if (!node.inputs[k].is_dequantised) continue;
    const auto& before = call.unquantised.at(k);
    (before ? effect.inputs : effect.kept).emplace_back(names[k]);
    if (before) unquantised.inputs[k].tensor = before;
  }
  if (effect.inputs.empty() && effect.kept.empty()) return std::nullopt;
  for (const Problem* problem : {&call.problem, &std::as_const(unquantised)})
    if (expectation_of(*problem).kind == Expectation::Kind::Refuse) return std::nullopt;
  if (effect.inputs.empty() || products_of(call.problem) > most_products) return effect;
  const auto with = reference::evaluate<double>(call.problem), without = reference::evaluate<double>(unquantised);
  const auto outputs = output_names(node.version.op);
  effect.outputs.push_back(compared(outputs[output::Y], with.Y, without.Y));
  effect.outputs.push_back(compared(outputs[output::Y_h], with.Y_h, without.Y_h));
  if (!with.Y_c.empty()) effect.outputs.push_back(compared(outputs[output::Y_c], with.Y_c, without.Y_c));
  return effect;
}

}  // namespace cellproof::campaign
