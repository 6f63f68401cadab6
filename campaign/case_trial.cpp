#include "campaign/case_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "campaign/evidence.hpp"
#include "campaign/law_trial.hpp"
#include "engines/same_outputs.hpp"
#include "oracle/crosscheck/crosscheck.hpp"
#include "oracle/decide.hpp"
#include "oracle/twin.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

std::uint64_t hash_number(const std::string& hash) {
  std::uint64_t number = 0;
  std::from_chars(hash.data(), hash.data() + hash.size(), number, 16);
  return number;
}

bool ran_dead(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::Crashed || outcome.kind == OutcomeKind::TimedOut ||
         outcome.kind == OutcomeKind::OutOfMemory;
}

/// Runs the problem once more and notes what differs. Returns whether that gives cause to judge anew.
bool repeat(const Trial& trial, Outcome& outcome, const oracle::Probe& ask) {
  const Outcome again = ask(trial.problem);
  if (outcome.kind == OutcomeKind::Ran && again.kind == OutcomeKind::Ran) {
    if (engines::same_outputs(outcome, again)) return false;
    outcome.misconduct.push_back(Misconduct::DiffersOnRepeat);
  } else if (outcome.kind == OutcomeKind::Ran && ran_dead(again)) {
    const std::string message = fmt::format("ran once, then on the identical second call: {}", again.message);
    outcome = again;
    outcome.message = message;
  } else if (ran_dead(outcome) && again.kind == OutcomeKind::Ran) {
    outcome.message += " (ran when called a second time)";
  } else {
    return false;
  }
  return true;
}

bool is_repeated(const Trial& trial, const Sampling& sampling) {
  return hash_number(trial.case_hash) % sampling.repeat_one_in == 0;
}

/// The verdicts that rest on the oracle's arithmetic, so that the naive reference can contradict them.
bool rests_on_arithmetic(const Judgement& judgement) {
  return judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Reading ||
         judgement.verdict == Verdict::Precision || judgement.verdict == Verdict::Suspect ||
         judgement.verdict == Verdict::Diverges;
}

/// What oracle and naive reference disagree on, under the default readings and under those that explain the outputs.
std::optional<std::string> disagreement_about(const Trial& trial, const Judgement& judgement) {
  const ContractId contract = default_contract(trial.c.type);
  auto disagreement = oracle::crosscheck(trial.problem, {{}, contract});
  if (!disagreement && !judgement.readings.empty())
    disagreement = oracle::crosscheck(trial.problem, {Readings::of_differences(judgement.readings), contract});
  return disagreement;
}

/// Of what is known of the engine, what may bear on this problem.
std::vector<std::string> known_readings(const Problem& problem, const Readings& proved) {
  Readings touched;
  for (const Clause clause : clauses_touched(problem)) {
    if (!info(clause).readings.empty()) touched = touched.with(clause, proved.of(clause));
  }
  return touched.differences();
}

}  // namespace

Trial make_trial(const std::string& suite, std::int64_t number, const corpus::SuiteCase& suite_case) {
  Trial trial{suite, number, suite_case.name, to_text(suite_case.c), {}, suite_case.c, {}, {}, {}, {}, {}};
  trial.case_hash = case_hash(suite_case.c);
  trial.problem = make_problem(suite_case.c);
  trial.expectation = expectation_of(trial.problem);
  if (trial.expectation.kind == Expectation::Kind::Refuse) {
    if (const auto twin = valid_twin(suite_case.c)) trial.valid_twin = make_problem(*twin);
  }
  if (!suite_case.law.empty()) {
    trial.law = &fuzz::law_named(suite_case.law);
    const auto experiment = trial.law->experiment(trial.problem);
    if (experiment && experiment->threads.empty()) trial.law_problems = experiment->problems;
  }
  return trial;
}

const Problem& first_question(const Trial& trial) {
  return trial.law_problems.empty() ? trial.problem : trial.law_problems.front();
}

std::vector<Problem> foreseen_questions(const Trial& trial, const Sampling& sampling) {
  std::vector<Problem> questions;
  if (trial.law != nullptr) {
    for (std::size_t k = 1; k < trial.law_problems.size(); ++k) questions.push_back(trial.law_problems[k]);
    return questions;
  }
  if (trial.valid_twin) questions.push_back(*trial.valid_twin);
  if (trial.expectation.kind == Expectation::Kind::Refuse) return questions;
  if (is_repeated(trial, sampling)) questions.push_back(trial.problem);
  if (oracle::needs_twin(trial.problem)) questions.push_back(oracle::with_all_outputs(trial.problem));
  return questions;
}

EngineUnderTest engine_under_test(const engines::EngineDescription& description,
                                  const std::map<std::string, ContractId>& contracts) {
  const auto given = contracts.find(description.name);
  const bool is_given = given != contracts.end();
  return {.name = description.name,
          .version = description.version,
          .declared = is_given ? std::optional(given->second) : description.contract,
          .given = is_given};
}

