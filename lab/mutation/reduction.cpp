#include "lab/mutation/reduction.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "campaign/progress.hpp"
#include "campaign/reduction.hpp"
#include "campaign/start_thread.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab {
namespace {

/// Finding that a run would hold of the mutant's failure.
Finding finding_of(const Case& c, const mutants::Mutant& mutant) {
  const Problem problem = make_problem(c);
  Finding finding;
  finding.engine = mutant.id;
  finding.version = c.version;
  finding.case_line = to_text(c);
  finding.expectation = expectation_of(problem);
  const Outcome outcome = outcome_of(problem, mutant);
  finding.outcome = outcome.kind;
  finding.judgement = oracle::decide(problem, finding.expectation, answers_of(problem, outcome, mutant));
  return finding;
}

MutantReduction reduce_one(const MutantScore& row, const Case& c) {
  const mutants::Mutant& mutant = *mutants::mutant_named(row.id);
  // The mutant need not be able to run what it cannot act on.
  const engines::Probe probe = [&mutant](const Problem& problem) {
    if (mutants::is_for_mutants(problem) && mutants::applies(problem, mutant)) return outcome_of(problem, mutant);
    Outcome refused;
    refused.kind = OutcomeKind::NotSupported;
    return refused;
  };
  const campaign::EngineUnderTest engine{row.id, "1", {}};
  const std::optional<campaign::Reduced> reduced = campaign::reduce_case(c, finding_of(c, mutant), engine, probe, {});
  if (!reduced) throw std::logic_error("mutant " + row.id + " does not fail twice on " + to_text(c));
  return {row.id,
          row.cls,
          row.op,
          row.kills.front(),
          reduced->record.case_line,
          oracle::count_numbers(c),
          oracle::count_numbers(reduced->smallest),
          reduced->record.runs,
          reduced->record.complete};
}

}  // namespace

std::vector<MutantReduction> reduce_mutants(const std::vector<corpus::SuiteCase>& cases) {
  MutationScore score = score_mutants(cases);
  std::erase_if(score.rows, [](const MutantScore& row) { return !row.killed(); });
  std::vector<MutantReduction> reductions(score.rows.size());
  campaign::Progress progress("smaller cases", static_cast<std::int64_t>(score.rows.size()));
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards `failure`
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < score.rows.size(); k = next++) {
        const MutantScore& row = score.rows[k];
        reductions[k] = reduce_one(row, std::ranges::find(cases, row.kills.front(), &corpus::SuiteCase::name)->c);
        progress.advance("");
      }
    } catch (...) {  // carried to the thread that waits, and thrown again there
      next = score.rows.size();
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < std::thread::hardware_concurrency(); ++k)
      others.push_back(campaign::start_thread("to reduce cases", work));
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return reductions;
}

}  // namespace cellproof::lab
