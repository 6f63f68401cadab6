#include "campaign/attribution.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "oracle/signature.hpp"

namespace cellproof::campaign {
namespace {

using AxisValue = std::pair<std::string, std::string>;
/// Cases that fail in the same way on the same engine and operator may explain each other.
using Kind = std::tuple<std::string, Operator, std::string, std::string>;

std::string verdict_or_outcome(const Finding& finding) {
  if (finding.outcome != OutcomeKind::Ran || !finding.judgement.verdict) return std::string(name(finding.outcome));
  return std::string(name(*finding.judgement.verdict));
}

Kind kind_of(const Finding& finding) {
  return {finding.engine, finding.version.op, verdict_or_outcome(finding), finding.judgement.kind};
}

struct Count {
  std::int64_t failed = 0;
  std::int64_t passed = 0;
  double failure_rate() const { return static_cast<double>(failed) / static_cast<double>(failed + passed); }
};

/// Per engine and operator: how the cases with an axis value fared. Gaps say nothing: they did not run.
using Counts = std::map<std::tuple<std::string, Operator, AxisValue>, Count>;

bool says_something(const Finding& finding) {
  return !finding.pass || finding.judgement.verdict.has_value();
}

Counts count(const std::vector<Finding>& findings) {
  Counts counts;
  for (const Finding& finding : findings) {
    if (!says_something(finding)) continue;
    for (const AxisValue& value : finding.axes) {
      Count& entry = counts[{finding.engine, finding.version.op, value}];
      ++(finding.pass ? entry.passed : entry.failed);
    }
  }
  return counts;
}

std::set<AxisValue> smallest_failing_subset(const std::set<AxisValue>& own,
                                            const std::vector<const Finding*>& siblings) {
  const std::set<AxisValue>* best = &own;
  std::set<AxisValue> found;
  for (const Finding* sibling : siblings) {
    std::set<AxisValue> other(sibling->axes.begin(), sibling->axes.end());
    const bool smaller = other.size() < best->size() || (other.size() == best->size() && other < *best);
    if (smaller && std::includes(own.begin(), own.end(), other.begin(), other.end())) {
      found = std::move(other);
      best = &found;
    }
  }
  return *best;
}

AxisValues narrow(const std::set<AxisValue>& suspects, const Finding& finding, const Counts& counts, double base_rate) {
  const auto count_of = [&](const AxisValue& value) { return counts.at({finding.engine, finding.version.op, value}); };
  const AxisValue* surest = nullptr;
  for (const AxisValue& value : suspects) {
    if (count_of(value).passed == 0 && (surest == nullptr || count_of(value).failed > count_of(*surest).failed)) {
      surest = &value;
    }
  }
  // One failure alone proves nothing of a value that no other case has, unless it is the only suspect.
  if (surest != nullptr && (count_of(*surest).failed > 1 || suspects.size() == 1)) return {*surest};
  AxisValues kept;
  for (const AxisValue& value : suspects) {
    if (count_of(value).failure_rate() > base_rate) kept.push_back(value);
  }
  return kept.empty() ? AxisValues(suspects.begin(), suspects.end()) : kept;
}

}  // namespace

std::vector<AxisValues> guilty_axis_values(const std::vector<Finding>& findings) {
  const Counts counts = count(findings);
  std::map<Kind, std::vector<const Finding*>> failing;
  std::map<std::pair<std::string, Operator>, Count> base;
  for (const Finding& finding : findings) {
    if (!finding.pass) failing[kind_of(finding)].push_back(&finding);
    if (says_something(finding)) {
      Count& entry = base[{finding.engine, finding.version.op}];
      ++(finding.pass ? entry.passed : entry.failed);
    }
  }
  std::vector<AxisValues> guilty;
  guilty.reserve(findings.size());
  for (const Finding& finding : findings) {
    if (finding.pass) {
      guilty.emplace_back();
      continue;
    }
    const std::set<AxisValue> own(finding.axes.begin(), finding.axes.end());
    const std::set<AxisValue> suspects = smallest_failing_subset(own, failing.at(kind_of(finding)));
    const double base_rate = base.at({finding.engine, finding.version.op}).failure_rate();
    guilty.push_back(suspects.empty() ? AxisValues{} : narrow(suspects, finding, counts, base_rate));
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
    result.push_back(oracle::signature(finding.engine, finding.version.op, finding.judgement, guilty[k]));
  }
  return result;
}

void attribute_signatures(reports::Store& store) {
  std::vector<Finding> findings = store.findings();
  const std::vector<std::string> fresh = signatures(findings);
  for (std::size_t k = 0; k < findings.size(); ++k) {
    if (findings[k].signature == fresh[k]) continue;
    findings[k].signature = fresh[k];
    store.add(findings[k]);
  }
}

}  // namespace cellproof::campaign