namespace {

/// What is known of case and engine, and what became of the run; all but the judgement.
Finding finding_of(const Trial& trial, const EngineUnderTest& engine, const Outcome& outcome) {
  Finding finding;
  finding.engine = engine.name;
  finding.engine_version = engine.version;
  finding.suite = trial.suite;
  finding.number = trial.number;
  finding.case_name = trial.case_name;
  finding.case_line = trial.case_line;
  finding.case_hash = trial.case_hash;
  if (trial.law != nullptr) finding.law = trial.law->id;
  finding.version = trial.c.version;
  finding.type = onnx_name(trial.c.type);
  finding.axes = axis_values(trial.c);
  finding.expectation = trial.expectation;
  finding.outcome = outcome.kind;
  finding.outcome_message = outcome.message;
  finding.signal = outcome.signal;
  finding.misconduct = outcome.misconduct;
  finding.timings = outcome.timings;
  return finding;
}

Finding conclude_law(const Trial& trial, const EngineUnderTest& engine, Outcome first, const oracle::Probe& ask) {
  // The engine has computed the first problem already; a law may ask the same one again.
  std::optional<Outcome> known;
  if (!trial.law_problems.empty()) known = std::move(first);
  const auto ask_others = [&](const Problem& problem) {
    if (!known) return ask(problem);
    return *std::exchange(known, std::nullopt);
  };
  LawAnswer answer = answer_to_law(*trial.law, trial.problem, ask_others, engine.threaded, engine.declared);
  Finding finding = finding_of(trial, engine, answer.outcome);
  finding.judgement = std::move(answer.judgement);
  finding.pass = oracle::passes_gate(answer.outcome, finding.judgement, engine.declared);
  if (!finding.pass && !finding.judgement.verdict) finding.judgement.kind = name(answer.outcome.kind);
  return finding;
}

}  // namespace

Finding conclude(const Trial& trial, const EngineUnderTest& engine, Outcome outcome, const oracle::Probe& asked,
                 const Sampling& sampling, const std::function<void()>& checkpoint) {
  const oracle::Probe ask = [&](const Problem& problem) {
    if (checkpoint) checkpoint();
    return asked(problem);
  };
  if (trial.law != nullptr) return conclude_law(trial, engine, std::move(outcome), ask);
  const std::uint64_t hash = hash_number(trial.case_hash);
  bool repeated = false;
  if (outcome.kind == OutcomeKind::Ran && is_repeated(trial, sampling)) {
    repeat(trial, outcome, ask);
    repeated = true;
  }
  const oracle::EngineContext context{.declared = engine.declared,
                                      .proved = engine.proved_of(trial.c.version.op),
                                      .probe = ask,
                                      .checkpoint = checkpoint};
  const auto decide = [&] {
    context.pass_checkpoint();
    return oracle::decide(trial.problem, trial.expectation, outcome, context,
                          trial.valid_twin ? &*trial.valid_twin : nullptr);
  };
  Judgement judgement = decide();
  bool pass = oracle::passes_gate(outcome, judgement, engine.declared);
  if (!pass && !repeated && outcome.kind != OutcomeKind::EngineAbsent && outcome.kind != OutcomeKind::HarnessError) {
    if (repeat(trial, outcome, ask)) {
      judgement = decide();
      pass = oracle::passes_gate(outcome, judgement, engine.declared);
    }
  }
  const bool sampled = hash / sampling.repeat_one_in % sampling.crosscheck_one_in == 0;
  if (outcome.kind == OutcomeKind::Ran && trial.expectation.kind != Expectation::Kind::Refuse &&
      rests_on_arithmetic(judgement) && (!pass || sampled)) {
    context.pass_checkpoint();
    if (const auto disagreement = disagreement_about(trial, judgement)) {
      outcome.kind = OutcomeKind::HarnessError;
      outcome.message = "oracle and naive reference disagree: " + *disagreement;
      judgement = {};
      judgement.message = outcome.message;
      pass = false;
    }
  }

  Finding finding = finding_of(trial, engine, outcome);
  if (engine.given) finding.given_contract = engine.declared;
  if (judgement.verdict != Verdict::Conforms) finding.known_readings = known_readings(trial.problem, context.proved);
  context.pass_checkpoint();
  if (outcome.kind != OutcomeKind::HarnessError) finding.evidence = evidence_of(trial, outcome, judgement, context);
  finding.judgement = std::move(judgement);
  // Accepting what one rule forbids and what another forbids are two signatures, and so are a crash and a hang.
  if (finding.judgement.verdict == Verdict::AcceptedInvalid && !trial.expectation.violations.empty()) {
    finding.judgement.kind = trial.expectation.violations.front().rule;
  }
  if (!pass && !finding.judgement.verdict && finding.judgement.kind.empty())
    finding.judgement.kind = name(outcome.kind);
  finding.pass = pass;
  return finding;
}

}  // namespace cellproof::campaign
