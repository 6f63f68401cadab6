#include "oracle/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "oracle/exact_trajectory.hpp"
#include "oracle/explain.hpp"
#include "oracle/fault.hpp"
#include "oracle/ladder.hpp"
#include "oracle/other_layout.hpp"
#include "oracle/quantized/evaluation.hpp"
#include "oracle/row_evaluation.hpp"
#include "oracle/stricter_model.hpp"
#include "oracle/structure.hpp"
#include "oracle/tally.hpp"
#include "oracle/value_type.hpp"
#include "spec/expectation.hpp"

namespace cellproof::oracle {
namespace {

/// Share of value elements that must be EXACT or ROUNDING before a case conforms.
constexpr double verified_share = 0.9;

Judgement broken_judgement(const StructuralViolation& v, ContractId contract) {
  Judgement judgement;
  judgement.verdict = Verdict::Diverges;
  judgement.contract = contract;
  judgement.kind = v.kind;
  judgement.reason.found = reason::WrongOutput{};
  judgement.first = FirstViolation{};
  judgement.first->output = v.output;
  judgement.first->structure = v.broken;
  return judgement;
}

Evaluation fault_not_there(const Fault& fault, ContractId contract) {
  Evaluation found;
  found.judgement.verdict = Verdict::Diverges;
  found.judgement.contract = contract;
  found.judgement.reason.found = reason::FaultNotThere{fault.id};
  return found;
}

Verdict verdict_of(const Tally& tally, bool any_open) {
  if (tally.first_divergent) return Verdict::Diverges;
  if (tally.first_suspect) return Verdict::Suspect;
  if (any_open) return Verdict::Undecided;
  return tally.verified() >= verified_share ? Verdict::Conforms : Verdict::Undecided;
}

std::int64_t count_open(const ElementEvaluation& evaluation) {
  std::int64_t count = 0;
  for (const auto* elements : {&evaluation.Y, &evaluation.Y_h, &evaluation.Y_c})
    count += std::ranges::count_if(*elements, &Element::open);
  return count;
}

/// Are exact values expected, rounded correctly? They are if Y is missing and nothing is quantised: the trajectory from
/// the initial state on is what stands behind an element.
bool has_exact_values(const Task& task) {
  return !task.Y && !quantises(task) && (task.Y_h || task.Y_c);
}

/// So many bits at most that the exact trajectory takes seconds: it adds to what is said, and to no verdict.
int affordable_bits(const Task& task) {
  constexpr double bits_by_products = 6e10;
  constexpr int most = 4096;
  const double products = static_cast<double>(task.layout.D) * task.layout.products(task.problem.version.op);
  return static_cast<int>(std::min<double>(most, bits_by_products / (1 + products)));
}

void take_exact_values(const Task& task, const ExactTrajectory& exact, ElementEvaluation& evaluation) {
  const Layout& f = task.layout;
  const auto take = [&](Element& e, const Ball& value) {
    const std::optional<double> rounded = correctly_rounded(value, task.arithmetic.type);
    const bool is_inside = e.cls == ElementClass::Exact || e.cls == ElementClass::Rounding;
    if (!rounded || !(is_inside || e.cls == ElementClass::Divergent || e.cls == ElementClass::Suspect)) return;
    e.expected = *rounded;
    if (std::isfinite(e.observed)) e.error = std::abs(static_cast<double>(Ball(e.observed) - value));
    if (is_inside) e.cls = e.observed == e.expected ? ElementClass::Exact : ElementClass::Rounding;
  };
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      const std::int64_t steps = f.lengths[static_cast<std::size_t>(b)];
      for (std::int64_t j = 0; steps > 0 && j < f.H; ++j) {
        const auto unit = static_cast<std::size_t>(j);
        const std::size_t place = ElementEvaluation::state_place(f, d, b) + unit;
        if (!evaluation.Y_h.empty())
          take(evaluation.Y_h[place], exact.H[ElementEvaluation::y_place(f, steps - 1, d, b) + unit]);
        if (!evaluation.Y_c.empty()) take(evaluation.Y_c[place], exact.C[place]);
      }
    }
  }
}

