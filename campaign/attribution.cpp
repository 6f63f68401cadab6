#include "campaign/attribution.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <variant>

#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {
namespace {

/// Cases of an operator on an engine that must be accepted, or those that must be refused: one population explains
/// itself.
using Population = std::tuple<std::string, Operator, bool>;
/// Within a population, cases that fail in the same way may explain each other.
using Kind = std::tuple<Population, std::variant<Verdict, OutcomeKind>, std::string_view>;

Population population_of(const Finding& finding) {
  return {finding.engine, finding.version.op, finding.expectation.kind == Expectation::Kind::Refuse};
}

Kind kind_of(const Finding& finding) {
  std::variant<Verdict, OutcomeKind> result = finding.outcome;
  if (finding.judgement.verdict) result = *finding.judgement.verdict;
  return {population_of(finding), result, kind_name(finding)};
}

/// A refusal and an undecided case say nothing of whether an axis value makes results wrong.
bool fared_well(const Finding& finding) {
  const std::optional<Verdict>& verdict = finding.judgement.verdict;
  return finding.pass && ((finding.outcome == OutcomeKind::Ran && verdict && *verdict != Verdict::Undecided) ||
                          verdict == Verdict::RefusedAsExpected);
}

struct Count {
  std::int64_t failed = 0;
  std::int64_t passed = 0;
  double failure_rate() const { return static_cast<double>(failed) / static_cast<double>(failed + passed); }
};

/// "activation" of "activation.f.backward": the axes of one family are set by one attribute or belong to one input.
std::string family_of(const std::string& axis) {
  return axis.substr(0, axis.find('.'));
}

/// The findings of one population, and how the cases with an axis value, or with any value of a family, fared.
struct Clue {
  struct Family {
    std::set<AxisValue> failing_values;
    Count count;
  };
  std::vector<std::set<AxisValue>> passing;
  Count all;
  std::map<AxisValue, Count> values;
  std::map<std::string, Family> families;

  void add(const Finding& finding) {
    if (finding.pass && !fared_well(finding)) return;
    const std::set<AxisValue> own(finding.axes.begin(), finding.axes.end());
    std::set<std::string> seen;
    const auto tick = [&](Count& count) { ++(finding.pass ? count.passed : count.failed); };
    tick(all);
    for (const AxisValue& value : own) {
      tick(values[value]);
      Family& family = families[family_of(value.first)];
      if (!finding.pass) family.failing_values.insert(value);
      if (seen.insert(family_of(value.first)).second) tick(family.count);
    }
    if (finding.pass) passing.push_back(own);
  }

  /// Blames a family if nearly every case that moves it away from its default fails, whatever the value: an engine that
  /// ignores `activations` has one fault, not one for each function.
  bool blames_family(const std::string& name) const {
    const Family& family = families.at(name);
    return family.failing_values.size() >= 3 && family.count.failure_rate() >= 0.9;
  }

