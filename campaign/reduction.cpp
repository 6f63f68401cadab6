#include "campaign/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "campaign/progress.hpp"
#include "engines/same_outputs.hpp"
#include "oracle/minimise.hpp"
#include "reports/grouping.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

/// More than any case has axes, so that a reduction is complete, and few enough that none takes long.
constexpr std::int64_t most_runs_each = 60;

/// One case asked of the engine: what came of it, faults not named.
struct Answer {
  Outcome outcome;
  Expectation expectation;
  Judgement judgement;
};

class Questions {
 public:
  Questions(const Finding& finding, const EngineUnderTest& engine, const oracle::Probe& run)
      : finding_(finding), engine_{engine.declared, engine.proved_of(finding.version.op), run}, run_(run) {}

  Answer ask(const Case& c, bool names_faults) {
    const Problem problem = make_problem(c);
    Answer answer{run_(problem), expectation_of(problem), {}};
    ++runs_;
    if (answer.outcome.kind != OutcomeKind::Ran) return answer;
    if (finding_.judgement.kind == "repeat" && !engines::same_outputs(answer.outcome, run_(problem)))
      answer.outcome.misconduct.push_back(Misconduct::DiffersOnRepeat);
    engine_.names_faults = names_faults;
    answer.judgement = oracle::decide(problem, answer.expectation, answer.outcome, engine_);
    return answer;
  }

  bool fails_alike(const Answer& answer) const {
    if (answer.outcome.kind != finding_.outcome) return false;
    if (finding_.outcome != OutcomeKind::Ran) {
      return answer.outcome.signal == finding_.signal && answer.expectation.kind == finding_.expectation.kind;
    }
    if (answer.judgement.verdict != finding_.judgement.verdict) return false;
    if (answer.judgement.verdict == Verdict::AcceptedInvalid) {
      return !finding_.expectation.violations.empty() &&
             answer.expectation.violations.front().rule == finding_.expectation.violations.front().rule;
    }
    return answer.judgement.kind == finding_.judgement.kind &&
           (finding_.judgement.verdict != Verdict::Precision ||
            answer.judgement.contract == finding_.judgement.contract);
  }

  std::int64_t runs() const { return runs_; }

 private:
  const Finding& finding_;
  oracle::EngineContext engine_;
  const oracle::Probe& run_;
  std::int64_t runs_ = 0;
};

bool can_be_reduced(const Finding& finding) {
  return !finding.pass && finding.case_line.starts_with("cellproof-case/") &&
         finding.outcome != OutcomeKind::TimedOut && finding.outcome != OutcomeKind::HarnessError &&
         finding.outcome != OutcomeKind::EngineAbsent;
}

std::optional<Case> case_of_line(const std::string& line) {
  try {
    return parse_case(line);
  } catch (const CaseTextError&) {  // a literal too large for the line
    return std::nullopt;
  }
}

/// Positions of the findings that stand for the first so many signatures, those left out that have a reduction.
std::vector<std::size_t> representatives(const std::vector<Finding>& findings, std::size_t signatures) {
  std::set<std::string> done;
  for (const Finding& finding : findings) {
    if (finding.reduction) done.insert(finding.signature);
  }
  std::vector<std::size_t> chosen;
  std::set<std::string> seen;
  const reports::ReportData data{"", {}, {}, findings, {}, {}, {}};
  for (const reports::Group& group : reports::groups_of(data)) {
    const Finding& shown = *group.representative;
    if (!can_be_reduced(shown) || seen.size() == signatures || !seen.insert(shown.signature).second) continue;
    if (!done.contains(shown.signature)) chosen.push_back(static_cast<std::size_t>(&shown - data.findings.data()));
  }
  return chosen;
}

std::string what_is_said_of(const Answer& answer) {
  if (answer.outcome.kind != OutcomeKind::Ran) return answer.outcome.message;
  const Judgement& judgement = answer.judgement;
  if (judgement.faults.empty()) return judgement.message;
  return fmt::format("{}; behaves like {}", judgement.message, fmt::join(judgement.faults, ", "));
}

}  // namespace

std::optional<Reduction> reduce(const Finding& finding, const EngineUnderTest& engine, const oracle::Probe& run,
                                std::int64_t most_runs, const std::function<bool()>& stop) {
  if (!can_be_reduced(finding)) return std::nullopt;
  const std::optional<Case> start = case_of_line(finding.case_line);
  if (!start) return std::nullopt;
  Questions questions(finding, engine, run);
  if (!questions.fails_alike(questions.ask(*start, false))) return std::nullopt;  // not again: nothing to hold on to
  Reduction reduction;
  reduction.complete = true;
  const auto still_fails = [&](const Case& c) {
    reduction.complete = reduction.complete && questions.runs() + 1 < most_runs && !stop();
    if (!reduction.complete) return false;
    const Answer answer = questions.ask(c, false);
    if (answer.outcome.kind == OutcomeKind::TimedOut) reduction.complete = false;  // a second one is not waited for
    return questions.fails_alike(answer);
  };
  const Case simplest = oracle::minimise(*start, still_fails);
  reduction.guilty = axis_values(simplest);
  const Case smallest = oracle::shrink(simplest, still_fails);
  const Answer answer = questions.ask(smallest, true);
  if (!questions.fails_alike(answer)) return std::nullopt;  // it fails at times only
  reduction.case_line = to_text(smallest);
  reduction.message = what_is_said_of(answer);
  reduction.runs = questions.runs();
  return reduction;
}

std::vector<std::size_t> reduce_representatives(std::vector<Finding>& findings, const EngineUnderTest& engine,
                                                const oracle::Probe& run, std::size_t signatures,
                                                const std::function<bool()>& stop,
                                                const std::function<void(Finding&)>& keep) {
  const std::vector<std::size_t> chosen = representatives(findings, signatures);
  if (chosen.empty()) return {};
  Progress progress(engine.name + ": smaller cases", static_cast<std::int64_t>(chosen.size()));
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards what follows
  std::vector<std::size_t> reduced;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < chosen.size() && !stop(); k = next++) {
        Finding& finding = findings[chosen[k]];
        finding.reduction = reduce(finding, engine, run, most_runs_each, stop);
        if (finding.reduction) keep(finding);
        progress.advance("");
        const std::scoped_lock lock(mutex);
        if (finding.reduction) reduced.push_back(chosen[k]);
      }
    } catch (...) {  // carried to the thread that waits, and thrown again there
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    // The engine computes for one of them while the others judge and write.
    std::vector<std::jthread> others;
    for (int k = 0; k < 2; ++k) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  std::ranges::sort(reduced);
  return reduced;
}

}  // namespace cellproof::campaign
