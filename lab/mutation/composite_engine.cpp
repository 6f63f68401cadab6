#include "lab/mutation/composite_engine.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/reduce_causes.hpp"
#include "campaign/reduction.hpp"
#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab {
namespace {

using causes::Answered;
using causes::FaultSet;
using causes::Rejudged;
using causes::Scope;
using causes::Scopes;
using causes::Standing;
using mutants::Composite;
using mutants::Mutant;

constexpr const char* engine_name = "composite";

Finding finding_of(const CompositeTarget& target, const oracle::Answers& answers, std::int64_t number,
                   oracle::FaultList tried) {
  Finding finding;
  finding.engine = finding.suite = engine_name;
  finding.number = number;
  finding.axes = axis_values(target.c);
  finding.version = target.c.version;
  finding.type = target.c.type;
  finding.case_line = to_text(target.c);
  finding.expectation = target.expectation;
  finding.outcome = answers.outcome.kind;
  finding.judgement = oracle::decide(target.problem, target.expectation, answers, {}, tried);
  finding.pass = oracle::passes_gate(answers.outcome, finding.judgement, std::nullopt);
  return finding;
}

bool are_equal(const oracle::Answers& a, const oracle::Answers& b) {
  return a.outcome.outputs == b.outcome.outputs && a.all_outputs.has_value() == b.all_outputs.has_value() &&
         (!a.all_outputs || a.all_outputs->outputs == b.all_outputs->outputs);
}

Answered answered_of(const CompositeTarget& target, oracle::Answers answers, const Finding& finding) {
  Answered answered{&finding};
  answered.answers.push_back({target.problem, std::move(answers.outcome.outputs)});
  if (answers.all_outputs)
    answered.answers.push_back({oracle::with_all_outputs(target.problem), std::move(answers.all_outputs->outputs)});
  return answered;
}

Composite draw(std::mt19937_64& generator, std::size_t most) {
  static const Composite pool = [] {
    Composite all;
    for (const Mutant& mutant : mutants::mutants())
      if (mutants::can_be_composed(mutant)) all.push_back(&mutant);
    return all;
  }();
  const std::size_t count = 1 + generator() % most;
  Composite drawn;
  while (drawn.size() < count) {
    const Mutant* mutant = pool[generator() % pool.size()];
    if (std::ranges::find(drawn, mutant) == drawn.end()) drawn.push_back(mutant);
  }
  return drawn;
}

/// The values that faults are bound to, one at a time.
Scope draw_scope(std::mt19937_64& generator, const Mutant& mutant) {
  constexpr ElementType types[] = {ElementType::Float, ElementType::Float16, ElementType::Double};
  const auto one_of = [&](const auto& list) { return static_cast<int>(list[generator() % std::size(list)]); };
  switch (generator() % 4) {
    case 0:
      return Scope{}.with(Scope::OfOperator, {one_of(mutant.operators)});
    case 1:
      return Scope{}.with(Scope::OfType, {one_of(types)});
    case 2:
      return Scope{}.with(Scope::OfVersion, generator() % 2 == 0 ? std::set<int>{1, 7} : std::set<int>{14, 22});
    default:
      return Scope{}.with(Scope::OfDirection, {static_cast<int>(generator() % 3)});
  }
}

void draw_scopes(std::mt19937_64& generator, CompositeEngine& engine) {
  constexpr std::uint64_t one_in = 4;
  for (const Mutant* mutant : engine.planted) {
    if (generator() % one_in == 0) engine.scopes[oracle::fault_named(mutant->id)] = draw_scope(generator, *mutant);
  }
}

template <class Faults, class FaultOf>
Faults in_scope(const Faults& faults, const Scopes& scopes, const causes::Coordinates& place, const FaultOf& fault_of) {
  Faults acting;
  std::ranges::copy_if(faults, std::back_inserter(acting), [&](const auto* each) {
    const auto scope = scopes.find(fault_of(each));
    return scope == scopes.end() || scope->second.holds(place);
  });
  return acting;
}

FaultSet in_scope(const FaultSet& faults, const Scopes& scopes, const causes::Coordinates& place) {
  return in_scope(faults, scopes, place, [](const oracle::Fault* fault) { return fault; });
}

Composite planted_for(const CompositeEngine& engine, const Problem& problem) {
  return in_scope(engine.planted, engine.scopes, causes::coordinates_of(problem),
                  [](const Mutant* mutant) { return oracle::fault_named(mutant->id); });
}

/// `engine` must outlive it.
engines::Probe probe_of(const CompositeEngine& engine) {
  return [&engine](const Problem& problem) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = outputs_of(engine, problem);
    return outcome;
  };
}