  /// No case with all of these values fares well.
  bool sufficient(const std::set<AxisValue>& suspects) const {
    return std::ranges::none_of(passing,
                                [&](const std::set<AxisValue>& own) { return std::ranges::includes(own, suspects); });
  }
};

/// Cases of the operator that must have fared well for frequencies to tell something, and axes in which a single one
/// may differ to be worth a comparison.
constexpr std::size_t enough_to_count = 10;
constexpr std::size_t most_axes_apart = 3;

/// In how many axes two cases differ.
std::size_t axes_apart(const std::set<AxisValue>& a, const std::set<AxisValue>& b) {
  std::set<std::string> axes;
  const auto add_missing = [&](const std::set<AxisValue>& from, const std::set<AxisValue>& in) {
    for (const AxisValue& value : from) {
      if (!in.contains(value)) axes.insert(value.first);
    }
  };
  add_missing(a, b);
  add_missing(b, a);
  return axes.size();
}

bool is_comparable(const std::set<AxisValue>& suspects, const Clue& evidence) {
  return evidence.passing.size() >= enough_to_count ||
         std::ranges::any_of(evidence.passing, [&](const std::set<AxisValue>& passing) {
           return axes_apart(suspects, passing) <= most_axes_apart;
         });
}

std::set<AxisValue> smallest_failing_subset(const std::set<AxisValue>& own,
                                            const std::vector<const Finding*>& siblings) {
  std::set<AxisValue> best = own;
  for (const Finding* sibling : siblings) {
    std::set<AxisValue> other(sibling->axes.begin(), sibling->axes.end());
    const bool smaller = other.size() < best.size() || (other.size() == best.size() && other < best);
    if (smaller && std::ranges::includes(own, other)) best = std::move(other);
  }
  return best;
}

std::optional<std::string> guilty_family(const std::set<AxisValue>& suspects, const Clue& evidence) {
  std::optional<std::string> guilty;
  const auto failed = [&](const std::string& family) { return evidence.families.at(family).count.failed; };
  for (const AxisValue& value : suspects) {
    const std::string family = family_of(value.first);
    if (evidence.blames_family(family) && (!guilty || failed(family) > failed(*guilty))) guilty = family;
  }
  return guilty;
}

AxisValues narrow(std::set<AxisValue> suspects, const Clue& evidence) {
  if (!is_comparable(suspects, evidence)) return unattributed();
  if (const auto family = guilty_family(suspects, evidence)) return {{*family, "any"}};
  std::vector<AxisValue> order(suspects.begin(), suspects.end());
  const auto rate = [&](const AxisValue& value) { return evidence.values.at(value).failure_rate(); };
  std::ranges::stable_sort(order, {}, rate);
  if (!evidence.sufficient(suspects)) {
    std::erase_if(order, [&](const AxisValue& value) { return rate(value) <= evidence.all.failure_rate(); });
    return order.empty() ? AxisValues(suspects.begin(), suspects.end()) : AxisValues(order.begin(), order.end());
  }
  for (const AxisValue& value : order) {
    if (suspects.size() == 1) break;
    suspects.erase(value);
    if (!evidence.sufficient(suspects)) suspects.insert(value);
  }
  return {suspects.begin(), suspects.end()};
}

}  // namespace

std::vector<AxisValues> guilty_axis_values(const std::vector<Finding>& findings) {
  std::map<Kind, std::vector<const Finding*>> failing;
  std::map<Population, Clue> evidence;
  for (const Finding& finding : findings) {
    if (finding.flaky) continue;
    if (!finding.pass) failing[kind_of(finding)].push_back(&finding);
    evidence[population_of(finding)].add(finding);
  }
  std::vector<AxisValues> guilty;
  guilty.reserve(findings.size());
  for (const Finding& finding : findings) {
    if (finding.pass || finding.flaky) {
      guilty.emplace_back();
      continue;
    }
    const std::set<AxisValue> own(finding.axes.begin(), finding.axes.end());
    std::set<AxisValue> suspects = smallest_failing_subset(own, failing.at(kind_of(finding)));
    guilty.push_back(suspects.empty() ? AxisValues{}
                                      : narrow(std::move(suspects), evidence.at(population_of(finding))));
  }
  return guilty;
}

std::vector<std::string> signatures(const std::vector<Finding>& findings) {
  const std::vector<AxisValues> guilty = guilty_axis_values(findings);
  std::vector<std::string> result;
  result.reserve(findings.size());
  for (std::size_t k = 0; k < findings.size(); ++k) {
    const Finding& finding = findings[k];
    if (finding.pass) {
      result.emplace_back();
      continue;
    }
    result.push_back(to_text(signature_of(finding, guilty[k])));
  }
  return result;
}

std::vector<std::size_t> put_likeliest_faults_first(std::vector<Finding>& findings) {
  std::map<std::pair<std::string, std::string>, std::int64_t> explained;  // engine and fault
  for (const Finding& finding : findings) {
    for (const std::string& fault : finding.judgement.faults) ++explained[{finding.engine, fault}];
  }
  std::vector<std::size_t> changed;
  for (std::size_t k = 0; k < findings.size(); ++k) {
    std::vector<std::string> ordered = findings[k].judgement.faults;
    std::ranges::stable_sort(ordered, std::ranges::greater{}, [&](const std::string& fault) {
      return explained.at({findings[k].engine, fault});
    });
    if (ordered == findings[k].judgement.faults) continue;
    findings[k].judgement.faults = std::move(ordered);
    changed.push_back(k);
  }
  return changed;
}

void attribute_signatures(std::vector<Finding>& findings, reports::Store& store) {
  const std::vector<std::size_t> reordered = put_likeliest_faults_first(findings);
  const std::vector<std::string> fresh = signatures(findings);
  std::vector<Finding> changed;
  for (std::size_t k = 0; k < findings.size(); ++k) {
    if (findings[k].signature == fresh[k] && !std::ranges::binary_search(reordered, k)) continue;
    findings[k].signature = fresh[k];
    changed.push_back(findings[k]);
  }
  store.add(changed);
}

}  // namespace cellproof::campaign
