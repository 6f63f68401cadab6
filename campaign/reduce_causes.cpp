#include "campaign/reduce_causes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "oracle/minimise_numbers.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::campaign {
namespace {

/// Cases of one cause that are tried.
constexpr std::size_t most_cases_of_a_cause = 3;
/// Numbers in X, W and R of a case that is small enough.
constexpr std::int64_t few_numbers = 12;

bool is_of_cause(const Finding& finding, const Cause& cause) {
  const auto suite = cause.where.find(finding.suite);
  return suite != cause.where.end() && std::ranges::binary_search(suite->second, finding.number);
}

/// Is it reduced to the end, and to what a reader takes in?
bool is_small(const Finding& finding) {
  return finding.reduction && finding.reduction->complete && oracle::numbers_in_smallest(finding) <= few_numbers;
}

/// Positions of the cause's failing cases, the smallest first; none where one is small. A broken law, which shows the
/// cause in several runs at once, is reduced only where nothing else shows it.
std::vector<std::size_t> cases_to_reduce(const Cause& cause, const std::vector<Finding>& findings) {
  std::vector<std::pair<std::int64_t, std::size_t>> sized;
  const auto shows = [&](const Finding& finding) { return !finding.pass && is_of_cause(finding, cause); };
  const bool has_others =
      std::ranges::any_of(findings, [&](const Finding& finding) { return finding.law.empty() && shows(finding); });
  for (std::size_t k = 0; k < findings.size(); ++k) {
    const Finding& finding = findings[k];
    if (!shows(finding) || (has_others && !finding.law.empty())) continue;
    if (is_small(finding)) return {};
    if (finding.reduction && finding.reduction->complete) continue;
    sized.emplace_back(oracle::numbers_in_smallest(finding), k);
  }
  std::ranges::stable_sort(sized, {}, &std::pair<std::int64_t, std::size_t>::first);
  if (sized.size() > most_cases_of_a_cause) sized.resize(most_cases_of_a_cause);
  std::vector<std::size_t> chosen;
  for (const auto& [size, k] : sized) chosen.push_back(k);
  return chosen;
}

}  // namespace

std::vector<std::size_t> reduce_causes(const std::vector<Cause>& causes, std::vector<Finding>& findings,
                                       const EngineUnderTest& engine, const engines::Probe& run,
                                       const ReductionLimits& limits, const std::function<void(Finding&)>& keep) {
  std::vector<std::size_t> reduced;
  for (const Cause& cause : causes) {
    for (const std::size_t k : cases_to_reduce(cause, findings)) {
      if ((limits.stop && limits.stop()) || (limits.late && limits.late())) return reduced;
      Finding& finding = findings[k];
      ReductionLimits of_this = limits;
      if (finding.flaky || !finding.misconduct.empty()) of_this.most_calls *= limits.tries;
      std::optional<Reduction> better = reduce(finding, engine, run, of_this);
      if (!better || (!better->complete && better->case_line == smallest_line(finding))) continue;
      finding.reduction = std::move(better);
      keep(finding);
      reduced.push_back(k);
      if (is_small(finding)) break;
    }
  }
  return reduced;
}

}  // namespace cellproof::campaign
