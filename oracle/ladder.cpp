#include "oracle/ladder.hpp"

#include <algorithm>
#include <optional>

#include "oracle/quantized/evaluation.hpp"
#include "oracle/tally.hpp"

namespace cellproof::oracle {
namespace {

template <class Holds>
bool any_element(const ElementEvaluation& evaluation, const Holds& holds) {
  const auto lists = {&evaluation.Y, &evaluation.Y_h, &evaluation.Y_c};
  return std::ranges::any_of(lists, [&](const auto* list) { return std::ranges::any_of(*list, holds); });
}

bool is_any_open(const ElementEvaluation& evaluation) {
  return any_element(evaluation, [](const Element& e) { return e.open; });
}

/// Something is beyond a certified bound: the elements that are open do not matter to the verdict.
bool is_settled(const ElementEvaluation& evaluation) {
  return any_element(evaluation, [](const Element& e) { return e.cls == ElementClass::Divergent; });
}

ElementEvaluation evaluation_at(const Task& task, int bits, const Stretch* only = nullptr) {
  ElementEvaluation evaluation = run_evaluation(task, Tier::Running, false, bits, only);
  if (evaluation.any_beyond) {
    mark_suspect(evaluation, run_evaluation(task, Tier::Certified, false, bits, only));
    evaluation.any_open = is_any_open(evaluation);
  }
  return evaluation;
}

/// The first violation, of which a verdict speaks. `evaluation` is beyond some bound.
Place first_violation_of(const Task& task, const ElementEvaluation& evaluation) {
  const Tally tally = tally_of(task, evaluation, {});
  return tally.first_divergent ? *tally.first_divergent : *tally.first_suspect;
}

/// Does the first violation of an evaluation in `double` hold in balls as well, and nothing worse? Its row then has
/// what they give.
bool is_confirmed(const Task& task, ElementEvaluation& evaluation) {
  if (!is_by_rows(task)) return false;
  const Place place = first_violation_of(task, evaluation);
  const bool alone = task.is_dear_in_balls() && task.can_look_at_one_unit();
  const Stretch stretch{place.d, place.b, place.rank, alone ? place.j : Task::every_unit};
  ElementEvaluation sure = evaluation_at(task, first_bits_of_balls, &stretch);
  const ElementClass found = element_at(task, evaluation, place).cls;
  if (sure.any_open || element_at(task, sure, place).cls != found) return false;
  for (std::int64_t j = 0; j < task.layout.H; ++j) {
    if (alone && j != place.j) continue;
    const Place beside{place.output, place.rank, place.d, place.b, j};
    element_at(task, evaluation, beside) = element_at(task, sure, beside);
  }
  return true;
}

/// Stretch in which a stopped evaluation found something beyond its bound; nullopt if rows cannot be told apart.
std::optional<Stretch> beyond_in(const Task& task, const ElementEvaluation& evaluation) {
  if (!is_by_rows(task)) return std::nullopt;
  const Place place = first_violation_of(task, evaluation);
  const std::int64_t unit = task.can_look_at_one_unit() ? place.j : Task::every_unit;
  return Stretch{place.d, place.b, place.rank, unit};
}

/// The certified evaluation in `double` up to something beyond its bound; only the likeliest place, if that suffices.
std::optional<Beyond> rough_proof(const Task& task, std::optional<Stretch>* likeliest) {
  if (likeliest && *likeliest && is_by_rows(task)) {
    Stretch stretch = **likeliest;
    if (!task.can_look_at_one_unit()) stretch.unit = Task::every_unit;  // another hypothesis could
    const ElementEvaluation there = run_evaluation(task, Tier::Certified, true, bits_of_double, &stretch);
    if (there.any_beyond) return Beyond{beyond_in(task, there)};
  }
  const ElementEvaluation evaluation = run_evaluation(task, Tier::Certified, true, bits_of_double);
  if (!evaluation.any_beyond) return std::nullopt;
  const Beyond found{beyond_in(task, evaluation)};
  if (likeliest) *likeliest = found.stretch;
  return found;
}

std::optional<Beyond> proof_in_balls(const Task& task, const Stretch* only) {
  const ElementEvaluation evaluation = run_evaluation(task, Tier::Certified, true, first_bits_of_balls, only);
  if (!evaluation.any_beyond) return std::nullopt;
  return Beyond{beyond_in(task, evaluation)};
}

/// The task with room for the error of `double` on double tensors. That error is as large as the roundings that are
/// judged, so `double` settles gross violations only. If numbers underflow, the error is not relative, but as much as
/// theirs.
Task with_room_for_double(const Task& task) {
  Task wider = task;
  for (const auto eta : {&Arithmetic::eta_storage, &Arithmetic::eta_accumulate, &Arithmetic::eta_elementwise})
    wider.arithmetic.*eta *= 2;
  return wider;
}

std::optional<Beyond> beyond_proof_of_one_size(const Task& task, Confirm confirm, std::optional<Stretch>* likeliest) {
  const bool in_double = first_precision_level(task) == bits_of_double;
  const std::optional<Beyond> rough =
      in_double ? rough_proof(task, likeliest) : rough_proof(with_room_for_double(task), likeliest);
  if (rough && confirm == Confirm::Later) return rough;
  if (!rough && in_double) return std::nullopt;
  if (rough && rough->stretch) {
    if (const auto sure = proof_in_balls(task, &*rough->stretch)) return sure;
  }
  return proof_in_balls(task, nullptr);
}

}  // namespace

int first_precision_level(const Task& task) {
  return first_precision_level(task.arithmetic.type);
}

Escalated escalate_from(const Task& task, Confirm confirm, int bits) {
  Escalated escalated{evaluation_at(task, bits), bits};
  const bool is_dear = task.is_dear_in_balls();
  const auto is_open = [&] { return escalated.evaluation.any_open && !(is_dear && is_settled(escalated.evaluation)); };
  const auto decided = [&] {
    const bool confirmed = escalated.bits > bits_of_double || confirm == Confirm::Later;
    return !is_open() && (!escalated.evaluation.any_beyond || confirmed);
  };
  const bool doubted = escalated.bits == bits_of_double && escalated.evaluation.any_beyond && !is_open();
  if (!decided() && doubted && is_confirmed(task, escalated.evaluation)) {
    escalated.bits = first_bits_of_balls;
    return escalated;
  }
  while (!decided() && escalated.bits < most_bits) {
    escalated.bits = escalated.bits == bits_of_double ? first_bits_of_balls : 2 * escalated.bits;
    escalated.evaluation = evaluation_at(task, escalated.bits);
  }
  return escalated;
}

Escalated escalate(const Task& task, Confirm confirm) {
  return escalate_from(task, confirm, first_precision_level(task));
}

std::optional<Beyond> beyond_proof(const Task& task, Confirm confirm, std::optional<Stretch>* likeliest) {
  const std::vector<std::int64_t> sizes = chunk_sizes(task);
  if (sizes.size() == 1) return beyond_proof_of_one_size(task, confirm, likeliest);
  for (const std::int64_t size : sizes) {  // each of them fails elsewhere
    Task of_one_size = task;
    of_one_size.chunk = size;
    if (!beyond_proof_of_one_size(of_one_size, confirm, likeliest)) return std::nullopt;
  }
  return Beyond{};
}

}  // namespace cellproof::oracle