/// A decided evaluation, and which of its elements are verified.
struct Verified {
  Escalated escalated;
  Tally tally;

  bool is_too_little() const {
    return !escalated.evaluation.any_open && verdict_of(tally, false) == Verdict::Undecided;
  }
};

/// `exact`: what the elements are compared with where Y is missing.
Verified verified(const Task& task, Escalated escalated, const std::optional<ExactTrajectory>& exact) {
  Verified result{std::move(escalated), {}};
  ElementEvaluation& evaluation = result.escalated.evaluation;
  if (exact) take_exact_values(task, *exact, evaluation);
  mark_unresolved(task, evaluation);
  result.tally = verify_more(task, evaluation, result.escalated.bits);
  return result;
}

/// With more bits for as long as too little is verified and each precision level verifies more than the one before:
/// where terms of far different sizes cancel, a ball may be so wide that all that it may lead to is permitted.
Verified verified_escalating(const Task& task, Confirm confirm, const std::optional<ExactTrajectory>& exact) {
  Verified best = verified(task, escalate(task, confirm), exact);
  while (best.is_too_little() && best.escalated.bits > bits_of_double && best.escalated.bits < most_bits) {
    Verified next = verified(task, escalate_from(task, confirm, 2 * best.escalated.bits), exact);
    const bool says_more = next.escalated.evaluation.any_beyond || next.tally.verified() > best.tally.verified();
    if (!says_more) break;
    best = std::move(next);
  }
  return best;
}

/// Judgement that an evaluation has come to, but for what is beyond a bound.
Judgement counted(const Tally& tally, const ElementEvaluation& evaluation, int bits) {
  Judgement judgement;
  judgement.bits = bits;
  judgement.verdict = verdict_of(tally, evaluation.any_open);
  judgement.elements = tally.elements;
  if (!tally.infinite_ratio) judgement.worst_ratio = tally.worst_ratio;
  judgement.max_ulp = tally.max_ulp;
  return judgement;
}

/// The first element beyond a bound: its place and, for a wrong value, the expected one.
FirstElement first_element(const Task& task, const ElementEvaluation& evaluation, ViolationKind kind,
                           const Place& place) {
  const bool by_value = kind == ViolationKind::Value;
  return {place, by_value ? element_at(task, evaluation, place).expected : 0, by_value};
}

Evaluation judged(const Task& task, bool supposes_fault, Confirm confirm) {
  std::optional<ExactTrajectory> exact;
  if (!supposes_fault && has_exact_values(task)) exact = certified_trajectory(task, affordable_bits(task));
  Verified best = verified_escalating(task, confirm, exact);
  ElementEvaluation& evaluation = best.escalated.evaluation;
  const int bits = std::max(best.escalated.bits, exact ? exact->bits : 0);
  const std::vector<StructuralViolation> broken = broken_elements(task);
  const Tally tally = broken.empty() ? best.tally : tally_of(task, evaluation, broken);

  Evaluation found{counted(tally, evaluation, bits), std::nullopt};
  Judgement& judgement = found.judgement;
  if (judgement.verdict == Verdict::Conforms) {
    judgement.reason.found = reason::Verified{};
    return found;
  }
  if (judgement.verdict != Verdict::Undecided && confirm == Confirm::Later) return found;
  judgement.series = series_of(task, evaluation);
  if (judgement.verdict == Verdict::Undecided) {
    if (evaluation.any_open)
      judgement.reason.found = reason::StillOpen{count_open(evaluation)};
    else
      judgement.reason.found = reason::TooLittle{!task.Y && tally.count(ElementClass::Unresolved) > 0};
    return found;
  }
  const Place place = tally.first_divergent ? *tally.first_divergent : *tally.first_suspect;
  judgement.kind = kind_at(broken, place);
  judgement.first = first_violation(task, evaluation, bits, broken, place);
  judgement.reason.found = reason::BeyondBound{task.Y.has_value(), judgement.verdict == Verdict::Suspect};
  found.first = first_element(task, evaluation, *judgement.kind, place);
  return found;
}

