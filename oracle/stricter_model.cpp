#include "oracle/stricter_model.hpp"

#include <algorithm>
#include <vector>

#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/step/activation.hpp"

namespace cellproof::oracle {
namespace {

bool is_verified(const Element& e) {
  return (e.cls == ElementClass::Exact || e.cls == ElementClass::Rounding) && !e.open;
}

/// Judges by the narrower arithmetic; true where that is sure to explain every element.
bool adopt(const Task& task, const Arithmetic& narrower, ElementEvaluation& evaluation, int bits) {
  Task narrow = task;
  narrow.arithmetic = narrower;
  ElementEvaluation closer = run_evaluation(narrow, Tier::Running, true, bits);
  if (closer.any_open && !closer.any_beyond && bits == bits_of_double)
    closer = run_evaluation(narrow, Tier::Running, true, first_bits_of_balls);
  if (closer.any_beyond || closer.any_open) return false;
  mark_unresolved(narrow, closer);
  const auto take = [](std::vector<Element>& own, const std::vector<Element>& other) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      const bool left = own[k].cls == ElementClass::Unresolved || own[k].cls == ElementClass::Unspecified ||
                        own[k].cls == ElementClass::Unverifiable;
      if (left && is_verified(other[k])) own[k].cls = other[k].cls;
    }
  };
  take(evaluation.Y, closer.Y);
  take(evaluation.Y_h, closer.Y_h);
  take(evaluation.Y_c, closer.Y_c);
  return true;
}

/// The modes that can make a difference in this problem, the usual ones first.
std::vector<EvaluationMode> modes_of(const Task& task) {
  const Problem& problem = task.problem;
  bool has_formula = false, swallows = problem.attributes.clip.has_value();
  for (std::int64_t d = 0; d < task.layout.D; ++d) {
    const Cell cell = task.cell(d);
    for (int slot = 0; slot < activation_count(problem.version.op); ++slot) {
      const ActivationKind kind = cell.activation[static_cast<std::size_t>(slot)].kind;
      has_formula = has_formula || kind == ActivationKind::Softsign;
      swallows = swallows || may_swallow_nan(kind);
    }
  }
  const bool has_cell = has_cell_state(problem.version.op);
  const bool blends =
      !has_cell ? problem.version.op == Operator::GRU : problem.attributes.input_forget.value_or(0) != 0;
  const bool absent_state = task.initial_h.empty() || (has_cell && task.initial_c.empty());
  const bool absent_peephole = has_cell && !problem.input(input::P);

  std::vector<EvaluationMode> modes{EvaluationMode{}};
  const auto choose = [&](bool relevant, auto member, auto choices) {
    if (!relevant) return;
    std::vector<EvaluationMode> all;
    for (const auto choice : choices) {
      for (EvaluationMode m : modes) {
        m.*member = choice;
        all.push_back(m);
      }
    }
    modes = std::move(all);
  };
  using N = EvaluationMode::OfNan;
  using L = EvaluationMode::AtInfinity;
  using B = EvaluationMode::Blend;
  using A = EvaluationMode::Absent;
  choose(blends, &EvaluationMode::blend, std::initializer_list<B>{B::AsWritten, B::Shorter});
  choose(absent_peephole, &EvaluationMode::peephole, std::initializer_list<A>{A::LeftOut, A::Multiplied});
  choose(absent_state, &EvaluationMode::state, std::initializer_list<A>{A::Multiplied, A::LeftOut});
  choose(has_formula, &EvaluationMode::at_infinity, std::initializer_list<L>{L::Formula, L::Limit});
  choose(swallows, &EvaluationMode::nan, std::initializer_list<N>{N::Kept, N::AsLowest, N::AsHighest});
  return modes;
}

/// Takes what a narrower model verifies of so many elements.
void adopt_some(const Task& task, std::int64_t unresolved, std::int64_t unspecified, ElementEvaluation& evaluation,
                int bits) {
  Arithmetic narrower = task.arithmetic;
  if (unresolved > 0) {
    Arithmetic without_floor = narrower;
    without_floor.activation_floor = 0;
    if (adopt(task, without_floor, evaluation, bits)) narrower = without_floor;
  }
  if (unspecified == 0) return;
  for (const EvaluationMode& mode : modes_of(task)) {
    narrower.mode = mode;
    if (adopt(task, narrower, evaluation, bits)) return;
  }
}

}  // namespace

Tally verify_more(const Task& task, ElementEvaluation& evaluation, int bits) {
  Tally tally = tally_of(task, evaluation, {});
  if (evaluation.any_beyond || evaluation.any_open) return tally;
  const auto unresolved = tally.count(ElementClass::Unresolved), unspecified = tally.count(ElementClass::Unspecified);
  if (10 * (unresolved + unspecified + tally.count(ElementClass::Unverifiable)) <= tally.total()) return tally;
  adopt_some(task, unresolved, unspecified, evaluation, bits);
  return tally_of(task, evaluation, {});
}

}  // namespace cellproof::oracle
