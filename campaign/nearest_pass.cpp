#include "campaign/nearest_pass.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/resized.hpp"

namespace cellproof::campaign {
namespace {

/// Beyond that a case that passes says nothing about the one that fails.
constexpr std::size_t most_differences = 3;

bool is_size(const AxisValue& value) {
  return std::ranges::find(size_names, value.first) != size_names.end();
}

/// Axes on which two cases of one operator version differ, by their values that are not default.
struct Differences {
  std::size_t sizes = 0, others = 0;

  Differences(const AxisValues& a, const AxisValues& b) {
    for (const AxisValue& value : a)
      if (std::ranges::find(b, value) == b.end()) ++(is_size(value) ? sizes : others);
    for (const AxisValue& value : b)
      if (std::ranges::find(a, value.first, &AxisValue::first) == a.end()) ++(is_size(value) ? sizes : others);
  }
};

bool passes(const Finding& finding) {
  const auto verdict = finding.judgement.verdict;
  return finding.pass && finding.law.empty() && finding.outcome == OutcomeKind::Ran &&
         (verdict == Verdict::Conforms || verdict == Verdict::Reading) &&
         finding.case_line.starts_with("cellproof-case/");
}

/// Does such a case compute nothing, or show nothing of it?
bool is_empty(const AxisValues& values) {
  return std::ranges::any_of(values, [](const AxisValue& value) {
    return (is_size(value) && value.second == "0") || value == AxisValue{"outputs", "none"};
  });
}

/// A model that must be refused has no neighbour that is right: it breaks a rule, whatever its axis values are.
bool is_of_an_invalid_model(const Cause& cause, const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [&](const Finding& finding) {
    return finding.expectation.kind == Expectation::Kind::Refuse &&
           (finding.case_line == cause.case_line ||
            (finding.reduction && finding.reduction->case_line == cause.case_line));
  });
}

std::optional<Case> read_case(const std::string& line) {
  try {
    return parse_case(line);
  } catch (const CaseTextError&) {  // of a directory, or with a literal too large for the line
    return std::nullopt;
  }
}

}  // namespace

std::optional<PassingCase> nearest_pass(const Cause& cause, const std::vector<Finding>& findings) {
  if (!cause.readings.empty() || is_of_an_invalid_model(cause, findings)) return std::nullopt;
  const auto is_shown = [&](const Finding& finding) {
    return finding.reduction && finding.reduction->case_line == cause.case_line && finding.reduction->passing;
  };
  const auto reduced = std::ranges::find_if(findings, is_shown);
  if (reduced != findings.end()) return reduced->reduction->passing;
  const std::optional<Case> failing = read_case(cause.case_line);
  if (!failing) return std::nullopt;
  const AxisValues values = axis_values(*failing);
  const Finding* best = nullptr;
  const auto rank = [&](const Finding& finding) {
    const Differences differences(values, finding.axes);
    return std::tuple(differences.others, differences.sizes, finding.case_line.size(), finding.case_line);
  };
  for (const Finding& finding : findings) {
    if (finding.version != failing->version || !passes(finding)) continue;
    if (is_empty(finding.axes) && !is_empty(values)) continue;
    if (best == nullptr || rank(finding) < rank(*best)) best = &finding;
  }
  if (best == nullptr || std::get<0>(rank(*best)) > most_differences) return std::nullopt;
  const std::optional<Case> passing = read_case(best->case_line);
  return passing ? std::optional(passing_beside(*failing, *passing)) : std::nullopt;
}

}  // namespace cellproof::campaign
