#include "oracle/hypotheses.hpp"

#include <algorithm>
#include <string_view>

#include "oracle/faults/catalogue.hpp"

namespace cellproof::oracle {
namespace {

/// To make a cell of weights costs as much as so many steps.
constexpr double steps_for_a_cell = 8;

std::size_t count_weights(const Problem& problem) {
  const Tensor *W = problem.input(input::W), *R = problem.input(input::R);
  return (W ? W->size() : 0) + (R ? R->size() : 0);
}

/// Work of one fault: that of making a cell. With Y, a step of one unit is all that follows, but for a GRU whose units
/// depend on all resets; without it, every step of every row.
double work_of(const Problem& problem) {
  const Dimensions size = dimensions_of(problem);
  const bool resets_first =
      problem.version.op == Operator::GRU && problem.attributes.linear_before_reset.value_or(0) == 0;
  double steps = 0;
  if (!problem.asks_for(output::Y))
    steps = static_cast<double>(size.T) * static_cast<double>(size.N);
  else if (resets_first)
    steps = static_cast<double>(size.T);
  return static_cast<double>(count_weights(problem)) * (1 + steps / steps_for_a_cell);
}

/// Gate orders of other frameworks, which weights are taken over from.
constexpr std::string_view usual_orders[] = {"gate-order-ifco", "gate-order-ifoc", "gate-order-rzh"};

/// Ranks a fault, the likeliest first: what is left out or is usual elsewhere, then the first of each family, then the
/// others, then what shows in a corner only.
int rank_of_likelihood(const Fault& fault) {
  if (!fault.corner_of.empty()) return 3;
  const bool is_usual = (fault.member.empty() && fault.id.ends_with("-ignored")) ||
                        fault.cls == FaultClass::Quantisation ||
                        std::ranges::find(usual_orders, fault.id) != std::ranges::end(usual_orders);
  if (is_usual) return 0;
  return fault.member.empty() || fault_family(fault.family).front().id == fault.id ? 1 : 2;
}

}  // namespace

Hypotheses::Hypotheses(const Problem& problem, const Knowledge& known, FaultList tried, double most_fault_work)
    : problem_(problem),
      contracts_(contracts_tried(problem, known.declared)),
      proved_(known.proved),
      tried_(tried.begin(), tried.end()),
      work_of_a_fault_(work_of(problem)),
      most_fault_work_(most_fault_work),
      with_faults_{Readings{}} {
  if (!(known.proved == Readings{})) with_faults_.push_back(known.proved);
  if (work_of_a_fault_ * static_cast<double>(tried_.size()) > most_fault_work_)
    std::ranges::stable_sort(tried_, {}, [](const Fault* fault) { return rank_of_likelihood(*fault); });
}

reason::FaultsNotTried Hypotheses::untried() const {
  return {untried_, static_cast<std::int64_t>(count_weights(problem_))};
}

const ReadingChoices& Hypotheses::readings() {
  if (!readings_) readings_ = reading_choices(problem_, proved_);
  return *readings_;
}

bool Hypotheses::lacks_combinations() const {
  return stage_ == Stage::Reading && readings_ && reading_ == readings_->candidates.size() && readings_->untried &&
         readings_->untried->combinations > 0 && !has_combinations_;
}

void Hypotheses::add_combinations(const std::vector<Readings>& left, std::size_t open) {
  has_combinations_ = true;
  std::vector<Readings>& candidates = readings_->candidates;
  for (const Readings& readings : left) {
    const bool is_there = readings.are_default() || std::ranges::find(candidates, readings) != candidates.end();
    if (!is_there) candidates.push_back(readings);
  }
  readings_->untried.reset();
  if (open > 0) readings_->untried = reason::NotAllTried{.combinations = open};
}

void Hypotheses::enter(Stage stage) {
  stage_ = stage;
  reading_ = contract_ = fault_ = 0;
}

void Hypotheses::skip_contract() {
  reading_ = 0;
  ++contract_;
}

std::optional<Supposition> Hypotheses::next() {
  if (stage_ == Stage::Default) {
    enter(Stage::Reading);
    return Supposition{Stage::Default, {Readings{}, contracts_.base}};
  }
  const std::vector<Readings>& candidates = readings().candidates;
  const std::vector<ContractId>& wider = contracts_.wider;
  switch (stage_) {
    case Stage::Reading:
      if (reading_ < candidates.size()) {
        const std::size_t k = reading_++;
        return Supposition{Stage::Reading, {candidates[k], contracts_.base}, k};
      }
      enter(Stage::Contract);
      return next();
    case Stage::Contract:
      while (contract_ < wider.size() && !contracts_.tries(wider[contract_], Readings{})) ++contract_;
      if (contract_ < wider.size()) return Supposition{Stage::Contract, {Readings{}, wider[contract_++]}};
      enter(Stage::ReadingAndContract);
      return next();
    case Stage::ReadingAndContract:
      for (; contract_ < wider.size(); skip_contract()) {
        while (reading_ < candidates.size() && !contracts_.tries(wider[contract_], candidates[reading_])) ++reading_;
        if (reading_ == candidates.size()) continue;
        const std::size_t k = reading_++;
        return Supposition{Stage::ReadingAndContract, {candidates[k], wider[contract_]}, k};
      }
      enter(Stage::Fault);
      return next();
    case Stage::Fault:
    case Stage::FaultOfPrecision:
      return next_fault();
    case Stage::Default:
    case Stage::End:
      break;
  }
  return std::nullopt;
}

std::optional<Supposition> Hypotheses::next_fault() {
  for (; fault_ < tried_.size(); ++fault_, reading_ = 0) {
    const Fault& fault = *tried_[fault_];
    const bool of_precision = fault.cls == FaultClass::Precision;
    if (of_precision != (stage_ == Stage::FaultOfPrecision)) continue;
    if (reading_ == with_faults_.size() || (reading_ == 0 && !fault.applies(problem_))) continue;
    if (reading_ == 0 && fault_work_ + work_of_a_fault_ > most_fault_work_) {
      ++untried_;
      continue;
    }
    // A corner of another fault is known from that one.
    if (fault.base.empty()) fault_work_ += work_of_a_fault_;
    return Supposition{stage_, {with_faults_[reading_++], contracts_.base, {&fault}}};
  }
  enter(stage_ == Stage::Fault ? Stage::FaultOfPrecision : Stage::End);
  return next();
}

}  // namespace cellproof::oracle
