#include "campaign/reduce_causes.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "causes/clusters.hpp"

#include "campaign/at_once.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/minimise_numbers.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::campaign {
namespace {

/// Cases of one cause that are tried.
constexpr std::size_t most_cases_of_a_cause = 3;
/// Times that a case is taken up which was not reduced to the end.
constexpr int most_attempts = 2;
/// Numbers in X, W and R of a case that is small enough, and of one that takes as long to reduce as dozens of others.
constexpr std::int64_t few_numbers = 12, many_numbers = 4096;

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

/// The finding as the model has it: what a reduction must hold on to. A fault that explains this case and that the
/// model refutes is no part of that.
Finding as_modelled(const Finding& finding, const Cause& cause) {
  Finding modelled = finding;
  std::erase_if(modelled.judgement.faults,
                [&](const std::string& fault) { return std::ranges::find(cause.faults, fault) == cause.faults.end(); });
  return modelled;
}

/// The faults of the model.
std::vector<const oracle::Fault*> faults_of(const std::vector<Cause>& causes) {
  std::vector<const oracle::Fault*> faults;
  for (const Cause& cause : causes)
    for (const std::string& id : cause.faults) faults.push_back(oracle::fault_named(id));
  return faults;
}

/// Is the case one that a fault of the cause explains by itself? Such a case proves it.
bool is_explained_alone(const Finding& finding, const Cause& cause) {
  return std::ranges::any_of(cause.faults, [&](const std::string& fault) {
    return std::ranges::find(finding.judgement.faults, fault) != finding.judgement.faults.end();
  });
}

/// Positions of the cause's failing cases, those that may prove it and the smallest first; where one is small and
/// proves it, or enough are reduced to the end, one of those that these do not account for. A broken law, which shows
/// the cause in several runs at once, is reduced only where nothing else shows it.
std::vector<std::size_t> cases_to_reduce(const Cause& cause, const std::vector<Finding>& findings,
                                         const Attempts& attempts) {
  std::vector<std::tuple<bool, std::int64_t, std::size_t>> sized;
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
    sized.emplace_back(!is_explained_alone(finding, cause), oracle::numbers_in_smallest(finding), k);
  }
  std::ranges::sort(sized);
  const bool is_shown = (has_small && cause.status != CauseStatus::Likely) || needs.size() >= most_cases_of_a_cause;
  if (is_shown) {
    if (cause.status != CauseStatus::Unexplained) return {};
    std::erase_if(sized, [&](const auto& one) { return is_accounted_for(findings[std::get<2>(one)], needs); });
  }
  // A large case becomes no smaller than what is left of a small one.
  const auto is_large = [](const auto& one) { return std::get<1>(one) > many_numbers; };
  if (!is_shown && (!needs.empty() || !std::ranges::all_of(sized, is_large))) std::erase_if(sized, is_large);
  const std::size_t most = is_shown ? 1 : most_cases_of_a_cause - needs.size();
  if (sized.size() > most) sized.resize(most);
  std::erase_if(sized, [&](const auto& one) {
    const auto attempted = attempts.find(std::get<2>(one));
    return attempted != attempts.end() && attempted->second >= most_attempts;
  });
  std::vector<std::size_t> chosen;
  for (const auto& one : sized) chosen.push_back(std::get<2>(one));
  return chosen;
}

}  // namespace

std::vector<std::size_t> reduce_causes(const causes::Modelled& model, std::vector<Finding>& findings,
                                       const EngineUnderTest& engine, const engines::Probe& run,
                                       const ReductionLimits& limits, Attempts& attempts,
                                       const std::function<void(Finding&)>& keep) {
  const std::vector<Cause>& causes = model.causes;
  EngineUnderTest modelled = engine;
  modelled.tried = faults_of(causes);
  std::vector<std::vector<std::size_t>> chosen;
  std::set<std::size_t> taken;  // a case may show two causes
  for (const Cause& cause : causes) {
    chosen.push_back(cases_to_reduce(cause, findings, attempts));
    std::erase_if(chosen.back(), [&](std::size_t k) { return !taken.insert(k).second; });
  }
  std::mutex mutex;  // guards `reduced` and `attempts`
  std::vector<std::size_t> reduced;
  at_once("to reduce cases", causes.size(), [&](std::size_t number) {
    for (const std::size_t k : chosen[number]) {
      if ((limits.stop && limits.stop()) || (limits.late && limits.late())) return;
      Finding& finding = findings[k];
      {
        const std::scoped_lock lock(mutex);
        ++attempts[k];
      }
      ReductionLimits of_this = limits;
      if (finding.flaky || !finding.misconduct.empty()) of_this.most_calls *= limits.tries;
      const Finding as_it_is = as_modelled(finding, causes[number]);
      EngineUnderTest of_cause = modelled;
      if (model.explains && causes[number].status == CauseStatus::Unexplained) {
        of_cause.tried.emplace();  // the model has them, each in its scope
        of_cause.explains = [&](const Problem& problem, const oracle::Answers& answers) {
          return model.explains(finding, problem, answers);
        };
      }
      std::optional<Reduction> better = reduce(as_it_is, of_cause, run, of_this);
      if (!better || (!better->complete && better->case_line == smallest_line(finding))) continue;
      finding.reduction = std::move(better);
      keep(finding);
      const std::scoped_lock lock(mutex);
      reduced.push_back(k);
      if (is_small(finding)) break;
    }
  });
  std::ranges::sort(reduced);
  return reduced;
}

}  // namespace cellproof::campaign
