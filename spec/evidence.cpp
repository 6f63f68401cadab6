#include "spec/evidence.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace cellproof {

std::vector<std::string_view> answers(Clause clause) {
  const ClauseInfo& row = info(clause);
  switch (row.kind) {
    case ClauseKind::Settled:
      return {"kept", "broken"};
    case ClauseKind::Invalid:
      return {"refused", "accepted"};
    case ClauseKind::Contract:
      return {};
    case ClauseKind::Value:
    case ClauseKind::Acceptance:
      break;
  }
  std::vector<std::string_view> list = reading_ids(row);
  if (clause == Clause::DqFinishedRows) std::erase(list, "zero");
  if (clause == Clause::InputForgetWeights) return {};
  if (row.refusable && std::ranges::find(list, "refuse") == list.end()) list.emplace_back("refuse");
  return list;
}

std::optional<Answer> answer_named(Clause clause, std::string_view text) {
  const auto all = answers(clause);
  const auto found = std::ranges::find(all, text);
  return found == all.end() ? std::nullopt : std::optional(static_cast<Answer>(found - all.begin()));
}

std::vector<std::string_view> names(Clause clause, const std::vector<Answer>& list) {
  const auto all = answers(clause);
  std::vector<std::string_view> names;
  for (const Answer answer : list) names.push_back(all.at(answer));
  return names;
}

Evidence only(Clause clause, std::string_view text) {
  const std::optional<Answer> answer = answer_named(clause, text);
  if (!answer) throw std::invalid_argument(std::string(info(clause).id) + " has no answer '" + std::string(text) + "'");
  Evidence evidence = none(clause);
  std::erase(evidence.excludes, *answer);
  evidence.fits.push_back(*answer);
  return evidence;
}

Evidence none(Clause clause) {
  std::vector<Answer> all(answers(clause).size());
  std::iota(all.begin(), all.end(), Answer{0});
  return {clause, {}, std::move(all)};
}

}  // namespace cellproof
