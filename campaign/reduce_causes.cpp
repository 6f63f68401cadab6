#include "campaign/reduce_causes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "causes/clusters.hpp"

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

/// Has the case what a reduction of another one of the cause has proved to be needed? Otherwise it may be of another
/// defect, where no fault says that it is not. Of models that break a rule and are run nothing more is needed.
bool is_accounted_for(const Finding& finding, const std::vector<const AxisValues*>& needs) {
  return finding.judgement.verdict == Verdict::AcceptedInvalid ||
         std::ranges::any_of(needs,
                             [&](const AxisValues* need) { return causes::has_what_is_needed(finding.axes, *need); });
}

/// Positions of the cause's failing cases, the smallest first; where one is small, one of those that it does not
/// account for. A broken law, which shows the cause in several runs at once, is reduced only where nothing else shows
/// it.
std::vector<std::size_t> cases_to_reduce(const Cause& cause, const std::vector<Finding>& findings) {
  std::vector<std::pair<std::int64_t, std::size_t>> sized;
  std::vector<const AxisValues*> needs;
  bool has_small = false;
  const auto shows = [&](const Finding& finding) { return !finding.pass && is_of_cause(finding, cause); };
  const bool has_others =
      std::ranges::any_of(findings, [&](const Finding& finding) { return finding.law.empty() && shows(finding); });
  for (std::size_t k = 0; k < findings.size(); ++k) {
    const Finding& finding = findings[k];
    if (!shows(finding) || (has_others && !finding.law.empty())) continue;
    has_small = has_small || is_small(finding);
    if (finding.reduction && finding.reduction->complete) {
      needs.push_back(&finding.reduction->guilty);
      continue;
    }
    sized.emplace_back(oracle::numbers_in_smallest(finding), k);
  }
  std::ranges::stable_sort(sized, {}, &std::pair<std::int64_t, std::size_t>::first);
  if (has_small) {
    if (cause.status != CauseStatus::Unexplained) return {};
    std::erase_if(sized, [&](const auto& one) { return is_accounted_for(findings[one.second], needs); });
  }
  const std::size_t most = has_small ? 1 : most_cases_of_a_cause;
  if (sized.size() > most) sized.resize(most);
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
