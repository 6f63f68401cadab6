#include "oracle/search.hpp"

#include <algorithm>
#include <utility>

#include "oracle/contract.hpp"
#include "oracle/contract_order.hpp"
#include "oracle/other_layout.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

Stage after(Stage stage) {
  return static_cast<Stage>(static_cast<int>(stage) + 1);
}

bool holds(const std::vector<ContractId>& contracts, ContractId contract) {
  return std::ranges::find(contracts, contract) != contracts.end();
}

/// Mostly a reading explains what leaves the default one, so that this need not be described. To look at all of a large
/// node twice takes longer than to describe it.
Depth first_depth(const Observed& seen) {
  constexpr double many_products = 0x1p24;
  const double products = static_cast<double>(seen.layout.D) * seen.layout.products(seen.problem.version.op);
  return products > many_products ? Depth::Described : Depth::Counted;
}

}  // namespace

Search::Search(const Observed& seen, const Knowledge& known, FaultList tried, Depth depth, double most_fault_work)
    : seen_(seen),
      depth_(depth),
      list_(seen.problem, known, tried, most_fault_work),
      evaluator_(seen),
      wider_(evaluator_, list_.contracts().base) {}

bool Search::advance() {
  if (decided_) return false;
  if (look_at_combinations()) return true;
  const std::optional<Supposition> next = list_.next();
  for (const Stage stage = next ? next->stage : Stage::End; stage_ != stage; stage_ = after(stage_)) {
    leave_stage();
    if (decided_) return false;
  }
  switch (stage_) {
    case Stage::Default:
      try_default(next->hypothesis);
      break;
    case Stage::Reading:
      try_reading(*next);
      break;
    case Stage::Contract:
      try_contract(*next);
      break;
    case Stage::ReadingAndContract:
      try_reading_and_contract(*next);
      break;
    case Stage::Fault:
    case Stage::FaultOfPrecision:
      try_fault(*next);
      break;
    case Stage::End:
      break;
  }
  return !decided_;
}

/// Looks at one combination of readings, if there are too many to try each under each contract and one is left to look
/// at. Those that all contracts together exclude by far need not be tried.
bool Search::look_at_combinations() {
  if (!list_.lacks_combinations()) return false;
  if (!combinations_) {
    const auto limits = [this](const Readings& readings) {
      return Hypothesis{{}, list_.contracts().base, {}, twice(readings)};
    };
    combinations_.emplace(seen_, evaluator_, limits, Depth::Excluded);
  }
  if (combinations_->advance()) return true;
  list_.add_combinations(combinations_->left(), combinations_->count_open());
  return false;
}

void Search::leave_stage() {
  switch (stage_) {
    case Stage::Reading:
      confirm_default();
      if (describes()) wider_.learn(Readings{}, default_);
      // Nothing is wrong under these readings as far as anybody knows: a contract would accuse without need.
      if (!decided_ && open_) conclude();
      return;
    case Stage::Contract:
      if (!minimal_.empty()) decide_by_precision(Readings{}, minimal_.front(), minimal_);
      return;
    case Stage::ReadingAndContract:
      return conclude();
    case Stage::Fault:
      if (faults_.empty()) return;
      break;
    case Stage::FaultOfPrecision:
      break;
    case Stage::Default:
    case Stage::End:
      return;
  }
  default_.judgement.faults = std::move(faults_);
  default_.judgement.reason.untried = list_.untried();
  decide(std::move(default_.judgement));
}

void Search::try_default(const Hypothesis& hypothesis) {
  if (keeps_to_the_usual(Readings{})) {
    default_ = evaluator_.evaluate({Readings{}, *list_.contracts().usual}, depth_);
    if (default_.is(Verdict::Conforms)) return decide(std::move(default_.judgement));
  }
  default_ = evaluator_.evaluate(hypothesis, describes() ? first_depth(seen_) : Depth::Verdict);
  if (default_.is(Verdict::Undecided) && !describes()) default_ = evaluator_.evaluate(hypothesis, Depth::Described);
  if (default_.is(Verdict::Conforms) && list_.contracts().usual) return decide_as_declared(Readings{});
  // No hypothesis mends an output of a wrong number, type or shape, but another layout.
  const bool is_beyond_mending = seen_.broken && !may_be_taken_for_0(seen_.problem);
  if (default_.is(Verdict::Conforms) || default_.is(Verdict::Undecided) || is_beyond_mending)
    decide(std::move(default_.judgement));
}

void Search::try_reading(const Supposition& tried) {
  if (exclusion_of(tried.reading) != Exclusion::None) return;
  const Verdict verdict = verdict_of(tried.hypothesis);
  const Readings& readings = tried.hypothesis.readings;
  if (verdict == Verdict::Conforms && keeps_to_the_usual(readings))
    return decide_by_reading(readings, *list_.contracts().usual);
  if (verdict == Verdict::Conforms && list_.contracts().usual) return decide_as_declared(readings);
  if (verdict == Verdict::Conforms) return decide_by_reading(readings, tried.hypothesis.contract);
  if (verdict == Verdict::Undecided && !open_) open_ = tried.hypothesis.readings;
  suspect_ = suspect_ || verdict == Verdict::Suspect;
}

