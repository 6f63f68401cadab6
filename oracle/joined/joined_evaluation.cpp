#include "oracle/joined/joined_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/fault.hpp"
#include "oracle/value_type.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle {
namespace {

bool has_seen(const Outputs& outputs) {
  return std::ranges::any_of(outputs, [](const auto& output) { return output.has_value(); });
}

bool is_seen(const Outputs& outputs, std::size_t position) {
  return position < outputs.size() && outputs[position].has_value();
}

/// Ranks a verdict: the larger, the worse.
int badness_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Conforms:
      return 0;
    case Verdict::Undecided:
      return 1;
    case Verdict::Suspect:
      return 2;
    default:
      return 3;
  }
}

/// Numbers that were seen take the place of those that follow.
void take_seen(const Outputs& outputs, std::vector<MadeTensor>& made) {
  made.resize(std::max(made.size(), outputs.size()));
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k]) made[k] = {values_of(*outputs[k]), std::vector<double>(outputs[k]->size())};
}

/// The faults of the hypothesis put on the view. False where one is not there, or acts on outputs, which nobody saw.
bool put_faults_on(const Hypothesis& hypothesis, View& view) {
  const Outputs* before = &view.outputs();
  const Shape shape = layout_of(view.problem()).y_shape();
  for (const Fault* fault : hypothesis.faults)
    if (!fault->applies(view.problem()) || !fault->put_on(view)) return false;
  return &view.outputs() == before && layout_of(view.problem()).y_shape() == shape;
}

}  // namespace

void JoinedEvaluation::add(std::size_t of_node, Judgement found) {
  const Verdict own = found.verdict.value_or(Verdict::Conforms);
  if (badness_of(own) <= badness_of(verdict) && verdict != Verdict::Conforms) return;
  if (own == Verdict::Conforms) {  // all of them do, so that their elements are told together
    for (std::size_t c = 0; c < found.elements.size(); ++c) found.elements[c] += judgement.elements[c];
    found.worst_ratio = std::max(found.worst_ratio, judgement.worst_ratio);
    found.max_ulp = std::max(found.max_ulp, judgement.max_ulp);
  }
  verdict = own;
  node = of_node;
  judgement = std::move(found);
}

JoinedEvaluator::JoinedEvaluator(const std::vector<JoinedNode>& nodes) : nodes_(nodes), is_taken_unseen_(nodes.size()) {
  for (const JoinedNode& node : nodes)
    for (const NodeElement& from : node.X_from)
      if (!is_seen(nodes.at(from.node).outputs, from.output)) is_taken_unseen_[from.node] = true;
}

std::vector<std::size_t> JoinedEvaluator::behind(std::size_t node) const {
  std::vector<bool> is_behind(nodes_.size());
  is_behind.at(node) = true;
  for (std::size_t k = node + 1; k-- > 0;) {
    if (!is_behind[k]) continue;
    for (const NodeElement& from : nodes_[k].X_from) {
      if (!is_seen(nodes_[from.node].outputs, from.output)) is_behind[from.node] = true;
    }
  }
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (is_behind[k]) all.push_back(k);
  return all;
}

double JoinedEvaluator::work() const {
  double work = 0;
  for (const JoinedNode& node : nodes_) {
    const Layout f = layout_of(node.problem);
    work += static_cast<double>(f.D) * f.products(node.problem.version.op);
  }
  return work;
}

/// Puts the numbers that earlier nodes made into X. Returns how far they may be off.
std::vector<double> JoinedEvaluator::take_X(std::size_t node, const Made& made, Problem& problem) const {
  const std::vector<NodeElement>& from = nodes_[node].X_from;
  std::vector<double> radius(from.size());
  Tensor& X = *problem.inputs.at(input::X).tensor;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const MadeTensor& tensor = made.at(from[k].node).at(from[k].output);
    const double centre = tensor.centre.at(from[k].element);
    X.set_value(k, centre);
    radius[k] = (tensor.radius[from[k].element] + std::abs(centre - X.value(k))) * (1 + 0x1p-50);
  }
  if (std::ranges::all_of(radius, [](double r) { return r == 0; })) radius.clear();
  return radius;
}

bool JoinedEvaluator::make(std::size_t node, const Observed& seen, const Hypothesis& hypothesis, bool is_quick,
                           Made& made) const {
  const Arithmetic arithmetic =
      hypothesis.arithmetic ? *hypothesis.arithmetic : arithmetic_of(hypothesis.contract, value_type(seen.problem));
  Problem unasked = seen.problem;  // a fault that acts on an output would look at one that nobody saw
  unasked.outputs.clear();
  const Outputs nothing;
  const Observed unseen(unasked, nothing, seen.X_radius);
  View view(unseen);
  if (!put_faults_on(hypothesis, view)) return false;
  const Task task(view.observed(), hypothesis.readings, arithmetic, view.fault_hooks);
  made[node] = is_quick ? quickly_made_outputs(task) : made_outputs(task);
  if (!is_quick) return true;
  constexpr double margin = 32;  // another hypothesis may carry its errors further
  for (std::size_t k = 0; k < made[node].size(); ++k)
    for (std::size_t i = 0; i < made[node][k].radius.size(); ++i)
      made[node][k].radius[i] = margin * by_default_[node][k].radius[i];
  return true;
}

std::optional<JoinedEvaluation> JoinedEvaluator::evaluated(const Hypothesis& hypothesis, std::size_t faulty,
                                                           Depth depth, bool is_quick, Made& made) const {
  JoinedEvaluation all;
  made.assign(nodes_.size(), {});
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    Hypothesis own = hypothesis;
    if (k != faulty) own.faults.clear();
    Problem problem = nodes_[k].problem;
    std::vector<double> radius = take_X(k, made, problem);
    if (!radius.empty() && is_quantised(problem.version.op)) return std::nullopt;
    const Observed seen(problem, nodes_[k].outputs, std::move(radius));
    if (has_seen(nodes_[k].outputs)) all.add(k, oracle::evaluate(seen, own, depth).judgement);
    if (is_quick && all.verdict == Verdict::Diverges) return all;
    if (is_taken_unseen_[k] && !make(k, seen, own, is_quick, made)) return std::nullopt;
    take_seen(nodes_[k].outputs, made[k]);
  }
  return all;
}

std::optional<JoinedEvaluation> JoinedEvaluator::evaluate(const Hypothesis& hypothesis, std::size_t faulty,
                                                          Depth depth) const {
  Made made;
  return evaluated(hypothesis, faulty, depth, false, made);
}

std::optional<JoinedEvaluation> JoinedEvaluator::evaluate_default(const Hypothesis& hypothesis, Depth depth) {
  return evaluated(hypothesis, 0, depth, false, by_default_);
}

bool JoinedEvaluator::is_out_of_reach(const Hypothesis& hypothesis, std::size_t faulty) const {
  Made made;
  const auto found = evaluated(hypothesis, faulty, Depth::Excluded, true, made);
  return !found || found->verdict == Verdict::Diverges;
}

}  // namespace cellproof::oracle
