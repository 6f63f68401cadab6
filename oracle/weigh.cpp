#include "oracle/weigh.hpp"

#include <algorithm>

#include "oracle/contracts_tried.hpp"
#include "oracle/search.hpp"
#include "oracle/structure.hpp"
#include "oracle/try_hypothesis.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::size_t most_weighed = 256;

}  // namespace

std::vector<Evidence> weigh(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs,
                            const EngineContext& engine) {
  if (broken_outputs(problem, outputs)) return {};
  std::vector<Evidence> weighed;
  std::vector<Readings> all{Readings{}};
  for (const Clause clause : clauses_touched(problem)) {
    const std::vector<std::string_view> others = other_values(info(clause));
    if (info(clause).kind != ClauseKind::Value || others.empty()) continue;
    weighed.push_back({clause, {}, {}});
    const std::size_t before = all.size();
    if (before * (1 + others.size()) > most_weighed) return {};
    for (const std::string_view reading : others)
      for (std::size_t k = 0; k < before; ++k) all.push_back(all[k].with(clause, reading));
  }
  const auto keep_possible = [&](std::vector<Readings> list, const Arithmetic& arithmetic) {
    std::optional<Stretch> likeliest;
    std::erase_if(list, [&](const Readings& readings) {
      return excluded_under(problem, outputs, readings, arithmetic, Confirm::Now, &likeliest);
    });
    return list;
  };
  const ContractsTried contracts = contracts_tried(problem, engine.declared);
  std::vector<Readings> possible = keep_possible(all, arithmetic_of(contracts.base, value_type(problem)));
  if (possible.empty()) possible = keep_possible(all, contracts.together);
  for (Evidence& evidence : weighed) {
    std::vector<std::string_view> computed = other_values(info(evidence.clause));
    computed.insert(computed.begin(), info(evidence.clause).readings.front());
    for (const std::string_view reading : computed) {
      const bool fits =
          std::ranges::any_of(possible, [&](const Readings& r) { return r.is(evidence.clause, reading); });
      (fits ? evidence.fits : evidence.excludes).emplace_back(reading);
    }
  }
  return weighed;
}

}  // namespace cellproof::oracle
