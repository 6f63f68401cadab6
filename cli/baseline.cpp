#include "cli/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace cellproof::cli {
namespace {

std::set<std::string> failing_signatures(const std::vector<Finding>& findings, const std::set<std::string>& engines) {
  std::set<std::string> signatures;
  for (const Finding& finding : findings) {
    if (!finding.pass && !finding.signature.empty() && engines.contains(finding.engine))
      signatures.insert(finding.signature);
  }
  return signatures;
}

}  // namespace

BaselineComparison compare_with_baseline(const std::vector<Finding>& base, const std::string& name,
                                         reports::ReportData& data) {
  std::set<std::string> engines;
  for (const Finding& finding : data.findings) engines.insert(finding.engine);
  const std::set<std::string> before = failing_signatures(base, engines),
                              now = failing_signatures(data.findings, engines);
  BaselineComparison comparison;
  std::ranges::set_difference(now, before, std::back_inserter(comparison.fresh));
  std::ranges::set_intersection(now, before, std::back_inserter(comparison.known));
  std::ranges::set_difference(before, now, std::back_inserter(comparison.gone));
  for (const std::string& signature : comparison.known)
    data.waived[signature] = {"", "", fmt::format("{} fails so already", name)};
  return comparison;
}

std::string to_text(const BaselineComparison& comparison, const std::string& name) {
  const auto& [fresh, known, gone] = comparison;
  std::string text =
      fmt::format("against {}: {} new, {} known, {} gone\n", name, fresh.size(), known.size(), gone.size());
  for (const std::string& signature : fresh) text += fmt::format("  new   {}\n", signature);
  for (const std::string& signature : gone) text += fmt::format("  gone  {}\n", signature);
  return text;
}

}  // namespace cellproof::cli
