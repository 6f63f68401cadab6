#include "spec/evidence.hpp"

#include <algorithm>
#include <stdexcept>

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
  std::vector<std::string_view> list = row.readings;
  if (clause == Clause::DqFinishedRows) std::erase(list, "zero");
  if (clause == Clause::InputForgetWeights) return {};
  if (row.refusable && std::ranges::find(list, "refuse") == list.end()) list.emplace_back("refuse");
  return list;
}

Evidence only(Clause clause, std::string_view answer) {
  Evidence evidence{clause, {}, {}};
  for (const std::string_view each : answers(clause))
    (each == answer ? evidence.fits : evidence.excludes).emplace_back(each);
  if (evidence.fits.empty())
    throw std::invalid_argument(std::string(info(clause).id) + " has no answer '" + std::string(answer) + "'");
  return evidence;
}

Evidence none(Clause clause) {
  const auto all = answers(clause);
  return {clause, {}, {all.begin(), all.end()}};
}

}  // namespace cellproof
