#include "lab/mutation/composite.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "causes/cover.hpp"

#include "campaign/progress.hpp"
#include "campaign/start_thread.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab {
namespace {

using causes::Answered;
using causes::FaultSet;
using causes::Rejudged;
using causes::Standing;
using mutants::Composite;
using mutants::Mutant;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A case of the suite with what an engine without a fault makes of it.
struct CompositeTarget {
  Case c;
  Problem problem;
  Expectation expectation;
  oracle::Answers right;
  Finding finding;
};

Finding finding_of(const CompositeTarget& target, const oracle::Answers& answers) {
  Finding finding;
  finding.engine = "composite";
  finding.version = target.c.version;
  finding.type = target.c.type;
  finding.case_line = to_text(target.c);
  finding.expectation = target.expectation;
  finding.outcome = answers.outcome.kind;
  finding.judgement = oracle::decide(target.problem, target.expectation, answers);
  finding.pass = oracle::passes_gate(answers.outcome, finding.judgement, std::nullopt);
  return finding;
}

std::vector<CompositeTarget> composite_targets_of(const std::vector<corpus::SuiteCase>& cases) {
  std::vector<CompositeTarget> targets;
  for (const corpus::SuiteCase& made : cases) {
    Problem problem = make_problem(made.c);
    if (!made.law.empty() || !mutants::is_for_mutants(problem)) continue;
    Expectation expectation = expectation_of(problem);
    oracle::Answers right = answers_of(problem, Composite{});
    CompositeTarget target{made.c, std::move(problem), std::move(expectation), std::move(right), {}};
    target.finding = finding_of(target, target.right);
    targets.push_back(std::move(target));
  }
  return targets;
}

bool are_equal(const oracle::Answers& a, const oracle::Answers& b) {
  return a.outcome.outputs == b.outcome.outputs && a.all_outputs.has_value() == b.all_outputs.has_value() &&
         (!a.all_outputs || a.all_outputs->outputs == b.all_outputs->outputs);
}

/// An engine with faults and all that it answered.
struct CompositeEngine {
  Composite planted;
  FaultSet faults;  ///< the same for the judge
  std::deque<Finding> findings;
  std::vector<Answered> answered;
  std::deque<Rejudged> rejudged;
};

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

/// Asks the engine all cases. False where the judge, told of its faults, excludes an answer: they do not compose.
bool answer_all(CompositeEngine& engine, const std::vector<CompositeTarget>& targets) {
  for (const Mutant* mutant : engine.planted) engine.faults.push_back(oracle::fault_named(mutant->id));
  for (const CompositeTarget& target : targets) {
    const auto acts = [&](const Mutant* mutant) {
      return mutants::applies(target.problem, *mutant) ||
             (target.right.all_outputs && mutants::applies(oracle::with_all_outputs(target.problem), *mutant));
    };
    const bool is_touched = std::ranges::any_of(engine.planted, acts);
    oracle::Answers answers = is_touched ? answers_of(target.problem, engine.planted) : target.right;
    const bool is_right = !is_touched || are_equal(answers, target.right);
    Finding& finding = engine.findings.emplace_back(target.finding);
    finding.pass = is_right && target.finding.pass;  // until it is judged
    engine.answered.push_back(answered_of(target, std::move(answers), finding));
    Rejudged told(engine.answered.back());
    if (!is_right && told.standing(told.acting_of(engine.faults)) == Standing::Excluded) return false;
  }
  return true;
}

/// Judges what is not right, as a run does: one case by itself.
void judge_all(CompositeEngine& engine, const std::vector<CompositeTarget>& targets) {
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (!engine.findings[k].pass) {
      oracle::Answers answers;
      answers.outcome.kind = OutcomeKind::Ran;
      answers.outcome.outputs = engine.answered[k].answers.front().outputs;
      if (engine.answered[k].answers.size() > 1) {
        answers.all_outputs = answers.outcome;
        answers.all_outputs->outputs = engine.answered[k].answers.back().outputs;
      }
      engine.findings[k] = finding_of(targets[k], answers);
    }
    engine.rejudged.emplace_back(engine.answered[k]);
  }
}

/// Do these faults leave every case as those that are planted do: explained where it fails, possible where it passes?
bool do_the_same(CompositeEngine& engine, const FaultSet& faults) {
  return std::ranges::all_of(engine.rejudged, [&](Rejudged& each) {
    const FaultSet acting = each.acting_of(faults);
    if (acting == each.acting_of(engine.faults)) return true;
    const Standing standing = each.standing(acting);
    if (each.finding().pass) return standing != Standing::Excluded;
    return standing <= each.standing(each.acting_of(engine.faults));
  });
}

/// Takes out the faults that no case needs.
std::vector<std::string> take_out_hidden(CompositeEngine& engine) {
  std::vector<std::string> hidden;
  for (std::size_t k = engine.faults.size(); k-- > 0;) {
    FaultSet others = engine.faults;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    if (!do_the_same(engine, others)) continue;
    hidden.push_back(engine.faults[k]->id);
    engine.faults = std::move(others);
  }
  return hidden;
}

struct Named {
  FaultSet faults;
  std::int64_t explained = 0;
};

