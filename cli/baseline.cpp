#include "cli/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

#include "oracle/signature.hpp"

namespace cellproof::cli {
namespace {

using CaseId = std::tuple<std::string, std::string, std::string>;  // engine, law, case line
using Signatures = std::set<std::string>;

constexpr std::string_view unattributed_end = ", axes=unattributed)";

bool is_failure(const Finding& finding) {
  return !finding.pass && !finding.signature.empty();
}

CaseId case_of(const Finding& finding) {
  return {finding.engine, finding.law, finding.case_line};
}

/// All but the axes. Which of several possible faults is the likeliest, and so stands in the signature, is a matter of
/// the run's other cases: here they all stand, in the order of their names.
std::string way_of(const Finding& finding) {
  Judgement judgement = finding.judgement;
  std::ranges::sort(judgement.faults);
  return fmt::format("{} {} {}", oracle::signature_key(finding.engine, finding.version.op, judgement),
                     fmt::join(judgement.faults, " "), name(finding.outcome));
}

std::string without_axes(const std::string& signature) {
  return signature.substr(0, signature.rfind(", "));
}

Signatures failing_signatures(const std::vector<Finding>& findings, const std::set<std::string>& engines) {
  Signatures signatures;
  for (const Finding& finding : findings) {
    if (is_failure(finding) && engines.contains(finding.engine)) signatures.insert(finding.signature);
  }
  return signatures;
}

/// In what ways each case that was run has failed; no way: it did not.
std::map<CaseId, std::set<std::string>> ways_by_case(const std::vector<Finding>& findings) {
  std::map<CaseId, std::set<std::string>> ways;
  for (const Finding& finding : findings) {
    std::set<std::string>& of_case = ways[case_of(finding)];
    if (is_failure(finding)) of_case.insert(way_of(finding));
  }
  return ways;
}

std::map<std::string, Signatures> by_what_is_not_axes(const Signatures& signatures) {
  std::map<std::string, Signatures> groups;
  for (const std::string& signature : signatures) groups[without_axes(signature)].insert(signature);
  return groups;
}

/// How sure it is that a failure is an old one; a signature is as sure as the least sure of its findings.
enum class Standing { Known, Possible, New };

/// What the base store says of failures whose signature it does not have.
class Base {
 public:
  Base(const std::vector<Finding>& findings, const Signatures& signatures)
      : ways_(ways_by_case(findings)), alike_(by_what_is_not_axes(signatures)) {}

  Standing standing_of(const Finding& finding) const {
    const auto same_case = ways_.find(case_of(finding));
    if (same_case != ways_.end()) return same_case->second.contains(way_of(finding)) ? Standing::Known : Standing::New;
    const Signatures alike = alike_to(finding.signature);
    const bool is_open = finding.signature.ends_with(unattributed_end) ||
                         alike.contains(without_axes(finding.signature).append(unattributed_end));
    return is_open && !alike.empty() ? Standing::Possible : Standing::New;
  }

  /// The base's signatures that differ from this one at most in the axes.
  Signatures alike_to(const std::string& signature) const {
    const auto found = alike_.find(without_axes(signature));
    return found == alike_.end() ? Signatures{} : found->second;
  }

 private:
  std::map<CaseId, std::set<std::string>> ways_;
  std::map<std::string, Signatures> alike_;
};

std::map<std::string, Standing> standings(const std::vector<Finding>& findings, const Signatures& before,
                                          const Base& base) {
  std::map<std::string, Standing> result;
  for (const Finding& finding : findings) {
    if (!is_failure(finding)) continue;
    Standing& standing = result.try_emplace(finding.signature, Standing::Known).first->second;
    if (!before.contains(finding.signature)) standing = std::max(standing, base.standing_of(finding));
  }
  return result;
}

/// The base's signatures of which some case still fails in the same way, whatever its signature is now.
Signatures still_failing(const std::vector<Finding>& base, const std::vector<Finding>& findings) {
  const auto ways = ways_by_case(findings);
  Signatures still;
  for (const Finding& finding : base) {
    const auto now = ways.find(case_of(finding));
    if (is_failure(finding) && now != ways.end() && now->second.contains(way_of(finding)))
      still.insert(finding.signature);
  }
  return still;
}

}  // namespace

BaselineComparison compare_with_baseline(const std::vector<Finding>& base, const std::string& name,
                                         reports::ReportData& data) {
  std::set<std::string> engines;
  for (const Finding& finding : data.findings) engines.insert(finding.engine);
  const Signatures before = failing_signatures(base, engines);
  const Base knowledge(base, before);
  Signatures not_gone = still_failing(base, data.findings);
  BaselineComparison comparison;
  for (const auto& [signature, standing] : standings(data.findings, before, knowledge)) {
    not_gone.insert(signature);
    if (standing == Standing::New) {
      comparison.fresh.push_back(signature);
    } else if (standing == Standing::Known) {
      comparison.known.push_back(signature);
      data.waived[signature] = {"", "", fmt::format("{} fails so already", name)};
    } else {
      const Signatures alike = knowledge.alike_to(signature);
      not_gone.insert(alike.begin(), alike.end());
      comparison.possibly_known[signature] = {alike.begin(), alike.end()};
      data.waived[signature] = {"", "",
                                fmt::format("possibly, as {} fails alike in other cases, and has not run these", name)};
    }
  }
  std::ranges::set_difference(before, not_gone, std::back_inserter(comparison.gone));
  return comparison;
}

std::string to_text(const BaselineComparison& comparison, const std::string& name) {
  const auto& [fresh, known, possibly_known, gone] = comparison;
  std::string text =
      fmt::format("against {}: {} new, {} known, {}{} gone\n", name, fresh.size(), known.size(),
                  possibly_known.empty() ? "" : fmt::format("{} possibly known, ", possibly_known.size()), gone.size());
  for (const std::string& signature : fresh) text += fmt::format("  new   {}\n", signature);
  for (const auto& [signature, alike] : possibly_known) {
    text += fmt::format("  possibly known   {}\n", signature);
    for (const std::string& other : alike) text += fmt::format("    the base has   {}\n", other);
  }
  for (const std::string& signature : gone) text += fmt::format("  gone  {}\n", signature);
  return text;
}

}  // namespace cellproof::cli