/// From here on it is said of the outputs that they are beyond a bound.
void Search::confirm_default() {
  if (default_.first) return;  // it is described already
  const Hypothesis hypothesis{Readings{}, list_.contracts().base};
  const bool sure =
      !describes() && default_.excluded() && evaluator_.evaluate(hypothesis, Depth::SurelyExcluded).excluded();
  if (sure) return;
  default_ = evaluator_.evaluate(hypothesis, Depth::Described);
  if (default_.is(Verdict::Conforms) || default_.is(Verdict::Undecided)) decide(std::move(default_.judgement));
}

void Search::try_contract(const Supposition& tried) {
  const ContractId wide = tried.hypothesis.contract;
  const auto is_stricter = [&](ContractId other) { return at_least_as_wide(wide, other); };
  if (std::ranges::any_of(minimal_, is_stricter) || excludes(tried.hypothesis, Depth::Excluded)) return;
  // To judge what no number excludes may take a hundred times as long as to see that it does not show.
  if (wider_.shows(Readings{}, wide) && wider_.admits(tried.hypothesis) && !wider_.excuses_damage(Readings{}, wide))
    minimal_.push_back(wide);
}

/// A reading that would do under the contract without showing it keeps those behind it from being the reason. What
/// takes least is asked first. Most show nothing: of those that do not at a glance, no more than the first is asked
/// whether it would do before another shows it, and none where the answer takes long.
void Search::try_reading_and_contract(const Supposition& tried) {
  const auto& [readings, contract, faults, arithmetic] = tried.hypothesis;
  if (exclusion_of(tried.reading) != Exclusion::None || holds(excluded_under(tried.reading), contract)) return;
  const auto would_do = [this](const Hypothesis& hypothesis) { return wider_.admits(hypothesis); };
  if (!unshown_.empty() && unshown_.front().contract != contract) unshown_.clear();
  const bool is_known_to_do = wider_.is_slow_to_show(readings, contract);
  if (is_known_to_do && !would_do(tried.hypothesis)) return;
  if (!wider_.shows(readings, contract)) {
    unshown_.push_back(tried.hypothesis);
    const bool is_quick = unshown_.size() == 1 && !computes_in_16_bits(contract);
    if (is_known_to_do || (is_quick && would_do(tried.hypothesis))) list_.skip_contract();
  } else if (is_known_to_do || would_do(tried.hypothesis)) {
    if (wider_.excuses_damage(readings, contract) || std::ranges::any_of(unshown_, would_do))
      return list_.skip_contract();
    decide_by_precision(readings, contract, {contract});
  }
}

void Search::conclude() {
  Judgement& judgement = default_.judgement;
  if (open_) {
    judgement.verdict = Verdict::Undecided;
    judgement.reason.searched = reason::OpenUnder{*open_};
  } else if (const auto& untried = list_.readings().untried) {
    judgement.verdict = Verdict::Undecided;
    judgement.reason.searched = *untried;
  } else if (suspect_) {
    judgement.verdict = Verdict::Suspect;
  } else if (default_.is(Verdict::Diverges)) {
    if (const auto doubtful = unconfirmed()) {
      judgement.verdict = Verdict::Undecided;
      judgement.reason.searched = *doubtful;
    }
  }
  if (!default_.is(Verdict::Diverges) || !describes()) decide(std::move(judgement));
}

void Search::try_fault(const Supposition& tried) {
  const Fault& fault = *tried.hypothesis.faults.front();
  const auto is_named = [&](const std::string& id) { return std::ranges::find(faults_, id) != faults_.end(); };
  if (is_named(fault.id)) return;
  const auto tries = [&](const std::string& id) {
    return std::ranges::find(list_.faults(), id, &Fault::id) != list_.faults().end();
  };
  // A corner of another fault is that fault wherever it acts.
  const bool by_base = !fault.base.empty() && tries(fault.base);
  const bool explains = by_base ? is_named(fault.base) : verdict_of(tried.hypothesis) == Verdict::Conforms;
  if (explains && !(fault.cls == FaultClass::Precision && wider_.is_damage(tried.hypothesis.readings)))
    faults_.push_back(fault.id);
}

/// A divergence is claimed against every reading under every contract. Most are excluded in `double`: are they in
/// balls, too? The first that is not, if any.
std::optional<reason::Unconfirmed> Search::unconfirmed() {
  const std::vector<Readings>& candidates = list_.readings().candidates;
  for (const Exclusion exclusion : {Exclusion::None, Exclusion::Close}) {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (exclusion_of(k) != exclusion) continue;
      if (auto doubtful = unconfirmed_under(candidates[k], excluded_under(k))) return doubtful;
    }
  }
  if (excludes(Readings{}, twice(Readings{}), Depth::Excluded)) return std::nullopt;
  return unconfirmed_under(Readings{}, excluded_of(list_.contracts().wider, Readings{}, Depth::Excluded));
}