/// A structural violation, or an element beyond its certified bound.
std::optional<ExcludedBy> excluded_by(const Task& task, Confirm confirm, std::optional<Stretch>* likeliest) {
  if (!broken_elements(task).empty()) return ExcludedBy{.structure = true};
  if (const auto beyond = beyond_proof(task, confirm, likeliest)) return ExcludedBy{.stretch = beyond->stretch};
  return std::nullopt;
}

/// `must_verify`: else no more than what speaks against it.
Verdict quick_verdict(const Task& task, bool must_verify, std::optional<Stretch>* likeliest) {
  // By far the most usual answer, so it comes first.
  if (excluded_by(task, Confirm::Later, likeliest)) return Verdict::Diverges;
  Escalated escalated{run_evaluation(task, Tier::Running, true, first_precision_level(task)),
                      first_precision_level(task)};
  if (escalated.evaluation.any_beyond) return Verdict::Suspect;
  if (escalated.evaluation.any_open) escalated = escalate(task, Confirm::Now);
  ElementEvaluation& evaluation = escalated.evaluation;
  if (!must_verify && !evaluation.any_beyond) return Verdict::Undecided;
  mark_unresolved(task, evaluation);
  // No more bits where too little is verified: of the hypotheses that a search tries most are wrong.
  return verdict_of(verify_more(task, evaluation, escalated.bits), evaluation.any_open);
}

Evaluation of_verdict(std::optional<Verdict> verdict) {
  Evaluation found;
  found.judgement.verdict = verdict;
  return found;
}

Evaluation evaluated(const Task& task, bool supposes_fault, Depth depth, std::optional<Stretch>* likeliest) {
  switch (depth) {
    case Depth::Excluded:
    case Depth::SurelyExcluded: {
      const Confirm confirm = depth == Depth::Excluded ? Confirm::Later : Confirm::Now;
      const std::optional<ExcludedBy> by = excluded_by(task, confirm, likeliest);
      if (!by) return {};
      Evaluation found = of_verdict(Verdict::Diverges);
      found.excluded_by = by;
      return found;
    }
    case Depth::Admitted:
    case Depth::Verdict:
      return of_verdict(quick_verdict(task, depth == Depth::Verdict, likeliest));
    case Depth::Counted:
      return judged(task, supposes_fault, Confirm::Later);
    case Depth::Described:
      break;
  }
  return judged(task, supposes_fault, Confirm::Now);
}

}  // namespace

bool Evaluator::is_out_of_reach(const Task& task, Depth depth) {
  constexpr double margin = 32;  // another hypothesis may carry its errors further
  const bool asks_for_verdict = depth == Depth::Verdict || depth == Depth::Admitted || depth == Depth::Excluded;
  if (!asks_for_verdict || !has_exact_values(task)) return false;
  // Errors grow with the steps: the reach of fewer says nothing.
  if (!std::ranges::equal(task.layout.lengths, seen_.layout.lengths, std::less_equal{})) return false;
  if (!reach_) reach_ = reach_of_last_states(Task(seen_, {}, task.arithmetic, {}, &known_cells_));
  return is_far_off(task, margin * *reach_, &far_off_);
}

Evaluation Evaluator::evaluated_once(const Task& task, ContractId contract, const Observed* changed, Depth depth,
                                     std::optional<Stretch>* likeliest) {
  constexpr std::size_t most_remembered = 4;
  std::optional<Question> question = Question::of(task, contract, changed);
  if (!question) return evaluated(task, true, depth, likeliest);
  const bool asks_for_verdict = depth == Depth::Verdict;
  auto known = std::ranges::find(standing_, *question, &Standing::question);
  if (known != standing_.end() && !asks_for_verdict) return {};
  if (known != standing_.end() && known->verdict) return of_verdict(known->verdict);
  Evaluation found = evaluated(task, true, depth, likeliest);
  if (found.excluded()) return found;
  if (known == standing_.end()) {
    if (standing_.size() == most_remembered) standing_.pop_front();
    known = standing_.insert(standing_.end(), {std::move(*question), std::nullopt});
  }
  if (asks_for_verdict) known->verdict = found.judgement.verdict;
  return found;
}