/// Greedy cover by the faults that the findings name, each by itself.
Named name_by_case(const CompositeEngine& engine) {
  Named named;
  std::vector<const Finding*> left;
  for (const Finding& finding : engine.findings)
    if (!finding.pass) left.push_back(&finding);
  for (;;) {
    std::map<std::string, std::int64_t> votes;
    for (const Finding* finding : left)
      for (const std::string& id : finding->judgement.faults) ++votes[id];
    const oracle::Fault* best = nullptr;
    for (const oracle::Fault* fault : oracle::every_fault()) {
      if (votes.contains(fault->id) && (best == nullptr || votes[fault->id] > votes[best->id])) best = fault;
    }
    if (best == nullptr) return named;
    named.faults.push_back(best);
    named.explained += std::erase_if(left, [&](const Finding* finding) {
      const auto& ids = finding->judgement.faults;
      return std::ranges::find(ids, best->id) != ids.end();
    });
  }
}

Named name_by_model(const CompositeEngine& engine) {
  const auto all = oracle::every_fault();
  causes::Cover cover(engine.answered, {all.begin(), all.end()}, {});
  cover.search();
  Named named{cover.faults(), 0};
  for (const auto& item : cover.items()) named.explained += !item.passes && item.standing == Standing::Explained;
  return named;
}

/// Pairs the named with the planted: by id, and where ids differ, by doing the same to every case.
void compare(CompositeEngine& engine, const FaultSet& named, CompositeScore& score) {
  FaultSet left, invented;
  const auto is_in = [](const FaultSet& faults) {
    return [&faults](const auto* fault) { return std::ranges::find(faults, fault) != faults.end(); };
  };
  std::ranges::remove_copy_if(engine.faults, std::back_inserter(left), is_in(named));
  std::ranges::remove_copy_if(named, std::back_inserter(invented), is_in(engine.faults));
  for (auto fault = left.begin(); fault != left.end();) {
    const auto equal = std::ranges::find_if(invented, [&](const oracle::Fault* other) {
      FaultSet replaced = engine.faults;
      std::ranges::replace(replaced, *fault, other);
      return do_the_same(engine, replaced);
    });
    if (equal == invented.end()) {
      ++fault;
      continue;
    }
    invented.erase(equal);
    fault = left.erase(fault);
  }
  // Two gate orders after one another are a third: a set that does the same and is no larger is as right.
  if (!left.empty() && invented.size() <= left.size() && do_the_same(engine, named)) {
    left.clear();
    invented.clear();
  }
  for (const auto* fault : named) score.named.push_back(fault->id);
  for (const auto* fault : invented) score.invented.push_back(fault->id);
  for (const auto* fault : left) score.left.push_back(fault->id);
}

CompositeScore score_engine(std::uint64_t number, const std::vector<CompositeTarget>& targets,
                            const CompositeOptions& options) {
  std::seed_seq seed{options.seed, number};
  std::mt19937_64 generator(seed);
  CompositeScore score;
  for (;; ++score.redrawn) {
    CompositeEngine engine;
    engine.answered.reserve(targets.size());
    engine.planted = draw(generator, options.most_faults);
    if (!answer_all(engine, targets)) continue;
    judge_all(engine, targets);
    score.hidden = take_out_hidden(engine);
    if (engine.faults.empty()) continue;
    for (const auto* fault : engine.faults) score.planted.push_back(fault->id);
    score.failing = std::ranges::count(engine.findings, false, &Finding::pass);
    const auto start = Clock::now();
    const Named named = options.named_by == NamedBy::Case ? name_by_case(engine) : name_by_model(engine);
    score.seconds = seconds_since(start);
    score.explained = named.explained;
    compare(engine, named.faults, score);
    return score;
  }
}

}  // namespace

std::vector<CompositeScore> score_composites(const std::vector<corpus::SuiteCase>& cases,
                                             const CompositeOptions& options) {
  const auto start = Clock::now();
  const std::vector<CompositeTarget> targets = composite_targets_of(cases);
  if (targets.empty()) return {};
  std::vector<CompositeScore> scores(static_cast<std::size_t>(options.engines));
  campaign::Progress progress("composite engines", options.engines);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards `failure`
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < scores.size(); k = next++) {
        if (options.seconds && seconds_since(start) > *options.seconds) return;
        scores[k] = score_engine(k, targets, options);
        progress.advance("");
      }
    } catch (...) {  // carried to the thread that waits, and thrown again there
      next = scores.size();
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < std::thread::hardware_concurrency(); ++k)
      others.push_back(campaign::start_thread("to score engines", work));
    work();
  }
  if (failure) std::rethrow_exception(failure);
  std::erase_if(scores, [](const CompositeScore& score) { return score.planted.empty(); });  // not begun
  return scores;
}

CompositeTotals totals_of(const std::vector<CompositeScore>& scores) {
  CompositeTotals totals;
  for (const CompositeScore& score : scores) {
    ++totals.engines;
    totals.whole += score.is_whole();
    totals.planted += std::ssize(score.planted);
    totals.named += std::ssize(score.named);
    totals.invented += std::ssize(score.invented);
    totals.left += std::ssize(score.left);
    totals.failing += score.failing;
    totals.explained += score.explained;
    totals.redrawn += score.redrawn;
  }
  return totals;
}

}  // namespace cellproof::lab