/// `excluded`: the contracts that `double` excludes under the readings, from strict to wide.
std::optional<reason::Unconfirmed> Search::unconfirmed_under(const Readings& readings,
                                                             const std::vector<ContractId>& excluded) {
  const ContractsTried& contracts = list_.contracts();
  // No contract alone allows what all together do not.
  if (excludes(readings, contracts.together(readings), Depth::SurelyExcluded)) return std::nullopt;
  const std::vector<ContractId> surely = excluded_of(excluded, readings, Depth::SurelyExcluded);
  const auto is_doubtful = [&](ContractId contract) { return holds(excluded, contract) && !holds(surely, contract); };
  const auto wide = std::ranges::find_if(contracts.wider, is_doubtful);
  if (wide != contracts.wider.end()) return reason::Unconfirmed{readings, *wide};
  if (is_doubtful(contracts.base)) return reason::Unconfirmed{readings, std::nullopt};
  return std::nullopt;
}

/// Those of the contracts that are tried under the readings and excluded.
std::vector<ContractId> Search::excluded_of(std::vector<ContractId> contracts, const Readings& readings, Depth depth) {
  std::erase_if(contracts, [&](ContractId contract) { return !list_.contracts().tries(contract, readings); });
  const ElementType type = value_type(seen_.problem);
  return excluded_contracts(
      contracts, [&](ContractId contract) { return excludes(readings, arithmetic_of(contract, type), depth); });
}

/// The contracts that `double` excludes under a candidate, its own among them.
const std::vector<ContractId>& Search::excluded_under(std::size_t candidate) {
  excluded_.resize(list_.readings().candidates.size());
  std::optional<std::vector<ContractId>>& known = excluded_[candidate];
  if (!known) {
    std::vector<ContractId> contracts = list_.contracts().wider;
    contracts.insert(contracts.begin(), list_.contracts().base);
    known = excluded_of(std::move(contracts), list_.readings().candidates[candidate], Depth::Excluded);
  }
  return *known;
}

/// Do the outputs of an engine that declares a wider contract conform without it?
bool Search::keeps_to_the_usual(const Readings& readings) {
  const std::optional<ContractId>& usual = list_.contracts().usual;
  return usual && verdict_of({readings, *usual}) == Verdict::Conforms;
}

Verdict Search::verdict_of(const Hypothesis& hypothesis) {
  return evaluator_.evaluate(hypothesis, Depth::Verdict).judgement.verdict.value_or(Verdict::Undecided);
}

/// Twice what all contracts together allow.
Arithmetic Search::twice(const Readings& readings) const {
  return doubled(list_.contracts().together(readings));
}

/// Most readings are excluded under all contracts at once, which is found out when their turn comes, and once. ByFar:
/// by so much that the error of `double` cannot matter: then no contract allows it, and balls need not be asked.
Search::Exclusion Search::exclusion_of(std::size_t candidate) {
  exclusions_.resize(list_.readings().candidates.size(), Exclusion::Unknown);
  Exclusion& known = exclusions_[candidate];
  if (known != Exclusion::Unknown) return known;
  const Readings& readings = list_.readings().candidates[candidate];
  const Arithmetic& together = list_.contracts().together(readings);
  known = excludes(readings, twice(readings), Depth::Excluded) ? Exclusion::ByFar
          : excludes(readings, together, Depth::Excluded)      ? Exclusion::Close
                                                               : Exclusion::None;
  return known;
}

void Search::decide(Judgement judgement) {
  judgement_ = std::move(judgement);
  decided_ = true;
}

void Search::decide_by_reading(const Readings& readings, ContractId contract) {
  Judgement judgement;
  judgement.contract = contract;
  if (describes()) judgement = evaluator_.evaluate({readings, contract}, Depth::Described).judgement;
  judgement.verdict = Verdict::Reading;
  judgement.readings = readings;
  judgement.reason.searched = reason::ConformsUnder{};
  decide(std::move(judgement));
}

/// The contract that the engine declares explains the outputs, and the type's default does not.
void Search::decide_as_declared(const Readings& readings) {
  const ContractId declared = list_.contracts().base;
  default_ = evaluator_.evaluate({readings, *list_.contracts().usual}, depth_);
  decide_by_precision(readings, declared, {declared});
}

/// A wider contract explains the outputs. What stays in the record is where and how far they leave the narrower one.
void Search::decide_by_precision(const Readings& readings, ContractId contract, std::vector<ContractId> contracts) {
  Judgement narrow = std::move(default_.judgement);
  reason::LooksLike like{std::move(contracts), narrow.contract};
  if (describes()) {
    const Judgement wide = evaluator_.evaluate({readings, contract}, Depth::Described).judgement;
    narrow.elements = wide.elements;
    like.in_part = wide.verdict == Verdict::Undecided;
  }
  narrow.reason.searched = std::move(like);
  narrow.verdict = Verdict::Precision;
  narrow.contract = contract;
  narrow.readings = readings;
  decide(std::move(narrow));
}

Judgement search(const Observed& seen, const Knowledge& known, FaultList tried, Depth depth) {
  Search search(seen, known, tried, depth);
  while (search.advance()) {
  }
  return search.take_judgement();
}

}  // namespace cellproof::oracle
