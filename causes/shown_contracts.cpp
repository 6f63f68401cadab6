#include "causes/shown_contracts.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>

#include "oracle/contract.hpp"
#include "oracle/contracts_tried.hpp"

namespace cellproof::causes {
namespace {

/// Fewer cases show no contract: what is wrong by little in any other way would be excused.
constexpr std::size_t enough = 4;

std::vector<ContractId> wider_contracts_of(const Cover::Item& item) {
  const Answered& answered = item.rejudged.answered();
  return oracle::contracts_tried(answered.answers.back().problem, answered.declared).wider;
}

bool is_of_precision(const Cover::Item& item) {
  return item.rejudged.finding().judgement.verdict == Verdict::Precision;
}

bool is_explained_under(ContractId contract, Cover::Item& item, const FaultSet& acting) {
  const ElementType type = item.rejudged.finding().type.value_or(ElementType::Float);
  return oracle::applies_to(contract, type) &&
         item.rejudged.standing_under(contract, is_of_precision(item) ? FaultSet{} : acting) == Standing::Explained;
}

}  // namespace

void ShownContracts::find() {
  std::set<ContractId> shown;
  for (const Cover::Item& item : cover_.items())
    if (!item.passes && item.standing != Standing::Explained && is_of_precision(item))
      shown.insert(item.rejudged.finding().judgement.contract);
  shown_.assign(shown.begin(), shown.end());
  std::map<std::vector<ContractId>, std::vector<Cover::Item*>> excluded;  // types of one arithmetic together
  for (Cover::Item& item : cover_.items()) {
    const bool is_excluded = !item.passes && item.standing == Standing::Excluded && !cover_.acting_on(item).empty();
    if (is_excluded && !behind(item)) excluded[wider_contracts_of(item)].push_back(&item);
  }
  for (const auto& [contracts, items] : excluded)
    if (const auto contract = beside_faults(contracts, items)) shown.insert(*contract);
  shown_.assign(shown.begin(), shown.end());
  sort_by_cases();
}

/// The strictest contract that explains nearly all cases beside the faults that act on them, where no case without such
/// faults could show it; most of them will do where one shows that the engine's arithmetic is not the usual.
std::optional<ContractId> ShownContracts::beside_faults(const std::vector<ContractId>& contracts,
                                                        const std::vector<Cover::Item*>& items) {
  if (items.size() < enough) return std::nullopt;
  const bool is_unusual = std::ranges::find_first_of(contracts, shown_) != contracts.end();
  const std::size_t most_others = items.size() / (is_unusual ? 2 : 10);
  for (const ContractId contract : contracts) {
    std::size_t others = 0;
    for (Cover::Item* item : items) {
      if (others > most_others) break;
      others += !is_explained_under(contract, *item, cover_.acting_on(*item));
    }
    if (others <= most_others && items.size() - others >= enough) return contract;
  }
  return std::nullopt;
}

void ShownContracts::sort_by_cases() {
  if (shown_.size() < 2) return;
  std::map<ContractId, std::size_t> cases;
  for (Cover::Item& item : cover_.items()) {
    if (item.passes || item.standing == Standing::Explained) continue;
    const FaultSet acting = cover_.acting_on(item);
    for (const ContractId contract : shown_) cases[contract] += is_explained_under(contract, item, acting);
  }
  std::ranges::stable_sort(shown_, std::ranges::greater{}, [&](ContractId contract) { return cases[contract]; });
}

std::optional<ContractId> ShownContracts::behind(Cover::Item& item) const {
  const FaultSet acting = cover_.acting_on(item);
  for (const ContractId contract : shown_)
    if (is_explained_under(contract, item, acting)) return contract;
  return std::nullopt;
}

}  // namespace cellproof::causes