/// Those of the faults that act on the case.
FaultSet acting_on(const Rejudged& each, const FaultSet& faults, const Scopes& scopes) {
  return each.acting_of(in_scope(faults, scopes, causes::coordinates_of(each.answered().answers.front().problem)));
}

}  // namespace

std::vector<CompositeTarget> composite_targets_of(const std::vector<corpus::SuiteCase>& cases) {
  std::vector<CompositeTarget> targets;
  for (const corpus::SuiteCase& made : cases) {
    Problem problem = make_problem(made.c);
    if (!made.law.empty() || !mutants::is_for_mutants(problem)) continue;
    Expectation expectation = expectation_of(problem);
    oracle::Answers right = answers_of(problem, Composite{});
    CompositeTarget target{made.c, std::move(problem), std::move(expectation), std::move(right), {}};
    target.finding = finding_of(target, target.right, std::ssize(targets), oracle::every_fault());
    targets.push_back(std::move(target));
  }
  return targets;
}

void draw_faults(std::mt19937_64& generator, std::size_t most, bool are_scoped, CompositeEngine& engine) {
  engine.planted = draw(generator, most);
  if (are_scoped) draw_scopes(generator, engine);
}

bool answer_all(CompositeEngine& engine, const std::vector<CompositeTarget>& targets) {
  for (const Mutant* mutant : engine.planted) engine.faults.push_back(oracle::fault_named(mutant->id));
  engine.findings.reserve(targets.size());
  for (const CompositeTarget& target : targets) {
    const Composite planted = planted_for(engine, target.problem);
    const auto acts = [&](const Mutant* mutant) {
      return mutants::applies(target.problem, *mutant) ||
             (target.right.all_outputs && mutants::applies(oracle::with_all_outputs(target.problem), *mutant));
    };
    const bool is_touched = std::ranges::any_of(planted, acts);
    oracle::Answers answers = is_touched ? answers_of(target.problem, planted) : target.right;
    const bool is_right = !is_touched || are_equal(answers, target.right);
    Finding& finding = engine.findings.emplace_back(target.finding);
    finding.pass = is_right && target.finding.pass;  // until it is judged
    engine.answered.push_back(answered_of(target, std::move(answers), finding));
    Rejudged told(engine.answered.back());
    const FaultSet acting = acting_on(told, engine.faults, engine.scopes);
    if (!is_right && told.standing(acting) == Standing::Excluded) return false;
  }
  return true;
}

Outputs outputs_of(const CompositeEngine& engine, const Problem& problem) {
  return mutants::run(problem, planted_for(engine, problem));
}

void judge_all(CompositeEngine& engine, const std::vector<CompositeTarget>& targets, const FaultSet& tried) {
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (!engine.findings[k].pass) {
      oracle::Answers answers;
      answers.outcome.kind = OutcomeKind::Ran;
      answers.outcome.outputs = engine.answered[k].answers.front().outputs;
      if (engine.answered[k].answers.size() > 1) {
        answers.all_outputs = answers.outcome;
        answers.all_outputs->outputs = engine.answered[k].answers.back().outputs;
      }
      engine.findings[k] = finding_of(targets[k], answers, std::ssize(engine.rejudged), tried);
    }
    engine.rejudged.emplace_back(engine.answered[k]);
  }
}

void sign_all(CompositeEngine& engine) {
  campaign::put_likeliest_faults_first(engine.findings);
  const std::vector<std::string> signatures = campaign::signatures(engine.findings);
  for (std::size_t k = 0; k < signatures.size(); ++k) engine.findings[k].signature = signatures[k];
}

bool reduce(CompositeEngine& engine, const causes::Modelled& model) {
  const campaign::EngineUnderTest under_test{engine_name, "", {}};
  return !campaign::reduce_causes(model, engine.findings, under_test, probe_of(engine), {}, engine.attempts,
                                  [](Finding&) {})
              .empty();
}

bool do_the_same(CompositeEngine& engine, const FaultSet& faults, const Scopes& scopes) {
  return std::ranges::all_of(engine.rejudged, [&](Rejudged& each) {
    const FaultSet acting = acting_on(each, faults, scopes), planted = acting_on(each, engine.faults, engine.scopes);
    if (acting == planted) return true;
    const Standing standing = each.standing(acting);
    if (each.finding().pass) return standing != Standing::Excluded;
    return standing <= each.standing(planted);
  });
}

std::vector<std::string> take_out_hidden(CompositeEngine& engine) {
  std::vector<std::string> hidden;
  for (std::size_t k = engine.faults.size(); k-- > 0;) {
    FaultSet others = engine.faults;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    if (!do_the_same(engine, others, engine.scopes)) continue;
    hidden.push_back(engine.faults[k]->id);
    engine.faults = std::move(others);
  }
  return hidden;
}

}  // namespace cellproof::lab
