#include "lab/mutation/composite.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "causes/engine_model.hpp"

#include "campaign/progress.hpp"
#include "campaign/start_thread.hpp"
#include "lab/mutation/composite_engine.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::lab {
namespace {

using causes::FaultSet;
using causes::Scopes;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Named {
  FaultSet faults;
  Scopes scopes = {};
  std::int64_t explained = 0;
  std::vector<std::string> clusters = {};
  std::int64_t calls = 0;
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

/// `tried`: the faults that are known.
Named name_by_model(CompositeEngine& engine, const FaultSet& tried) {
  causes::ModelSearch both(engine.answered, {.tried = tried});
  both.search();
  causes::EngineModel model = both.model([&](const Problem& problem) { return outputs_of(engine, problem); },
                                         [&](const causes::Modelled& modelled) { return reduce(engine, modelled); });
  Named named{std::move(model.faults), std::move(model.scopes), model.explained, {}, model.calls};
  for (Cause& cause : model.causes)
    if (cause.status == CauseStatus::Unexplained) named.clusters.push_back(std::move(cause.id));
  return named;
}

/// Pairs the named with the planted: by id, and where ids differ, by doing the same to every case.
void compare(CompositeEngine& engine, const Named& by, CompositeScore& score) {
  const FaultSet& named = by.faults;
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
      Scopes scopes = engine.scopes;
      if (by.scopes.contains(other)) scopes[other] = by.scopes.at(other);
      return do_the_same(engine, replaced, scopes);
    });
    if (equal == invented.end()) {
      ++fault;
      continue;
    }
    invented.erase(equal);
    fault = left.erase(fault);
  }
  // Two gate orders after one another are a third: a set that does the same and is no larger is as right.
  score.is_the_same = do_the_same(engine, named, by.scopes);
  if (!left.empty() && invented.size() <= left.size() && score.is_the_same) {
    left.clear();
    invented.clear();
  }
  for (const oracle::Fault* fault : named) {
    if (!is_in(engine.faults)(fault) || by.scopes == engine.scopes) continue;
    Scopes scopes = engine.scopes;
    scopes.erase(fault);
    if (by.scopes.contains(fault)) scopes[fault] = by.scopes.at(fault);
    if (!do_the_same(engine, engine.faults, scopes)) score.misplaced.push_back(fault->id);
  }
  for (const auto* fault : named) score.named.push_back(fault->id);
  for (const auto* fault : invented) score.invented.push_back(fault->id);
  for (const auto* fault : left) score.left.push_back(fault->id);
}

/// The faults that the search may name: all, or none of those that the engine has. Whoever does not know a fault does
/// not know its corners.
FaultSet known_faults(const CompositeEngine& engine, bool are_withheld) {
  FaultSet known = oracle::every_fault_but("");
  if (!are_withheld) return known;
  std::erase_if(known, [&](const oracle::Fault* fault) {
    return std::ranges::any_of(
        engine.faults, [&](const oracle::Fault* withheld) { return withheld == fault || withheld->id == fault->base; });
  });
  return known;
}

CompositeScore score_engine(std::uint64_t number, const std::vector<CompositeTarget>& targets,
                            const CompositeOptions& options) {
  std::seed_seq seed{options.seed, number};
  std::mt19937_64 generator(seed);
  CompositeScore score;
  for (;; ++score.redrawn) {
    CompositeEngine engine;
    engine.answered.reserve(targets.size());
    draw_faults(generator, options.most_faults, options.are_scoped, engine);
    if (!answer_all(engine, targets)) continue;
    const FaultSet tried = known_faults(engine, options.is_withheld);
    judge_all(engine, targets, tried);
    score.hidden = take_out_hidden(engine);
    if (engine.faults.empty()) continue;
    for (const auto* fault : engine.faults) {
      score.planted.push_back(fault->id);
      if (engine.scopes.contains(fault)) score.scopes.push_back(fault->id + ": " + engine.scopes.at(fault).text());
    }
    score.failing = std::ranges::count(engine.findings, false, &Finding::pass);
    const auto start = Clock::now();
    sign_all(engine);
    const Named named = options.named_by == NamedBy::Case ? name_by_case(engine) : name_by_model(engine, tried);
    score.seconds = seconds_since(start);
    score.explained = named.explained;
    score.clusters = named.clusters;
    score.calls = named.calls;
    compare(engine, named, score);
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
        if (options.only && static_cast<std::int64_t>(k) != *options.only) continue;
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
    totals.misplaced += std::ssize(score.misplaced);
    totals.in_one_cluster += score.clusters.size() == score.planted.size();
    totals.misnamed += !score.invented.empty() && !score.is_the_same;
    totals.the_same += score.is_the_same;
    totals.failing += score.failing;
    totals.explained += score.explained;
    totals.redrawn += score.redrawn;
    totals.calls += score.calls;
  }
  return totals;
}

}  // namespace cellproof::lab
