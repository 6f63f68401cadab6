#include "oracle/wider_contracts.hpp"

#include <algorithm>

#include "oracle/contract.hpp"
#include "oracle/precision_shows.hpp"

namespace cellproof::oracle {

bool WiderContracts::is_slow_to_show(const Readings& readings, ContractId wide) {
  if (!must_show(base_, wide) || contract(wide).narrowed_inputs) return false;
  const Observed* seen = evaluator_.seen_under(readings);
  return seen && might_show(*seen, base_, wide);
}

bool WiderContracts::shows(const Readings& readings, ContractId wide) {
  if (!must_show(base_, wide)) return true;
  const Observed* seen = evaluator_.seen_under(readings);
  const Narrow narrow = [&]() -> const Evaluation& { return narrow_under(readings); };
  return seen && shows_as_it_would(*seen, narrow, readings, base_, wide);
}

bool WiderContracts::admits(const Hypothesis& hypothesis) {
  if (computes_in_16_bits(hypothesis.contract))
    return evaluator_.evaluate(hypothesis, Depth::Verdict).is(Verdict::Conforms);
  return evaluator_.evaluate(hypothesis, Depth::Admitted).is(Verdict::Undecided);
}

bool WiderContracts::excuses_damage(const Readings& readings, ContractId wide) {
  return must_show(base_, wide) && is_damage(readings);
}

bool WiderContracts::is_damage(const Readings& readings) {
  const auto known = std::ranges::find(damage_, readings, &std::pair<Readings, bool>::first);
  if (known != damage_.end()) return known->second;
  const Observed* seen = evaluator_.seen_under(readings);
  const bool is = seen && is_damage_to_one_row(*seen, narrow_under(readings), readings, base_);
  damage_.emplace_back(readings, is);
  return is;
}

/// Many contracts are tried with the same few readings.
const Evaluation& WiderContracts::narrow_under(const Readings& readings) {
  const auto known = std::ranges::find(narrow_, readings, &std::pair<Readings, Evaluation>::first);
  if (known != narrow_.end()) return known->second;
  narrow_.emplace_back(readings, evaluator_.evaluate({readings, base_}, Depth::Described));
  return narrow_.back().second;
}

}  // namespace cellproof::oracle
