#include "causes/rejudged.hpp"

#include <algorithm>
#include <iterator>

#include "oracle/contracts_tried.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {

Rejudged::Rejudged(const Answered& answered)
    : answered_(answered),
      seen_(answered.answers.size()),
      readings_{Readings{}},
      contract_(oracle::base_contract(answered.answers.back().problem, answered.declared)),
      touched_(oracle::faults().size(), Touched::Unknown) {
  const Finding& finding = *answered.finding;
  for (const Readings& readings : {finding.judgement.readings, finding.known_readings, answered.followed}) {
    if (std::ranges::find(readings_, readings) == readings_.end()) readings_.push_back(readings);
  }
}

bool Rejudged::is_touched_by(const oracle::Fault& fault) const {
  const auto applies = [&] {
    return std::ranges::any_of(answered_.answers, [&](const Answer& answer) { return fault.applies(answer.problem); });
  };
  const auto all = oracle::faults();
  if (&fault < all.data() || &fault >= all.data() + all.size()) return applies();  // a fault of somebody's own
  Touched& known = touched_[static_cast<std::size_t>(&fault - all.data())];
  if (known == Touched::Unknown) known = applies() ? Touched::Yes : Touched::No;
  return known == Touched::Yes;
}

FaultSet Rejudged::acting_of(const FaultSet& faults) const {
  FaultSet acting;
  std::ranges::copy_if(faults, std::back_inserter(acting), [&](const auto* fault) { return is_touched_by(*fault); });
  return acting;
}

oracle::Evaluator& Rejudged::evaluator(std::size_t k) {
  if (!seen_[k]) seen_[k] = std::make_unique<Seen>(answered_.answers[k]);
  return seen_[k]->evaluator;
}

Verdict Rejudged::verdict_of(std::size_t k, oracle::Depth depth, const oracle::Hypothesis& hypothesis) {
  ++judgements_;
  return evaluator(k).evaluate(hypothesis, depth).judgement.verdict.value_or(Verdict::Undecided);
}

/// The runs of a law that are wrong where there is no fault.
const std::vector<bool>& Rejudged::wrong_runs(const Readings& readings) {
  const auto known = std::ranges::find(wrong_runs_, readings, &std::pair<Readings, std::vector<bool>>::first);
  if (known != wrong_runs_.end()) return known->second;
  std::vector<bool> wrong;
  for (std::size_t k = 0; k < seen_.size(); ++k)
    wrong.push_back(verdict_of(k, oracle::Depth::Verdict, {readings, contract_}) == Verdict::Diverges);
  return wrong_runs_.emplace_back(readings, std::move(wrong)).second;
}

/// A law says that runs belong together. Faults explain why they do not where every run is what an engine with them
/// gives, and some run is not what one without them does.
Standing Rejudged::standing_of_law(oracle::Depth depth, const oracle::Hypothesis& hypothesis) {
  const std::vector<bool>& is_wrong = wrong_runs(hypothesis.readings);
  if (std::ranges::count(is_wrong, true) == 0) return Standing::Excluded;
  Standing standing = Standing::Explained;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    const Verdict verdict = verdict_of(k, depth, hypothesis);
    if (verdict == Verdict::Diverges) return Standing::Excluded;
    if (is_wrong[k] && verdict != Verdict::Conforms) standing = Standing::Possible;
  }
  return standing;
}

Standing Rejudged::standing_to(oracle::Depth depth, const oracle::Hypothesis& hypothesis) {
  if (!finding().law.empty()) return standing_of_law(depth, hypothesis);
  Standing standing = Standing::Explained;
  // The run with all outputs says most: it comes first and has to conform. What hides Y may say little by itself.
  for (std::size_t k = seen_.size(); k-- > 0 && standing != Standing::Excluded;) {
    const Verdict verdict = verdict_of(k, depth, hypothesis);
    if (verdict == Verdict::Diverges)
      standing = Standing::Excluded;
    else if (verdict != Verdict::Conforms && k + 1 == seen_.size())
      standing = Standing::Possible;
  }
  return standing;
}

