#include "reports/grouping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "reports/plain_text.hpp"
#include "reports/recorded_causes.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::reports {
namespace {

/// Digits do not tell two messages apart: shapes, sizes and node numbers differ from case to case.
std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit)
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
  return out;
}

/// Brackets hold the node's own inputs, types and attributes. Returns the text itself where they are not closed.
std::string without_brackets(const std::string& text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
    if (depth == 0) out += c;
    depth += c == '(' || c == '[' || c == '{';
  }
  return depth == 0 ? out : text;
}

/// A run of a law is refused as the case alone is.
std::string without_law(const Finding& finding) {
  const std::string& text = finding.outcome_message;
  if (finding.law.empty()) return text;
  const std::string kind = fmt::format(": {}: ", name(finding.outcome));
  const std::size_t at = text.find(kind);
  return at == std::string::npos ? text : text.substr(at + kind.size());
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string key_of(const Finding& finding, FindingKind kind) {
  const Judgement& judgement = finding.judgement;
  switch (kind) {
    case FindingKind::Reading:
      return joined(judgement.readings.differences());
    case FindingKind::Undecided:
      return without_numbers(sentence_of(judgement));
    case FindingKind::Gap:
      return without_numbers(without_brackets(without_law(finding)));
    case FindingKind::Absent:
    case FindingKind::HarnessError:
      return without_numbers(finding.outcome_message);
    default:
      break;
  }
  if (!finding.signature.empty()) return finding.signature;
  return fmt::format("{} {} {} {}", name(finding.version.op), name(finding.outcome), kind_name(finding),
                     finding.signal);
}

bool smaller_case(const Finding& a, const Finding& b) {
  return std::tuple(a.case_line.size(), a.case_line) < std::tuple(b.case_line.size(), b.case_line);
}

int badness(const Finding& finding) {
  return finding.judgement.verdict && kind_of(finding) != FindingKind::Gap ? severity(*finding.judgement.verdict) : 0;
}

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void choose_cases(Group& group, const CausesOfCases& causes) {
  const Finding* shown = nullptr;
  for (const Finding* f : group.members) {
    const Finding*& best = group.representative;
    if (!best || badness(*f) > badness(*best) || (badness(*f) == badness(*best) && smaller_case(*f, *best))) best = f;
    if (causes.is_shown_by(group.cause, *f)) shown = f;
    const auto ratio = [](const Finding& g) { return g.judgement.worst_ratio.value_or(0); };
    if (!f->judgement.series.empty() && (!group.plotted || ratio(*f) > ratio(*group.plotted))) group.plotted = f;
  }
  if (shown) group.representative = shown;
}

/// Cases of one engine and operator that ran and are not held against it, by axis value.
using Passing = std::map<std::pair<std::string, Operator>, std::map<AxisValue, std::vector<const Finding*>>>;

/// No case twice: an axis has one value in a case.
std::vector<const Finding*> passing_with(const Passing& passing, const Group& group, const CommonValue& common) {
  std::vector<const Finding*> cases;
  const auto of_engine = passing.find({group.engine, group.op});
  if (of_engine == passing.end()) return cases;
  for (const std::string& value : common.values) {
    const auto with_value = of_engine->second.find({common.axis, value});
    if (with_value != of_engine->second.end())
      cases.insert(cases.end(), with_value->second.begin(), with_value->second.end());
  }
  return cases;
}

const std::string* value_on(const Finding& finding, const std::string& axis) {
  const auto found =
      std::find_if(finding.axes.begin(), finding.axes.end(), [&](const AxisValue& v) { return v.first == axis; });
  return found == finding.axes.end() ? nullptr : &found->second;
}

bool fits(const Finding& finding, const CommonValue& common) {
  const std::string* value = value_on(finding, common.axis);
  return value && std::find(common.values.begin(), common.values.end(), *value) != common.values.end();
}

void find_common_values(Group& group, const Passing& passing) {
  for (const AxisValue& first : group.members.front()->axes) {
    CommonValue common{first.first, {}, 0};
    for (const Finding* f : group.members)
      if (const std::string* value = value_on(*f, first.first)) common.values.push_back(*value);
    if (common.values.size() < group.members.size()) continue;
    sort_unique(common.values);
    common.passing = passing_with(passing, group, common).size();
    group.common.push_back(std::move(common));
  }
  if (group.common.empty()) return;
  const std::vector<const Finding*> candidates = passing_with(passing, group, group.common.front());
  group.passing_alike =
      static_cast<std::size_t>(std::count_if(candidates.begin(), candidates.end(), [&](const Finding* f) {
        return std::all_of(group.common.begin(), group.common.end(), [&](const CommonValue& c) { return fits(*f, c); });
      }));
}

void complete(Group& group, const Passing& passing, const CausesOfCases& causes) {
  std::stable_sort(group.members.begin(), group.members.end(), [](const Finding* a, const Finding* b) {
    return std::tie(a->suite, a->number) < std::tie(b->suite, b->number);
  });
  for (const Finding* f : group.members) {
    group.versions.push_back(f->version);
    group.types.emplace_back(type_name(*f));
  }
  sort_unique(group.versions);
  sort_unique(group.types);
  choose_cases(group, causes);
  group.op = group.representative->version.op;
  group.engine_version = group.representative->engine_version;
  find_common_values(group, passing);
}

}  // namespace

