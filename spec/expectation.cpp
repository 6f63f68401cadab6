#include "spec/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "spec/rules/checks.hpp"
#include "spec/rules/node_facts.hpp"
#include "spec/rules/touches.hpp"

namespace cellproof {
namespace {

std::string names_of_versions() {
  std::string list;
  for (const OperatorVersion version : all_operator_versions()) list += (list.empty() ? "" : ", ") + to_string(version);
  return list;
}

}  // namespace

std::string_view name(Expectation::Kind kind) {
  switch (kind) {
    case Expectation::Kind::Accept:
      return "ACCEPT";
    case Expectation::Kind::Refuse:
      return "REFUSE";
    case Expectation::Kind::Either:
      return "EITHER";
  }
  throw std::invalid_argument("Expectation::Kind outside its range");
}

Expectation expectation_of(const Problem& problem) {
  using enum Expectation::Kind;
  if (std::ranges::find(all_operator_versions(), problem.version) == all_operator_versions().end()) {
    return {.kind = Refuse,
            .violations = {{"operator-version", "operators and versions",
                            fmt::format("there is no operator version {}, expected one of {}",
                                        to_string(problem.version), names_of_versions())}},
            .clauses = {}};
  }
  const rules::NodeFacts facts = rules::facts_of(problem, rules_of(problem.version));
  Expectation result;
  for (auto check : {rules::attribute_violations, rules::input_violations, rules::output_violations}) {
    std::ranges::move(check(facts), std::back_inserter(result.violations));
  }
  if (!result.violations.empty()) {
    result.kind = Refuse;
    return result;
  }
  for (const ClauseInfo& row : clauses()) {
    if (rules::leaves_refusal_open(facts, row.clause)) result.clauses.push_back(row.clause);
  }
  result.kind = result.clauses.empty() ? Accept : Either;
  return result;
}

Expectation expectation_of(const Case& c) {
  return expectation_of(make_problem_of_zeros(c));
}

}  // namespace cellproof
