#include "oracle/weigh.hpp"

#include <algorithm>

#include "oracle/contract.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/hypotheses.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

/// Every combination of readings, as the list of hypotheses has them.
std::vector<Readings> all_readings(Hypotheses& list) {
  std::vector<Readings> all;
  for (auto next = list.next(); next && next->stage <= Stage::Reading; next = list.next())
    all.push_back(next->hypothesis.readings);
  return all;
}

/// Arithmetic that the wider contracts allow together, without those that compute float tensors in 16 bits: these admit
/// so much that the reading they leave would be no proof.
Arithmetic wider_without_16_bits(const ContractsTried& contracts, ElementType type) {
  Arithmetic together = arithmetic_of(contracts.base, type);
  for (const ContractId id : contracts.wider) {
    if (!computes_in_16_bits(id)) together = either_of(together, arithmetic_of(id, type));
  }
  return together;
}

}  // namespace

std::vector<Evidence> weigh(const Observed& seen, const Knowledge& known) {
  Hypotheses list(seen.problem, known, {});
  if (seen.broken || list.readings().untried) return {};
  const ContractsTried& contracts = list.contracts();
  Evaluator evaluator(seen);
  const std::vector<Readings> all = all_readings(list);
  const auto possible_under = [&](const std::optional<Arithmetic>& arithmetic) {
    std::vector<Readings> possible = all;
    std::erase_if(possible, [&](const Readings& readings) {
      return evaluator.evaluate({readings, contracts.base, {}, arithmetic}, Depth::SurelyExcluded).excluded();
    });
    return possible;
  };
  std::vector<Readings> possible = possible_under(std::nullopt);
  if (possible.empty()) possible = possible_under(wider_without_16_bits(contracts, value_type(seen.problem)));

  std::vector<Evidence> weighed;
  for (const Clause clause : clauses_touched(seen.problem)) {
    std::vector<std::string_view> computed = other_values(info(clause));
    if (info(clause).kind != ClauseKind::Value || computed.empty()) continue;
    computed.insert(computed.begin(), info(clause).readings.front());
    Evidence evidence{clause, {}, {}};
    for (const std::string_view reading : computed) {
      const bool fits = std::ranges::any_of(possible, [&](const Readings& r) { return r.is(clause, reading); });
      (fits ? evidence.fits : evidence.excludes).push_back(answer_named(clause, reading).value());
    }
    weighed.push_back(std::move(evidence));
  }
  return weighed;
}

}  // namespace cellproof::oracle