Standing Rejudged::standing_by_default(const FaultSet& faults) {
  const auto [known, is_new] = by_default_.try_emplace(faults, Standing::Excluded);
  if (is_new) known->second = standing_to(oracle::Depth::Verdict, {Readings{}, contract_, faults});
  return known->second;
}

Standing Rejudged::standing(const FaultSet& faults) {
  return standing_under(contract_, faults);
}

Standing Rejudged::standing_under(ContractId contract, const FaultSet& faults) {
  const auto [known, is_new] = standings_.try_emplace({contract, faults}, Standing::Excluded);
  if (!is_new) return known->second;
  Standing& best = known->second;
  for (const Readings& readings : readings_) {
    best = std::min(best, standing_to(oracle::Depth::Verdict, {readings, contract, faults}));
    if (best == Standing::Explained) break;
  }
  return best;
}

Standing Rejudged::certain_standing(const FaultSet& faults) {
  const Standing best = standing(faults);
  if (best != Standing::Excluded) return best;
  const auto [known, is_new] = in_balls_.try_emplace(faults, Standing::Excluded);
  if (is_new) known->second = standing_in_balls(faults);
  return known->second;
}

Standing Rejudged::standing_in_balls(const FaultSet& faults) {
  Standing best = Standing::Excluded;
  std::vector<Readings> tried = readings_;
  for (const ReadingChoice& choice : readings_.back().choices())
    tried.push_back(readings_.back().with(choice.clause, Readings{}.of(choice.clause)));
  for (const Readings& readings : tried) {
    best = std::min(best, standing_to(oracle::Depth::Described, {readings, contract_, faults}));
    if (best == Standing::Explained) break;
  }
  return best;
}

bool Rejudged::is_surely_excluded(const FaultSet& faults) {
  const auto [known, is_new] = surely_excluded_.try_emplace(faults, false);
  if (!is_new) return known->second;
  // To know a standing takes far more where the answer stands, as most passes do.
  return known->second = std::ranges::all_of(readings_, [&](const Readings& readings) {
           for (std::size_t k = 0; k < seen_.size(); ++k) {
             ++judgements_;
             if (evaluator(k).evaluate({readings, contract_, faults}, oracle::Depth::SurelyExcluded).excluded())
               return true;
           }
           return false;
         });
}

bool Rejudged::verifies_what_is_wrong(const FaultSet& faults) {
  const auto [known, is_new] = verifies_.try_emplace(faults, false);
  if (is_new) {
    known->second =
        std::ranges::any_of(readings_, [&](const Readings& readings) { return verifies(readings, faults); });
  }
  return known->second;
}

bool Rejudged::verifies(const Readings& readings, const FaultSet& faults) {
  if (standing_to(oracle::Depth::Verdict, {readings, contract_, faults}) == Standing::Excluded) return false;
  struct Counts {
    std::int64_t verified = 0, wrong = 0;
  };
  const std::size_t first = finding().law.empty() ? seen_.size() - 1 : 0;
  const auto counted = [&](const FaultSet& supposed) {
    const oracle::Hypothesis hypothesis{readings, contract_, supposed};
    Counts counts;
    for (std::size_t k = first; k < seen_.size(); ++k) {
      ++judgements_;
      const auto found = evaluator(k).evaluate(hypothesis, oracle::Depth::Counted).judgement.elements;
      const auto of = [&](ElementClass cls) { return found.at(static_cast<std::size_t>(cls)); };
      counts.verified += of(ElementClass::Exact) + of(ElementClass::Rounding);
      counts.wrong += of(ElementClass::Suspect) + of(ElementClass::Divergent);
    }
    return counts;
  };
  const Counts without = counted({}), with = counted(faults);
  return without.wrong > 0 && with.wrong == 0 && with.verified >= without.verified + without.wrong;
}

}  // namespace cellproof::causes
