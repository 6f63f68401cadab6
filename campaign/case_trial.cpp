#include "campaign/case_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <utility>

#include "campaign/besides.hpp"
#include "campaign/evidence.hpp"
#include "campaign/kept_answers.hpp"
#include "campaign/law_trial.hpp"
#include "campaign/repeat.hpp"
#include "oracle/crosscheck/crosscheck.hpp"
#include "oracle/decide.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/content_hash.hpp"

namespace cellproof::campaign {
namespace {

std::uint64_t hash_number(const std::string& hash) {
  std::uint64_t number = 0;
  std::from_chars(hash.data(), hash.data() + hash.size(), number, 16);
  return number;
}

bool is_repeated(const Trial& trial, const Sampling& sampling) {
  return hash_number(trial.case_hash) % sampling.repeat_one_in == 0;
}

bool is_crosschecked(const Trial& trial, const Sampling& sampling) {
  return hash_number(trial.case_hash) / sampling.repeat_one_in % sampling.crosscheck_one_in == 0;
}

/// The verdicts that rest on the oracle's arithmetic, so that the naive reference can contradict them.
bool rests_on_arithmetic(const Judgement& judgement) {
  return judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Reading ||
         judgement.verdict == Verdict::Precision || judgement.verdict == Verdict::Suspect ||
         judgement.verdict == Verdict::Diverges;
}

/// The disagreement of oracle and naive reference, under the default readings and under those that explain the outputs.
std::optional<std::string> disagreement_about(const Trial& trial, const Judgement& judgement) {
  const ContractId contract = default_contract(trial.c.type);
  auto disagreement = oracle::crosscheck(trial.problem, {{}, contract});
  if (!disagreement && !judgement.readings.are_default())
    disagreement = oracle::crosscheck(trial.problem, {judgement.readings, contract});
  return disagreement;
}

}  // namespace

Trial make_trial(const std::string& suite, std::int64_t number, const corpus::SuiteCase& suite_case) {
  Trial trial;
  trial.suite = suite;
  trial.number = number;
  trial.case_name = suite_case.name;
  trial.case_line = to_text(suite_case.c);
  trial.c = suite_case.c;
  trial.clause = suite_case.clause;
  trial.case_hash = content_hash(trial.case_line);
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

std::vector<Problem> questions_of(const Trial& trial) {
  if (!trial.law_problems.empty()) return trial.law_problems;
  std::vector<Problem> questions{trial.problem};
  if (trial.law != nullptr) return questions;
  oracle::Questions further = oracle::questions_about(trial.problem, trial.expectation, trial.valid_twin);
  for (std::optional<Problem>* question : {&further.valid_twin, &further.all_outputs}) {
    if (*question) questions.push_back(*std::move(*question));
  }
  return questions;
}

EngineUnderTest engine_under_test(const engines::EngineDescription& description,
                                  const std::map<std::string, ContractId>& contracts) {
  const auto given = contracts.find(description.name);
  const bool is_given = given != contracts.end();
  return {.name = description.name,
          .version = description.version,
          .declared = is_given ? std::optional(given->second) : description.contract,
          .same_bits = description.same_bits,
          .given = is_given};
}

namespace {

/// The finding with all but its judgement: case, engine, and what became of the run.
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
  finding.type = trial.c.type;
  finding.axes = axis_values(trial.c);
  finding.expectation = trial.expectation;
  finding.outcome = outcome.kind;
  finding.outcome_message = outcome.message;
  finding.signal = outcome.signal;
  finding.misconduct = outcome.misconduct;
  finding.timings = outcome.timings;
  return finding;
}

LawAnswer answer_of_trial(const Trial& trial, const EngineUnderTest& engine, const engines::Probe& ask) {
  return answer_to_law(*trial.law, trial.problem, ask, engine.threaded, {engine.declared, engine.same_bits});
}

Finding conclude_law(const Trial& trial, const EngineUnderTest& engine, std::vector<Outcome> answers,
                     const engines::Probe& ask) {
  if (trial.law_problems.empty()) answers.clear();  // the law did not know beforehand what it would ask
  Besides besides(std::move(answers), ask);
  std::vector<Outputs> runs;
  LawAnswer answer = answer_of_trial(trial, engine, [&](const Problem& problem) {
    Outcome outcome = besides.next(problem);
    runs.push_back(outcome.outputs);
    return outcome;
  });
  const auto passes = [&](const LawAnswer& of) {
    return oracle::passes_gate(of.outcome, of.judgement, engine.declared);
  };
  const bool pass = passes(answer);
  std::optional<OtherOutcome> flaky;
  if (!pass) {
    const LawAnswer again = answer_of_trial(trial, engine, ask);
    if (again.outcome.kind != answer.outcome.kind || passes(again)) flaky = other_outcome(again.outcome);
  }
  Finding finding = finding_of(trial, engine, answer.outcome);
  finding.judgement = std::move(answer.judgement);
  finding.pass = pass;
  finding.flaky = std::move(flaky);
  if (!finding.pass && !finding.judgement.verdict) finding.judgement.kind = ViolationKind::Outcome;
  const bool may_be_explained = finding.judgement.verdict == Verdict::Diverges && !answer.only_bits_differ;
  besides.charge_to(finding);
  if (engine.kept != nullptr && may_be_explained) engine.kept->keep_runs(trial, std::move(runs));
  return finding;
}

/// The probe behind a checkpoint; empty where the probe is.
engines::Probe behind(const std::function<void()>& pass_checkpoint, const engines::Probe& probe) {
  if (!probe) return {};
  return [&pass_checkpoint, &probe](const Problem& problem) {
    pass_checkpoint();
    return probe(problem);
  };
}

/// One case between the engine's answers and the finding: each step may overrule the judgement of those before it.
class Judging {
 public:
  Judging(const Trial& trial, const EngineUnderTest& engine, std::vector<Outcome> given, const engines::Probe& ask,
          const std::function<void()>& pass_checkpoint)
      : trial_(trial),
        engine_(engine),
        ask_(ask),
        pass_checkpoint_(pass_checkpoint),
        known_{engine.declared, engine.proved_of(trial.c.version.op)},
        answers_{std::move(given.at(0))},
        besides_({std::make_move_iterator(given.begin() + 1), std::make_move_iterator(given.end())}, ask) {
    complete_answers();
    // Answers that already differ from each other: what to judge turns out when the case is asked again.
    if (have_parted()) repeat_it();
    judgement_ = decide();
    pass_ = oracle::passes_gate(outcome_, judgement_, engine.declared);
    if (repeated_ && repeated_->differs) take_repeated();
  }

  /// Asks every non-pass and a sample of the rest once more.
  void ask_again(const Sampling& sampling) {
    if (pass_ && !is_repeated(trial_, sampling)) return;
    if (outcome_.kind == OutcomeKind::EngineAbsent || outcome_.kind == OutcomeKind::HarnessError) return;
    if (repeated_) return;
    repeat_it();
    if (!repeated_->differs) return;
    judgement_ = decide();
    take_repeated();
  }

  /// Lets the naive reference judge the judge on every failing case and a sample.
  void crosscheck(const Sampling& sampling) {
    if (trial_.expectation.kind == Expectation::Kind::Refuse || (pass_ && !is_crosschecked(trial_, sampling))) return;
    if (outcome_.kind != OutcomeKind::Ran || !rests_on_arithmetic(judgement_)) return;
    pass_checkpoint_();
    const auto disagreement = disagreement_about(trial_, judgement_);
    if (!disagreement) return;
    outcome_.kind = OutcomeKind::HarnessError;
    outcome_.message = "oracle and naive reference disagree: " + *disagreement;
    judgement_ = {};
    judgement_.reason.found = outcome_.message;
    pass_ = false;
  }

  Finding take_finding() {
    Finding finding = finding_of(trial_, engine_, outcome_);
    if (repeated_) finding.flaky = repeated_->flaky;
    if (engine_.given) finding.given_contract = engine_.declared;
    if (judgement_.verdict != Verdict::Conforms) finding.known_readings = that_bear_on(trial_.problem, known_.proved);
    pass_checkpoint_();
    if (outcome_.kind != OutcomeKind::HarnessError) {
      finding.evidence = evidence_of(trial_, outcome_, judgement_, known_,
                                     [&](const Problem& problem) { return besides_.ask_surviving(problem); });
    }
    if (const auto kind = violation_kind()) judgement_.kind = kind;
    finding.judgement = std::move(judgement_);
    finding.pass = pass_;
    besides_.charge_to(finding);
    if (engine_.kept != nullptr) engine_.kept->keep(trial_, answers_);
    return finding;
  }

 private:
  /// Do outputs that were asked for alone differ from the same ones beside all others?
  bool have_parted() const {
    const std::optional<Outcome>& all = answers_.all_outputs;
    return all && all->kind == OutcomeKind::Ran && outcome_.kind == OutcomeKind::Ran &&
           oracle::first_changed_output(outcome_.outputs, all->outputs);
  }

  void repeat_it() {
    repeated_ = repeat(trial_.problem, outcome_, ask_, behind(pass_checkpoint_, engine_.other_memory));
  }

  /// Makes the judgement say that its outcome is one of several.
  void take_repeated() {
    if (repeated_->memory && repeated_->memory->output) judgement_.first = repeated_->memory;
    judgement_.reason.besides = "; " + describe(*repeated_);
    pass_ = false;
  }

  Judgement decide() {
    pass_checkpoint_();
    complete_answers();
    oracle::Decision decision(trial_.problem, trial_.expectation, answers_, known_);
    while (decision.advance()) pass_checkpoint_();
    return decision.take_judgement();
  }

  /// Adds the further answer that the verdict on the outcome rests on.
  void complete_answers() {
    const auto further = oracle::further_answer(trial_.problem, trial_.expectation, outcome_);
    if (further == oracle::FurtherAnswer::ValidTwin && trial_.valid_twin && !answers_.valid_twin)
      answers_.valid_twin = besides_.next_surviving(*trial_.valid_twin);
    if (further == oracle::FurtherAnswer::AllOutputs && !answers_.all_outputs)
      answers_.all_outputs = besides_.next_surviving(oracle::with_all_outputs(trial_.problem));
  }

  /// The kind where the oracle leaves it open: two broken rules are two signatures, and so are a crash and a hang.
  std::optional<ViolationKind> violation_kind() const {
    if (judgement_.verdict == Verdict::AcceptedInvalid && !trial_.expectation.violations.empty())
      return ViolationKind::Rule;
    const bool says_nothing = !judgement_.verdict && !judgement_.kind;
    return !pass_ && says_nothing ? std::optional(ViolationKind::Outcome) : std::nullopt;
  }

  const Trial& trial_;
  const EngineUnderTest& engine_;
  const engines::Probe& ask_;
  const std::function<void()>& pass_checkpoint_;
  oracle::Knowledge known_;
  oracle::Answers answers_;
  Outcome& outcome_ = answers_.outcome;
  Besides besides_;
  Judgement judgement_;
  bool pass_ = false;
  std::optional<Repeated> repeated_;  ///< once it was asked again
};

}  // namespace

Finding conclude(const Trial& trial, const EngineUnderTest& engine, std::vector<Outcome> given,
                 const engines::Probe& asked, const Sampling& sampling, const std::function<void()>& checkpoint) {
  const std::function<void()> pass_checkpoint = checkpoint ? checkpoint : [] {};
  const engines::Probe ask = behind(pass_checkpoint, asked);
  if (trial.law != nullptr) return conclude_law(trial, engine, std::move(given), ask);
  Judging judging(trial, engine, std::move(given), ask, pass_checkpoint);
  judging.ask_again(sampling);
  judging.crosscheck(sampling);
  return judging.take_finding();
}

}  // namespace cellproof::campaign