const Observed* Evaluator::seen_under(const Readings& readings) {
  if (!is_read_as_layout_0(seen_.problem, readings)) return &seen_;
  if (!in_layout_0_) {
    in_layout_0_ = std::make_unique<InLayout0>(InLayout0{in_layout_0(seen_.problem), std::nullopt});
    const bool is_valid = expectation_of(in_layout_0_->problem).kind != Expectation::Kind::Refuse;
    if (is_valid) in_layout_0_->seen.emplace(in_layout_0_->problem, seen_.outputs, seen_.X_radius);
  }
  return in_layout_0_->seen ? &*in_layout_0_->seen : nullptr;
}

Evaluation Evaluator::evaluate(const Hypothesis& hypothesis, Depth depth) {
  if (const Observed* seen = seen_under(hypothesis.readings)) return evaluate_on(*seen, hypothesis, depth);
  Evaluation invalid = of_verdict(Verdict::Diverges);
  invalid.judgement.contract = hypothesis.contract;
  return invalid;
}

Evaluation Evaluator::evaluate_on(const Observed& all, const Hypothesis& hypothesis, Depth depth) {
  const bool mends_shapes = std::ranges::any_of(hypothesis.faults, &Fault::changes_shapes);
  if (all.broken && !mends_shapes) return {broken_judgement(*all.broken, hypothesis.contract), std::nullopt};
  const Arithmetic arithmetic =
      hypothesis.arithmetic ? *hypothesis.arithmetic : arithmetic_of(hypothesis.contract, value_type(all.problem));
  // Places are those of one layout.
  const auto likeliest_in = [&](const Observed& seen) {
    const bool is_same = &all == &seen_ && seen.layout.T == all.layout.T && seen.layout.N == all.layout.N;
    return is_same ? &likeliest_ : nullptr;
  };
  Evaluation found;
  if (hypothesis.faults.empty()) {
    found = evaluated(Task(all, hypothesis.readings, arithmetic, {}, &known_cells_), false, depth, likeliest_in(all));
  } else {
    View view(all);
    for (const bool changes_shapes : {true, false}) {
      for (const Fault* fault : hypothesis.faults) {
        if (fault->changes_shapes != changes_shapes || !fault->applies(view.problem())) continue;
        if (!fault->put_on(view)) return fault_not_there(*fault, hypothesis.contract);
      }
      // Other faults look for their elements where the shapes have them.
      const auto& broken = view.observed().broken;
      if (broken) return {broken_judgement(*broken, hypothesis.contract), std::nullopt};
    }
    const Observed& seen = view.observed();
    const Task task(seen, hypothesis.readings, arithmetic, view.fault_hooks, &known_cells_);
    const bool is_far = &all == &seen_ && !all.broken && is_out_of_reach(task, depth);
    const bool is_remembered = (depth == Depth::Verdict || depth == Depth::SurelyExcluded) && !hypothesis.arithmetic;
    if (is_far)
      found = of_verdict(Verdict::Diverges);
    else if (is_remembered)
      found = evaluated_once(task, hypothesis.contract, &seen == &all ? nullptr : &seen, depth, likeliest_in(seen));
    else
      found = evaluated(task, true, depth, likeliest_in(seen));
  }
  found.judgement.contract = hypothesis.contract;
  return found;
}

Evaluation evaluate(const Observed& seen, const Hypothesis& hypothesis, Depth depth) {
  return Evaluator(seen).evaluate(hypothesis, depth);
}

}  // namespace cellproof::oracle
