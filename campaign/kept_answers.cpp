#include "campaign/kept_answers.hpp"

#include <algorithm>
#include <exception>

#include "campaign/output_bytes.hpp"
#include "fuzz/law.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

std::size_t bytes_of(const std::vector<Outputs>& runs) {
  std::size_t bytes = 0;
  for (const Outputs& outputs : runs)
    for (const auto& output : outputs)
      if (output) bytes += output->bytes().size();
  return bytes;
}

/// Was the answer compared with what is right, and is it what a second call would give?
bool is_compared(const Finding& finding) {
  return finding.outcome == OutcomeKind::Ran && finding.misconduct.empty() && !finding.flaky &&
         finding.judgement.verdict && finding.expectation.kind != Expectation::Kind::Refuse;
}

/// Problems of a law's runs, the last of which may be made of what came of the others.
std::vector<Problem> problems_of_law(const std::string& law, const Problem& problem, const std::vector<Outputs>& runs) {
  auto experiment = fuzz::law_named(law).experiment(problem);
  if (!experiment) return {};
  std::vector<Problem> problems = std::move(experiment->problems);
  if (experiment->last && runs.size() == problems.size() + 1) {
    std::vector<Outcome> outcomes(problems.size());
    for (std::size_t k = 0; k < problems.size(); ++k) {
      outcomes[k].kind = OutcomeKind::Ran;
      outcomes[k].outputs = runs[k];
    }
    if (auto last = experiment->last(outcomes)) problems.push_back(*std::move(last));
  }
  return problems;
}

/// Problems of the runs of a finding's case.
std::vector<Problem> problems_of(const Finding& finding, const Case& c, const std::vector<Outputs>& runs) {
  Problem problem = make_problem(c);
  if (!finding.law.empty()) return problems_of_law(finding.law, problem, runs);
  if (runs.size() == 1) return {std::move(problem)};
  Problem with_all = oracle::with_all_outputs(problem);
  return {std::move(problem), std::move(with_all)};
}

}  // namespace

void KeptAnswers::keep(const Trial& trial, const oracle::Answers& answers) {
  if (answers.outcome.kind != OutcomeKind::Ran || trial.expectation.kind == Expectation::Kind::Refuse) return;
  Kept kept{trial.c, {answers.outcome.outputs}};
  if (answers.all_outputs && answers.all_outputs->kind == OutcomeKind::Ran)
    kept.runs.push_back(answers.all_outputs->outputs);
  keep(trial.suite, trial.number, std::move(kept));
}

void KeptAnswers::keep_runs(const Trial& trial, std::vector<Outputs> runs) {
  keep(trial.suite, trial.number, {trial.c, std::move(runs)});
}

void KeptAnswers::keep(const std::string& suite, std::int64_t number, Kept kept) {
  const std::size_t bytes = bytes_of(kept.runs);
  const std::scoped_lock lock(mutex_);
  if (bytes_ + bytes > most_bytes_) return;
  bytes_ += bytes;
  kept_.insert_or_assign({suite, number}, std::move(kept));
}

KeptAnswers::Wanted KeptAnswers::wanted_of(const std::vector<Finding>& findings) {
  const auto is_wrong = [](const Finding& finding) { return !finding.pass && is_compared(finding); };
  const bool is_any_wrong = std::ranges::any_of(findings, is_wrong);
  Wanted wanted;
  for (const Finding& finding : findings) {
    if (is_any_wrong || finding.judgement.verdict == Verdict::Reading)
      wanted[{finding.suite, finding.number}] = &finding;
  }
  return wanted;
}

void KeptAnswers::take_over(const Wanted& wanted, const reports::StoredAnswer& answer) {
  const auto finding = wanted.find({answer.suite, answer.number});
  if (finding == wanted.end()) return;
  try {
    std::vector<Outputs> runs = outputs_of_bytes(answer.outputs);
    if (runs.empty()) return;
    keep(answer.suite, answer.number, {parse_case(finding->second->case_line), std::move(runs)});
  } catch (const std::exception&) {  // damaged, or a case whose tensors lie in somebody's file
  }
}

void KeptAnswers::take_over(const std::vector<Finding>& findings, const std::vector<reports::StoredAnswer>& stored) {
  const Wanted wanted = wanted_of(findings);
  for (const reports::StoredAnswer& answer : stored) take_over(wanted, answer);
}

void KeptAnswers::take_over(const std::vector<Finding>& findings, const reports::Store& store,
                            const std::string& engine) {
  const Wanted wanted = wanted_of(findings);
  if (wanted.empty()) return;
  {
    // Nothing goes into the store from here on: the limit holds for what comes back.
    const std::scoped_lock lock(mutex_);
    bytes_ = 0;
    for (const auto& [place, kept] : kept_) bytes_ += bytes_of(kept.runs);
  }
  store.for_each_answer(engine, [&](const reports::StoredAnswer& answer) { take_over(wanted, answer); });
}

void KeptAnswers::forget(const std::vector<Finding>& findings) {
  const std::scoped_lock lock(mutex_);
  for (const Finding& finding : findings) {
    // A line that names a file of tensors does not make its case again.
    const bool is_whole = finding.case_line.find(".bin#") == std::string::npos;
    if (is_whole) kept_.erase({finding.suite, finding.number});
  }
}

std::vector<reports::StoredAnswer> KeptAnswers::to_store(const std::vector<Finding>& findings) const {
  std::vector<reports::StoredAnswer> stored;
  const std::scoped_lock lock(mutex_);
  for (const Finding& finding : findings) {
    const auto kept = kept_.find({finding.suite, finding.number});
    if (kept == kept_.end() || !is_compared(finding)) continue;
    std::vector<const Outputs*> runs;
    for (const Outputs& outputs : kept->second.runs) runs.push_back(&outputs);
    stored.push_back({finding.engine, finding.suite, finding.number, to_bytes(runs)});
  }
  return stored;
}

std::vector<causes::Answered> KeptAnswers::answered(const std::vector<Finding>& findings,
                                                    std::optional<ContractId> declared,
                                                    const ProvedReadings& proved) const {
  const ProvedReadings shown = with_shown_readings(proved, findings);
  const std::scoped_lock lock(mutex_);
  const bool is_right = std::ranges::none_of(findings, [&](const Finding& finding) {
    return !finding.pass && is_compared(finding) && kept_.contains({finding.suite, finding.number});
  });
  std::vector<causes::Answered> list;
  for (const Finding& finding : findings) {
    causes::Answered& answered = list.emplace_back(causes::Answered{&finding, declared});
    const auto kept = kept_.find({finding.suite, finding.number});
    if (kept == kept_.end() || !is_compared(finding)) continue;
    if (is_right && finding.judgement.verdict != Verdict::Reading) continue;
    const std::vector<Outputs>& runs = kept->second.runs;
    std::vector<Problem> problems = problems_of(finding, kept->second.c, runs);
    if (problems.size() != runs.size()) continue;
    const auto followed = shown.find(finding.version.op);
    // The last one has most outputs, which show most.
    if (followed != shown.end()) answered.followed = that_bear_on(problems.back(), followed->second);
    for (std::size_t k = 0; k < runs.size(); ++k) answered.answers.push_back({std::move(problems[k]), runs[k]});
  }
  return list;
}

void save(reports::Store& store, const std::vector<Finding>& findings, KeptAnswers* kept) {
  if (findings.empty()) return;
  if (kept == nullptr) return store.add(findings);
  store.add(findings, kept->to_store(findings));
  kept->forget(findings);
}

}  // namespace cellproof::campaign
