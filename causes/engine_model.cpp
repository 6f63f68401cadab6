#include "causes/engine_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "causes/clusters.hpp"
#include "causes/gathered.hpp"
#include "causes/memory.hpp"
#include "causes/needed.hpp"
#include "causes/outweighed.hpp"
#include "causes/shown_contracts.hpp"

#include "oracle/answers.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {

class ModelSearch::Modelling {
 public:
  Modelling(std::span<const Answered> answers, const Bounds& bounds)
      : answers_(answers), cover_(answers, bounds.tried.empty() ? oracle::every_fault_but("") : bounds.tried, bounds) {}

  void search() {
    if (fails()) cover_.search();
    contracts_shown_.find();
  }

  EngineModel model(const AskEngine& ask, const ReduceCauses& reduce) {
    rivals_.emplace(cover_, ask);
    if (fails() && ask) rivals_->ask_for_more();
    if (fails()) rivals_->settle();
    gather();
    reduce_all(reduce);
    const bool is_any_taken_back = take_back_outweighed(cover_, answers_);
    const FaultSet taken = take_what_is_needed(cover_);
    for (const oracle::Fault* fault : taken) rivals_->settle(fault);
    if (is_any_taken_back || !taken.empty()) gather();
    if (model_.is_cut_short) say_no_fault_is_proved();
    return std::move(model_);
  }

 private:
  void reduce_all(const ReduceCauses& reduce) {
    for (int round = 0; round < most_rounds_of_reduction && reduce && reduce(modelled()); ++round) gather();
  }

  Modelled modelled() const {
    return {model_.causes, [this](const Finding& like, const Problem& problem, const oracle::Answers& answers) {
              return is_explained(like, problem, answers);
            }};
  }

  bool is_explained(const Finding& like, const Problem& problem, const oracle::Answers& answers) const {
    const auto is_of_case = [&](const Answered& each) {
      return each.finding->suite == like.suite && each.finding->number == like.number;
    };
    const auto known = std::ranges::find_if(answers_, is_of_case);
    if (known == answers_.end()) return false;
    Answered asked{&like, known->declared, known->followed, {{problem, answers.outcome.outputs}}};
    if (answers.all_outputs) asked.answers.push_back({oracle::with_all_outputs(problem), answers.all_outputs->outputs});
    Cover::Item item(asked);
    const FaultSet acting = cover_.acting_on(item);
    return !acting.empty() && item.rejudged.standing(acting) == Standing::Explained;
  }

  /// Other faults that explain the same were not all looked for.
  void say_no_fault_is_proved() {
    for (Cause& cause : model_.causes)
      if (!cause.faults.empty() && cause.status == CauseStatus::Proved) cause.status = CauseStatus::Likely;
  }

  void gather() {
    model_ = {};
    model_.calls = rivals_->calls();
    clusters_.emplace(answers_);
    for (Cover::Item& item : cover_.items())
      if (!item.is_made) item.passes ? add_pass(item) : add_failure(item);
    for (const Answered& each : answers_) {
      if (!each.answers.empty() || each.finding->pass) continue;
      ++model_.failing;
      add_uncompared(*each.finding);
    }
    std::vector<Cause> clusters = clusters_->take();
    std::erase_if(clusters, [this](const Cause& cluster) { return is_behind_memory(cluster); });
    model_.faults = cover_.faults();
    model_.scopes = cover_.scopes();
    model_.is_cut_short = cover_.was_cut_short();
    model_.judgements = cover_.spent();
    for (auto* part : {&faults_, &contracts_, &readings_})
      std::ranges::move(sorted(std::exchange(*part, {})), std::back_inserter(model_.causes));
    std::ranges::move(clusters, std::back_inserter(model_.causes));
  }

  bool fails() const {
    return std::ranges::any_of(answers_, [](const Answered& each) { return !each.finding->pass; });
  }

  /// A pass shows readings, where it is not a fault that makes it look like one.
  void add_pass(Cover::Item& item) {
    const Finding& finding = item.rejudged.finding();
    if (finding.judgement.verdict != Verdict::Reading) return;
    const FaultSet acting = cover_.acting_on(item);
    if (!acting.empty() && item.rejudged.standing_by_default(acting) == Standing::Explained) return;
    const auto choices = finding.judgement.readings.choices();
    for (const ReadingChoice& choice : choices) {
      const std::string text = fmt::format("{}={}", info(choice.clause).id, choice.reading);
      Gathered& reading = readings_["reading:" + text];
      reading.cause.title = in_words(choice);
      reading.cause.readings = {text};
      reading.cause.clause = info(choice.clause).text;
      reading.add(finding, item.size, choices.size() == 1 && acting.empty());
    }
  }

  void add_failure(Cover::Item& item) {
    const Finding& finding = item.rejudged.finding();
    ++model_.failing;
    if (item.standing == Standing::Explained || fits_as_far_as_it_goes(item)) {
      ++model_.explained;
      add_faults(item, std::nullopt);
    } else if (finding.judgement.verdict == Verdict::Precision) {
      ++model_.explained;
      const ContractId contract = contracts_shown_.behind(item).value_or(finding.judgement.contract);
      contract_named(contract).add(finding, item.size, true);
    } else if (const std::optional<ContractId> contract = contracts_shown_.behind(item)) {
      ++model_.explained;
      add_faults(item, contract);
      contract_named(*contract).add(finding, item.size, cover_.acting_on(item).empty());
    } else if (const oracle::Fault* fault = memory_behind(item)) {
      ++model_.explained;
      add_to(*fault, finding, item.size, cover_.acting_on(item).size() == 1);
    } else {
      clusters_->add(finding, item.size);
    }
  }

