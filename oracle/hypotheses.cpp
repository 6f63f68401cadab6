#include "oracle/hypotheses.hpp"

#include <algorithm>

namespace cellproof::oracle {
namespace {

/// Every fault costs a look at all weights and a step.
constexpr std::size_t most_weights = std::size_t{1} << 19;

bool too_many_weights(const Problem& problem) {
  const Tensor *W = problem.input(input::W), *R = problem.input(input::R);
  return !W || !R || W->size() + R->size() > most_weights;
}

}  // namespace

Hypotheses::Hypotheses(const Problem& problem, const Knowledge& known, FaultList tried)
    : problem_(problem),
      contracts_(contracts_tried(problem, known.declared)),
      proved_(known.proved),
      tried_(too_many_weights(problem) ? FaultList{} : tried),
      with_faults_{Readings{}} {
  if (!(known.proved == Readings{})) with_faults_.push_back(known.proved);
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
    return Supposition{stage_, {with_faults_[reading_++], contracts_.base, {&fault}}};
  }
  enter(stage_ == Stage::Fault ? Stage::FaultOfPrecision : Stage::End);
  return next();
}

}  // namespace cellproof::oracle