std::string engine_argument(const ReportData& data, const std::string& engine) {
  for (const auto& [name, notes] : data.engines) {
    if (name != engine) continue;
    if (std::string argument = words_of(notes, EngineNote::Argument); !argument.empty()) return argument;
  }
  return engine;
}

std::string replay_command(const Finding& finding, const std::string& argument) {
  std::string command =
      fmt::format("./cellproof replay {} --engine {}", shell_quoted(finding.case_line), shell_quoted(argument));
  if (!finding.law.empty()) command += fmt::format(" --law {}", finding.law);
  if (finding.given_contract)
    command += fmt::format(" --contract {}",
                           shell_quoted(fmt::format("{}={}", finding.engine, name(*finding.given_contract))));
  for (const std::string& reading : finding.known_readings.differences())
    command += fmt::format(" --reading {}", shell_quoted(reading));
  return command;
}

std::vector<Group> groups_of(const ReportData& data) {
  return groups_of(data, data.findings);
}

std::vector<Group> groups_of(const ReportData& data, std::span<const Finding> findings) {
  std::map<std::tuple<std::string, FindingKind, std::string, std::string>, Group> by_key;
  const CausesOfCases causes(data);
  Passing passing;
  for (const Finding& finding : findings) {
    const FindingKind kind = kind_of(finding);
    const bool passes = kind == FindingKind::Conforms || kind == FindingKind::Reading;
    if (passes && finding.outcome == OutcomeKind::Ran)
      for (const AxisValue& value : finding.axes)
        passing[{finding.engine, finding.version.op}][value].push_back(&finding);
    if (kind == FindingKind::Conforms) continue;
    for (const std::string& cause : causes.of(finding))
      by_key[{finding.engine, kind, cause, key_of(finding, kind)}].members.push_back(&finding);
  }
  std::vector<Group> groups;
  for (auto& [key, group] : by_key) {
    std::tie(group.engine, group.kind, group.cause, group.key) = key;
    complete(group, passing, causes);
    group.engine_argument = engine_argument(data, group.engine);
    const auto is_waived = [&](const Finding* finding) { return waived_for(data, *finding) != nullptr; };
    if (std::ranges::all_of(group.members, is_waived)) group.waived = waived_for(data, *group.representative);
    groups.push_back(std::move(group));
  }
  const auto rank = [](const Group& g) {
    return std::tuple(g.kind, -badness(*g.representative), -static_cast<std::ptrdiff_t>(g.members.size()));
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) { return rank(a) < rank(b); });
  return groups;
}

std::string to_string(const CommonValue& value) {
  constexpr std::size_t most = 5;
  std::vector<std::string> shown = value.values;
  if (shown.size() > most) {
    shown.resize(most - 1);
    shown.emplace_back("...");
  }
  return fmt::format("{}={}", value.axis, fmt::join(shown, "|"));
}

std::vector<CommonValue> blamed_values(const Group& group) {
  std::vector<CommonValue> blamed = group.common;
  std::erase_if(blamed, [](const CommonValue& value) { return value.passing > 0; });
  return blamed.empty() ? group.common : blamed;
}

bool is_unattributed(const Group& group) {
  const std::optional<Signature> signature = signature_of_text(group.key);
  return signature && signature->is_unattributed();
}

std::vector<std::string> guilty_values(const Group& group) {
  const std::optional<Signature> signature = signature_of_text(group.key);
  std::vector<std::string> values;
  if (!signature) {
    for (const CommonValue& value : blamed_values(group)) values.push_back(to_string(value));
  } else if (!signature->is_unattributed()) {
    for (const auto& [axis, value] : signature->axes) values.push_back(fmt::format("{}={}", axis, value));
  }
  return values;
}

std::string condition_of(const Group& group) {
  return is_unattributed(group) ? std::string(nothing_to_blame) : joined(guilty_values(group));
}

}  // namespace cellproof::reports
