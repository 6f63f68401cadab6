#include "campaign/check_joined.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "oracle/decide.hpp"
#include "oracle/joined/judge_joined.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

std::string name_of(const std::vector<JoinedNode>& nodes, std::size_t k) {
  const JoinedNode& node = nodes[k];
  return node.name.empty() ? fmt::format("{} {}", name(node.problem.version.op), k + 1)
                           : fmt::format("'{}'", node.name);
}

std::string names_of(const std::vector<JoinedNode>& nodes, const std::vector<std::size_t>& which,
                     std::string_view between) {
  std::vector<std::string> names;
  for (const std::size_t k : which) names.push_back(name_of(nodes, k));
  return fmt::format("{}", fmt::join(names, between));
}

/// Names the node that the judgement is of, and the one to blame.
std::string words_for(const std::vector<JoinedNode>& nodes, const oracle::JoinedJudgement& found) {
  const Verdict verdict = found.judgement.verdict.value_or(Verdict::Undecided);
  if (verdict == Verdict::Conforms) return fmt::format("; {} recurrent nodes judged together", nodes.size());
  std::string text = fmt::format("; of {} recurrent nodes this is {}", nodes.size(), name_of(nodes, found.node));
  if (verdict != Verdict::Diverges && verdict != Verdict::Suspect) return text;
  if (found.behind.size() == 1) return text + ", judged on its own";
  if (found.guilty.empty())
    return text + fmt::format("; {} is wrong, and no fault of one node alone explains it",
                              names_of(nodes, found.behind, " or "));
  if (found.guilty.size() == 1) return text + "; the guilty one is " + names_of(nodes, found.guilty, "");
  return text + "; a fault in one of these explains it: " + names_of(nodes, found.guilty, ", ");
}

}  // namespace

void judge_joined_nodes(const std::vector<JoinedNode>& nodes, std::optional<ContractId> declared, Finding& finding) {
  finding.version = nodes.back().problem.version;
  if (const Tensor* x = nodes.back().problem.input(input::X)) finding.type = x->type();
  finding.outcome = OutcomeKind::Ran;
  finding.given_contract = declared;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    finding.expectation = expectation_of(nodes[k].problem);
    if (finding.expectation.kind != Expectation::Kind::Refuse) continue;
    const Violation& violation = finding.expectation.violations.front();
    finding.judgement.verdict = Verdict::Undecided;
    finding.judgement.reason.found =
        fmt::format("node {} is invalid by rule {}: {}", name_of(nodes, k), violation.rule, violation.message);
    return;
  }
  oracle::JoinedJudgement found = oracle::judge_joined(nodes, {declared});
  finding.version = nodes[found.node].problem.version;
  found.judgement.reason.besides += words_for(nodes, found);
  finding.judgement = std::move(found.judgement);
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  finding.pass = oracle::passes_gate(outcome, finding.judgement, declared);
}

}  // namespace cellproof::campaign
