#include "oracle/joined/judge_joined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oracle/contract.hpp"
#include "oracle/contract_order.hpp"
#include "oracle/fault.hpp"
#include "oracle/hypotheses.hpp"
#include "oracle/joined/joined_evaluation.hpp"
#include "oracle/precision_shows.hpp"

namespace cellproof::oracle {
namespace {

/// Supposing a fault of each node in turn must end within seconds.
constexpr double most_joined_work = Hypotheses::usual_fault_work;

/// Goes through the hypotheses of the node that diverges, supposed of all nodes.
class JoinedSearch {
 public:
  JoinedSearch(const std::vector<JoinedNode>& nodes, const Knowledge& known, FaultList tried)
      : nodes_(nodes), evaluator_(nodes), known_(known), tried_(tried) {}

  JoinedJudgement judge();

 private:
  bool decide_by_default();
  bool decide_by_other(const Problem& problem);
  void decide_by_precision(const Hypothesis& hypothesis);
  void name_faults();
  void try_faults_of(std::size_t node, FaultClass cls, bool is_that_class);
  Verdict verdict_of(const Hypothesis& hypothesis, std::size_t faulty = 0) const {
    const auto found = evaluator_.evaluate(hypothesis, faulty, Depth::Verdict);
    return found ? found->verdict : Verdict::Diverges;
  }

  const std::vector<JoinedNode>& nodes_;
  JoinedEvaluator evaluator_;
  Knowledge known_;
  FaultList tried_;
  Hypothesis base_;
  JoinedJudgement result_;
  struct Named {
    std::size_t node;
    const Fault* fault;
  };
  std::vector<Named> named_;
  std::optional<Hypothesis> allows_much_;  ///< a wider contract that explains what most faults lead to
  std::optional<ContractId> open_under_;   ///< a wider contract that neither explains nor is excluded
  double work_ = 0;
  std::int64_t untried_ = 0;
};

JoinedJudgement JoinedSearch::judge() {
  if (decide_by_default() || decide_by_other(nodes_[result_.node].problem)) return std::move(result_);
  name_faults();
  if (named_.empty() && allows_much_) {
    decide_by_precision(*allows_much_);
  } else if (named_.empty() && open_under_) {
    result_.judgement.verdict = Verdict::Undecided;
    result_.judgement.reason.besides =
        fmt::format("; under {} nothing excludes it, and no fault explains it", name(*open_under_));
  }
  return std::move(result_);
}

bool JoinedSearch::decide_by_default() {
  base_.contract = base_contract(nodes_.back().problem, known_.declared);
  std::optional<JoinedEvaluation> found = evaluator_.evaluate_default(base_, Depth::Described);
  if (!found) {
    result_.judgement.verdict = Verdict::Undecided;
    result_.judgement.contract = base_.contract;
    result_.judgement.reason.found = Words(
        "a DynamicQuantizeLSTM takes what another node made and nobody saw: add that node's Y to the model's outputs, "
        "or run the model with `check MODEL.onnx`, which does so itself");
    return true;
  }
  result_.node = found->node;
  result_.judgement = std::move(found->judgement);
  result_.judgement.verdict = found->verdict;
  result_.behind = evaluator_.behind(found->node);
  return found->verdict == Verdict::Conforms || found->verdict == Verdict::Undecided;
}

/// Other readings, wider contracts, and both, of all nodes at once.
bool JoinedSearch::decide_by_other(const Problem& problem) {
  Hypotheses list(problem, known_, {});
  bool is_open = false;
  while (const std::optional<Supposition> next = list.next()) {
    if (next->stage == Stage::Default) continue;
    if (next->stage == Stage::Fault || next->stage == Stage::FaultOfPrecision) break;
    const Verdict verdict = verdict_of(next->hypothesis);
    const bool widens = next->stage != Stage::Reading;
    if (verdict == Verdict::Conforms && widens && must_show(base_.contract, next->hypothesis.contract)) {
      if (!allows_much_) allows_much_ = next->hypothesis;
    } else if (verdict == Verdict::Conforms) {
      if (widens)
        decide_by_precision(next->hypothesis);
      else
        result_.judgement.verdict = Verdict::Reading;
      result_.judgement.readings = next->hypothesis.readings;
      if (!widens) result_.judgement.reason.searched = reason::ConformsUnder{};
      return true;
    }
    if (widens && verdict == Verdict::Undecided && !computes_in_16_bits(next->hypothesis.contract) && !open_under_)
      open_under_ = next->hypothesis.contract;
    is_open = is_open || (!widens && verdict == Verdict::Undecided);
  }
  if (is_open) result_.judgement.verdict = Verdict::Undecided;
  return is_open;
}

void JoinedSearch::decide_by_precision(const Hypothesis& hypothesis) {
  result_.judgement.reason.searched = reason::LooksLike{{hypothesis.contract}, result_.judgement.contract, false};
  result_.judgement.verdict = Verdict::Precision;
  result_.judgement.contract = hypothesis.contract;
  result_.judgement.readings = hypothesis.readings;
}

void JoinedSearch::name_faults() {
  for (const bool is_precision : {false, true}) {
    for (const std::size_t node : result_.behind) try_faults_of(node, FaultClass::Precision, is_precision);
    if (!named_.empty()) break;
  }
  for (const Named& named : named_) {
    if (std::ranges::find(result_.guilty, named.node) == result_.guilty.end()) result_.guilty.push_back(named.node);
    result_.judgement.faults.push_back(named.fault->id);
  }
  std::size_t weights = 0;
  for (const JoinedNode& node : nodes_)
    for (const std::size_t position : {input::W, input::R}) weights += node.problem.input(position)->size();
  result_.judgement.reason.untried = {untried_, static_cast<std::int64_t>(weights)};
}

void JoinedSearch::try_faults_of(std::size_t node, FaultClass cls, bool is_that_class) {
  const auto is_named = [&](std::string_view id) {
    return std::ranges::any_of(named_, [&](const Named& n) { return n.node == node && n.fault->id == id; });
  };
  for (const Fault* fault : tried_) {
    if ((fault->cls == cls) != is_that_class || !fault->applies(nodes_[node].problem)) continue;
    if (work_ > most_joined_work) {
      ++untried_;
      continue;
    }
    work_ += evaluator_.work();
    const bool has_base = !fault->base.empty() && std::ranges::find(tried_, fault->base, &Fault::id) != tried_.end();
    Hypothesis supposed = base_;
    supposed.faults = {fault};
    const auto explains = [&] {
      return !evaluator_.is_out_of_reach(supposed, node) && verdict_of(supposed, node) == Verdict::Conforms;
    };
    if (has_base ? is_named(fault->base) : explains()) named_.push_back({node, fault});
  }
}

}  // namespace

JoinedJudgement judge_joined(const std::vector<JoinedNode>& nodes, const Knowledge& known, FaultList tried) {
  return JoinedSearch(nodes, known, tried).judge();
}

}  // namespace cellproof::oracle
