#include "oracle/weigh.hpp"

#include <algorithm>

#include "oracle/combinations.hpp"
#include "oracle/contract.hpp"
#include "oracle/contracts_tried.hpp"
#include "oracle/other_layout.hpp"
#include "oracle/reading_choices.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

/// Arithmetic that the wider contracts allow together, without those that compute float tensors in 16 bits: these admit
/// so much that the reading they leave would be no proof.
Arithmetic wider_without_16_bits(const ContractsTried& contracts, ElementType type) {
  Arithmetic together = arithmetic_of(contracts.base, type);
  for (const ContractId id : contracts.wider) {
    if (!computes_in_16_bits(id) && contracts.tries(id, Readings{}))
      together = either_of(together, arithmetic_of(id, type));
  }
  return together;
}

}  // namespace

std::vector<Evidence> weigh(const Observed& seen, const Knowledge& known) {
  const auto untried = reading_choices(seen.problem, {}).untried;
  if ((seen.broken && !is_layout_open(seen.problem)) || (untried && untried->clause)) return {};
  const ContractsTried contracts = contracts_tried(seen.problem, known.declared);
  Evaluator evaluator(seen);
  const auto possible_under = [&](const std::optional<Arithmetic>& arithmetic) -> std::optional<std::vector<Readings>> {
    const auto limits = [&](const Readings&) { return Hypothesis{{}, contracts.base, {}, arithmetic}; };
    Combinations combinations(seen, evaluator, limits, Depth::SurelyExcluded);
    while (combinations.advance()) {
    }
    if (combinations.count_open() > 0) return std::nullopt;
    return combinations.left();
  };
  auto possible = possible_under(std::nullopt);
  if (possible && possible->empty())
    possible = possible_under(wider_without_16_bits(contracts, value_type(seen.problem)));
  if (!possible) return {};

  std::vector<Evidence> weighed;
  for (const Clause clause : clauses_touched(seen.problem)) {
    std::vector<std::string_view> computed = other_values(info(clause));
    if (info(clause).kind != ClauseKind::Value || computed.empty()) continue;
    computed.insert(computed.begin(), info(clause).readings.front().id);
    Evidence evidence{clause, {}, {}};
    for (const std::string_view reading : computed) {
      const bool fits = std::ranges::any_of(*possible, [&](const Readings& r) { return r.is(clause, reading); });
      (fits ? evidence.fits : evidence.excludes).push_back(answer_named(clause, reading).value());
    }
    weighed.push_back(std::move(evidence));
  }
  return weighed;
}

}  // namespace cellproof::oracle
