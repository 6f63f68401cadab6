#include <fmt/format.h>

#include <algorithm>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "corpus/suites/suites.hpp"
#include "spec/axes.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::corpus::catalogue {

Case chosen(Case c, const Choices& choices) {
  for (const auto& [name, value] : choices) {
    const Axis& row = axis(name);
    const auto values = row.values(c.version);
    if (std::find(values.begin(), values.end(), value) != values.end()) c = row.apply(c, value);
  }
  return c;
}

std::string to_string(const Choices& choices) {
  std::string result;
  for (const auto& [name, value] : choices) result += fmt::format("{}{}={}", result.empty() ? "" : ",", name, value);
  return result;
}

Case rich(OperatorVersion version) {
  Case c = chosen(basis(version), {{"input.B", "initializer"},
                                   {"lengths", "ragged"},
                                   {"input.initial_h", "graph"},
                                   {"input.initial_c", "graph"},
                                   {"input.P", "initializer"}});
  // Only this regime gives each direction a zero point of its own.
  for (const std::size_t position : {input::W_zero_point, input::R_zero_point}) {
    if (position < c.inputs.size()) c.inputs[position].values = Generated{.regime = Regime::Special, .seed = {}};
  }
  return c;
}

Case with_given_parameters(Case c) {
  bool alpha = false;
  bool beta = false;
  for (const Axis& row : axes()) {
    if (!row.name.starts_with("activation.") || row.values(c.version).empty()) continue;
    const ActivationInfo* function = activation_exactly(row.of(c));
    alpha = alpha || function->uses_alpha;
    beta = beta || function->uses_beta;
  }
  if (alpha) c = axis("alpha").apply(c, "given");
  if (beta) c = axis("beta").apply(c, "given");
  return c;
}

void CaseList::add(const std::string& name, Case c) {
  const auto same = [&](const SuiteCase& other) { return other.c == c; };
  if (std::any_of(cases_.begin(), cases_.end(), same)) return;
  cases_.push_back({fmt::format("{}/{}", cellproof::to_string(c.version), name), std::move(c)});
}

/// The newest version of each operator in depth; the older ones, which mean the same but for what their tables change,
/// by cases that vary everything at once and by those that show what a version adds or lacks.
std::vector<SuiteCase> smoke() {
  std::vector<SuiteCase> result;
  for (const auto version : all_operator_versions()) {
    CaseList list;
    list.add("plain", basis(version));
    list.add("rich", rich(version));
    add_alone(version, list);
    if (is_newest(version)) {
      add_against(version, list);
      add_activations(version, list);
      add_sizes(version, list);
    } else {
      for (const Choices& choices : {Choices{{"direction", "reverse"}}, Choices{{"direction", "bidirectional"}},
                                     Choices{{"layout", "1"}, {"direction", "bidirectional"}}}) {
        list.add("rich," + to_string(choices), chosen(rich(version), choices));
      }
      add_mixed(version, list);
    }
    for (auto& made : list.take()) result.push_back(std::move(made));
  }
  return result;
}

}  // namespace cellproof::corpus::catalogue