  /// A case of which no answer is kept. What a fault of the model takes from memory differs from call to call: it takes
  /// part in the case, but as nothing was compared, the case does not count as explained.
  void add_uncompared(const Finding& finding) {
    if (const oracle::Fault* fault = fault_behind_chance(cover_, finding)) {
      add_to(*fault, finding, any_size, false);
    } else {
      clusters_->add(finding, any_size);
    }
  }

  /// Is a fault of the model behind all cases of a cluster? It takes part in them then.
  bool is_behind_memory(const Cause& cluster) {
    std::vector<const Finding*> alike;
    for (const Answered& each : answers_) {
      const auto found = cluster.where.find(each.finding->suite);
      if (found != cluster.where.end() && std::ranges::binary_search(found->second, each.finding->number))
        alike.push_back(each.finding);
    }
    const oracle::Fault* const fault = fault_behind_chance(cover_, alike);
    if (fault)
      for (const Finding* finding : alike) add_to(*fault, *finding, any_size, false);
    return fault != nullptr;
  }

  const oracle::Fault* memory_behind(Cover::Item& item) {
    const auto [known, is_new] = by_memory_.try_emplace(&item, nullptr);
    if (is_new) known->second = explained_by_memory(cover_, item);
    return holds_fault(cover_.faults(), known->second) ? known->second : nullptr;  // it may be taken back since
  }

  /// Is nothing against the faults in a case that says too little by itself?
  bool fits_as_far_as_it_goes(Cover::Item& item) const {
    const FaultSet acting = cover_.acting_on(item);
    return item.standing == Standing::Possible && !acting.empty() && item.rejudged.verifies_what_is_wrong(acting);
  }

  Gathered& contract_named(ContractId contract) {
    const std::string id{name(contract)};
    Gathered& cause = contracts_["contract:" + id];
    cause.cause.title = "computes as contract " + id + " allows";
    cause.cause.contract = id;
    return cause;
  }

  /// The fewest faults that explain the case, under a contract or that of its type: where one of two will do, the one
  /// that explains more is said, and the case is not its alone.
  void add_faults(Cover::Item& item, std::optional<ContractId> contract) {
    const auto standing = [&](const FaultSet& faults) {
      return contract ? item.rejudged.standing_under(*contract, faults) : item.rejudged.standing(faults);
    };
    const FaultSet acting = cover_.acting_on(item);
    const Standing whole = contract ? Standing::Explained : item.standing;
    const auto do_without = [&](const FaultSet& faults, const oracle::Fault* fault) {
      FaultSet others = faults;
      std::erase(others, fault);
      if (others.empty() || standing(others) > whole) return faults;
      return others;
    };
    FaultSet needed = acting;  // those that explain most come first
    for (auto last = acting.rbegin(); last != acting.rend(); ++last) needed = do_without(needed, *last);
    const bool is_alone = needed.size() == 1 && !contract && do_without(acting, needed.front()) == acting;
    for (const oracle::Fault* fault : needed) add_to(*fault, item.rejudged.finding(), item.size, is_alone);
  }

  void add_to(const oracle::Fault& fault, const Finding& finding, std::size_t size, bool alone) {
    Gathered& cause = faults_["fault:" + fault.id];
    describe(fault, cause.cause);
    cause.cause.faults = {fault.id};
    cause.cause.clause = fault.clause;
    cause.add(finding, size, alone, needed_beyond(fault, cover_.scope_of(&fault), finding).empty());
  }

  void describe(const oracle::Fault& fault, Cause& cause) const {
    const Scope& scope = cover_.scope_of(&fault);
    cause.scope = scope.text();
    cause.title = fault.what;
    const std::string only = scope.beside_operators().text();  // whoever shows a cause names its operators beside it
    if (!only.empty()) cause.title += fmt::format(" (only {})", only);
    cause.rivals.clear();
    std::vector<std::string> others;
    for (const oracle::Fault* rival : rivals_->of(&fault)) {
      cause.rivals.push_back(rival->id);
      if (others.size() < most_rivals_said) others.push_back(rival->what);
    }
    if (cause.rivals.size() > others.size())
      others.push_back(fmt::format("{} more", cause.rivals.size() - others.size()));
    if (!others.empty()) cause.title += fmt::format(" (or: {})", fmt::join(others, "; "));
  }

  static constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t most_rivals_said = 2;
  /// A reduction may split a cluster, and then a part has no reduced case.
  static constexpr int most_rounds_of_reduction = 8;

  std::span<const Answered> answers_;
  Cover cover_;
  ShownContracts contracts_shown_{cover_};
  std::optional<Rivals> rivals_;      ///< these two
  std::optional<Clusters> clusters_;  ///< look at reductions
  EngineModel model_;
  std::map<std::string, Gathered> faults_, contracts_, readings_;
  /// Asked once, of what nothing else explains.
  std::map<const Cover::Item*, const oracle::Fault*> by_memory_;
};

ModelSearch::ModelSearch(std::span<const Answered> answers, const Bounds& bounds)
    : modelling_(std::make_unique<Modelling>(answers, bounds)) {}

ModelSearch::~ModelSearch() = default;

void ModelSearch::search() {
  modelling_->search();
}

EngineModel ModelSearch::model(const AskEngine& ask, const ReduceCauses& reduce) {
  return modelling_->model(ask, reduce);
}

EngineModel model_of(std::span<const Answered> answers, const Bounds& bounds, const AskEngine& ask) {
  ModelSearch both(answers, bounds);
  both.search();
  return both.model(ask);
}

}  // namespace cellproof::causes
