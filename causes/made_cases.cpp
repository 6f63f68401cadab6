#include "causes/made_cases.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/answers.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/resized.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::causes {
namespace {

/// Numbers in a made case.
constexpr std::size_t most_numbers_made = std::size_t{1} << 16;

/// Takes over how the data of another case are made, where they have a regime of their own. Shapes may differ.
void take_regimes(const Case& shown, Case& c) {
  c.regime = shown.regime;
  for (std::size_t k = 0; k < std::min(c.inputs.size(), shown.inputs.size()); ++k) {
    const auto* const made = std::get_if<Generated>(&shown.inputs[k].values);
    const bool is_own = made != nullptr && made->regime && *made->regime != Regime::Zero;
    if (is_own && c.inputs[k].presence == Presence::Given) c.inputs[k].values = Generated{made->regime, std::nullopt};
  }
}

/// Faults of the clip do the same at one threshold, half of 0.5 and the square of it, say.
void take_another_clip(Case& c) {
  constexpr float other = 0.75F;
  if (c.attributes.clip) *c.attributes.clip *= other;
}

}  // namespace

bool is_blamed(std::string_view axis, const FaultSet& faults) {
  constexpr std::string_view between = " |?";
  return std::ranges::any_of(faults, [&](const oracle::Fault* fault) {
    std::string_view blames = fault->blames;
    while (!blames.empty()) {
      const std::string_view word = blames.substr(0, blames.find_first_of(between));
      const bool is_family = axis.starts_with(word) && axis.substr(word.size()).starts_with('.');
      if (!word.empty() && (axis == word || is_family)) return true;
      blames.remove_prefix(std::min(blames.size(), word.size() + 1));
    }
    return false;
  });
}

Case with_other_numbers(const Case& c, std::uint64_t more) {
  Case other = c;
  other.seed += more;
  Case kept = other;
  bool is_other = false;
  for (CaseInput& input : kept.inputs) {
    auto* const made = std::get_if<Generated>(&input.values);
    if (made == nullptr || input.presence != Presence::Given || made->seed) continue;
    if (made->regime)
      made->seed = c.seed;
    else
      is_other = true;
  }
  return is_other ? kept : other;
}

std::optional<Case> case_shown_by(const Finding& finding) {
  const bool is_reduced = finding.reduction && finding.reduction->complete;
  try {
    return parse_case(is_reduced ? finding.reduction->case_line : finding.case_line);
  } catch (const CaseTextError&) {
    return std::nullopt;
  }
}

bool is_small_and_valid(const Problem& problem) {
  std::size_t size = 0;
  for (const Input& each : problem.inputs) size += each.tensor ? each.tensor->size() : 0;
  return size <= most_numbers_made && expectation_of(problem).kind == Expectation::Kind::Accept;
}

std::vector<Made> made_cases(const Case& shown, const FaultSet& faults) {
  std::vector<Made> made;
  const auto add = [&](Case c, std::uint64_t more, int rank) {
    c.seed += more;
    const Problem problem = make_problem(c);
    if (!is_small_and_valid(problem)) return;
    Made each{std::move(c), oracle::with_all_outputs(problem), rank};
    const auto acting = std::ranges::count_if(faults, [&](const auto* fault) { return fault->applies(each.problem); });
    if (acting == 0) return;
    if (acting < std::ssize(faults)) each.rank = 0;
    made.push_back(std::move(each));
  };
  Case larger = shown;
  for (const std::string_view size : {"T", "N", "I", "H"})
    larger = resized(larger, size, size_of(larger, size) + (size == "N" ? 3 : 2));
  take_another_clip(larger);
  for (const std::uint64_t more : {1, 2}) {
    add(larger, more, 0);
    add(shown, more, 1);
  }
  for (const Axis& axis : axes()) {
    const bool may_tell = is_blamed(axis.name, faults);
    for (const std::string& value : axis.values(shown.version)) {
      if (value == axis.of(shown)) continue;
      const Case changed = axis.apply(shown, value);
      add(changed, 0, may_tell ? 1 : 2);
      if (may_tell) add(changed, 1, 1);
    }
  }
  std::ranges::stable_sort(made, {}, &Made::rank);
  return made;
}

bool is_size(std::string_view axis) {
  return std::ranges::find(size_names, axis) != size_names.end();
}

Case plain_with_all_outputs(OperatorVersion version, ElementType type, const Dimensions& d) {
  Case c = plain_case(version, type, d.T, d.N, d.I, d.H);
  if (rules_of(version).attribute("output_sequence") != nullptr) c.attributes.output_sequence = 1;
  return c;
}

Case aimed_at(const oracle::Fault& fault, const Case& shown) {
  Case c = plain_with_all_outputs(shown.version, shown.type, {shown.T + 2, shown.N + 3, shown.I, shown.H, 1});
  for (const Axis& axis : axes()) {
    if (!is_size(axis.name) && is_blamed(axis.name, {&fault})) {
      const std::string value = axis.of(shown);
      if (!value.empty()) c = axis.apply(c, value);
    }
  }
  if (is_blamed("regime", {&fault})) take_regimes(shown, c);
  take_another_clip(c);
  c.seed = shown.seed + 1;
  return c;
}

std::vector<Made> with_one_more_input(const Case& c) {
  std::vector<Made> made;
  // Each from where models take it: for weights out of the graph a runtime has other kernels.
  constexpr std::pair<std::string_view, const char*> sources[] = {{"input.B", "initializer"},
                                                                  {"input.initial_h", "graph"},
                                                                  {"input.initial_c", "graph"},
                                                                  {"input.P", "initializer"}};
  for (const auto& [name, source] : sources) {
    const Axis& input = axis(name);
    if (input.of(c) != "absent") continue;
    Case changed = input.apply(c, source);
    Problem problem = oracle::with_all_outputs(make_problem(changed));
    made.push_back({std::move(changed), std::move(problem)});
  }
  return made;
}

std::optional<Case> without_fault(const oracle::Fault& fault, const Case& c) {
  Case other = c;
  for (const Axis& axis : axes())
    if (!is_size(axis.name) && is_blamed(axis.name, {&fault}) && !axis.of(other).empty())
      other = axis.apply(other, axis.values(c.version).front());
  return fault.applies(oracle::with_all_outputs(make_problem(other))) ? std::nullopt : std::optional(std::move(other));
}

std::optional<Case> with_fault_alone(const oracle::Fault& fault, const Case& c) {
  Case alone = c;
  for (const Axis& axis : axes()) {
    const bool is_parameter = axis.name.starts_with("alpha") || axis.name.starts_with("beta");
    if (is_parameter || is_size(axis.name) || !is_blamed(axis.name, {&fault}) || axis.of(alone).empty()) continue;
    Case changed = axis.apply(alone, axis.values(c.version).front());
    if (fault.applies(oracle::with_all_outputs(make_problem(changed)))) alone = std::move(changed);
  }
  return axis_values(alone) == axis_values(c) ? std::nullopt : std::optional(std::move(alone));
}

}  // namespace cellproof::causes
