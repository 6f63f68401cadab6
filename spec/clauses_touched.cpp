#include <algorithm>

#include "spec/readings.hpp"
#include "spec/rules/node_facts.hpp"
#include "spec/rules/touches.hpp"

namespace cellproof {

std::vector<Clause> clauses_touched(const Problem& problem) {
  if (std::ranges::find(all_operator_versions(), problem.version) == all_operator_versions().end()) return {};
  const rules::NodeFacts facts = rules::facts_of(problem, rules_of(problem.version));
  std::vector<Clause> list;
  for (const ClauseInfo& row : clauses()) {
    if (rules::touches(facts, row.clause)) list.push_back(row.clause);
  }
  return list;
}

}  // namespace cellproof
