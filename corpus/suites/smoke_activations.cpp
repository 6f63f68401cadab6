#include <fmt/format.h>

#include <array>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "spec/axes.hpp"
#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

constexpr std::array forward_slots{"activation.f", "activation.g", "activation.h"};
constexpr std::array backward_slots{"activation.f.backward", "activation.g.backward", "activation.h.backward"};

/// A different function for each slot: the list of all functions, taken from `first` on in steps that keep them apart.
Choices rotated(OperatorVersion version, std::size_t first, bool both_directions) {
  const auto functions = activations();
  const std::size_t slots = rules_of(version).slots.size();
  Choices result;
  const auto add = [&](std::string_view slot, std::size_t place) {
    result.emplace_back(slot, functions[(first + 4 * place) % functions.size()].name);
  };
  for (std::size_t slot = 0; slot < slots; ++slot) add(forward_slots.at(slot), slot);
  for (std::size_t slot = 0; both_directions && slot < slots; ++slot) add(backward_slots.at(slot), slots + slot);
  return result;
}

/// Every function in the last slot (that of the output or candidate) alone: there its own value shows undisturbed.
void add_each_alone(OperatorVersion version, CaseList& list) {
  if (is_quantised(version.op)) return;  // its functions are LSTM's
  const auto slot = forward_slots.at(rules_of(version).slots.size() - 1);
  for (const auto& function : activations()) {
    Choices choices{{slot, function.name}};
    list.add(to_string(choices),
             function.name == "Softplus" ? growing_softplus(version) : chosen(basis(version), choices));
    if (!function.uses_alpha) continue;
    choices.emplace_back("alpha", "given");
    if (function.uses_beta) choices.emplace_back("beta", "given");
    list.add(to_string(choices), chosen(basis(version), choices));
  }
}

/// Every function in every slot of both directions, with default and with given parameters.
void add_rotations(OperatorVersion version, CaseList& list) {
  for (std::size_t first = 0; first < activations().size(); ++first) {
    const std::string name = fmt::format("activations-{:02}", first);
    list.add(name, chosen(basis(version), rotated(version, first, false)));
    Choices given = rotated(version, first, true);
    given.insert(given.begin(), {"direction", "bidirectional"});
    list.add(name + ",bidirectional,given", with_given_parameters(chosen(rich(version), given)));
  }
}

/// Piecewise linear functions on small multiples of powers of two: no operation rounds, so every bit is due.
void add_exact(OperatorVersion version, CaseList& list) {
  for (const char* direction : {"forward", "bidirectional"}) {
    Case c = chosen(rich(version), {{"regime", "exact"}, {"direction", direction}});
    const std::size_t places = rules_of(version).slots.size() * (std::string_view(direction) == "forward" ? 1 : 2);
    c.attributes.activations = std::vector<std::string>(places, "Relu");
    list.add(fmt::format("exact,relu,direction={}", direction), std::move(c));
  }
}

}  // namespace

Case growing_softplus(OperatorVersion version) {
  Case c = chosen(basis(version), {{forward_slots.at(rules_of(version).slots.size() - 1), "Softplus"}});
  c.inputs[input::R].values = Generated{.regime = Regime::Chaotic, .seed = {}};
  c.seed = 23;
  return c;
}

void add_activations(OperatorVersion version, CaseList& list) {
  add_each_alone(version, list);
  add_rotations(version, list);
  add_exact(version, list);
}

}  // namespace cellproof::corpus::catalogue
