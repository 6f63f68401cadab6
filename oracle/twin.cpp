#include "oracle/twin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "oracle/frame.hpp"
#include "oracle/search.hpp"
#include "oracle/structure.hpp"
#include "oracle/value_text.hpp"

namespace cellproof::oracle {
namespace {

struct Difference {
  std::size_t output;
  std::size_t offset;
};

std::optional<Difference> first_difference(const std::vector<std::optional<Tensor>>& alone,
                                           const std::vector<std::optional<Tensor>>& twin) {
  for (std::size_t k = 0; k < alone.size() && k < twin.size(); ++k) {
    if (!alone[k] || !twin[k]) continue;
    for (std::size_t i = 0; i < alone[k]->size(); ++i) {
      const double a = alone[k]->value(i), b = twin[k]->value(i);
      if (a != b && !(std::isnan(a) && std::isnan(b))) return Difference{k, i};
    }
  }
  return std::nullopt;
}

Judgement difference_judgement(const Problem& problem, const Outcome& alone, const Outcome& twin,
                               const Difference& difference, Judgement judgement) {
  const Tensor& here = *alone.outputs[difference.output];
  const Tensor& there = *twin.outputs[difference.output];
  FirstViolation first;
  first.output = output_names(problem.version.op)[difference.output];
  first.index = here.index_of(difference.offset);
  first.actual = value_text(here.type(), here.value(difference.offset));
  first.expected = value_text(there.type(), there.value(difference.offset));
  const Frame frame = frame_of(problem);
  const auto d = static_cast<std::size_t>(first.index.at(frame.batchwise ? 1 : 0));
  first.direction = name(frame.reversed.at(d) ? Direction::Reverse : Direction::Forward);
  judgement.verdict = Verdict::Diverges;
  judgement.kind = "state";
  judgement.message = fmt::format("asking for Y changes another output: {}[{}] is {} without Y and {} with it",
                                  first.output, fmt::join(first.index, ","), first.actual, first.expected);
  judgement.first = std::move(first);
  return judgement;
}

}  // namespace

bool needs_twin(const Problem& problem) {
  if (problem.asks_for(output::Y)) return false;
  if (!problem.asks_for(output::Y_h) && !problem.asks_for(output::Y_c)) return false;
  const Frame frame = frame_of(problem);
  // With Y, sequences that have ended may count otherwise in the range of H (dq-finished-rows): another problem.
  const bool quantised = problem.version.op == Operator::DynamicQuantizeLSTM;
  if (quantised && std::ranges::adjacent_find(frame.lengths, std::ranges::not_equal_to{}) != frame.lengths.end()) {
    return false;
  }
  return std::ranges::any_of(frame.lengths, [](std::int64_t steps) { return steps > 1; });
}

Problem with_all_outputs(const Problem& problem) {
  Problem all = problem;
  all.outputs.assign(output_names(problem.version.op).size(), Presence::Given);
  return all;
}

Judgement decide_by_twin(const Problem& problem, const Outcome& outcome, const EngineContext& engine) {
  Judgement alone = search(problem, outcome.outputs, engine);
  if (broken_outputs(problem, outcome.outputs)) return alone;
  const Problem twin = with_all_outputs(problem);
  const Outcome all = engine.probe(twin);
  if (all.kind != OutcomeKind::Ran || broken_outputs(twin, all.outputs)) return alone;
  if (const auto difference = first_difference(outcome.outputs, all.outputs)) {
    if (alone.verdict != Verdict::Undecided) return alone;
    return difference_judgement(problem, outcome, all, *difference, alone);
  }
  if (!all.misconduct.empty()) return alone;
  Judgement inherited = search(twin, all.outputs, engine);
  inherited.message += " (judged in a run that asks for all outputs)";
  return inherited;
}

}  // namespace cellproof::oracle
