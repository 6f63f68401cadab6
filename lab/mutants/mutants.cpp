#include "lab/mutants/mutants.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <ranges>
#include <utility>

#include "lab/mutants/quantized.hpp"
#include "lab/mutants/tables.hpp"
#include "lab/zoo/plain_outputs.hpp"

namespace cellproof::lab::mutants {
namespace {

bool same_states(const ResolvedNode& a, const ResolvedNode& b) {
  return a.op == b.op && a.type == b.type && a.N == b.N && a.H == b.H && a.directions.size() == b.directions.size();
}

bool occurs_in(const Mutant& mutant, Operator op) {
  return std::ranges::find(mutant.operators, op) != mutant.operators.end();
}

/// Plants the faults one after the other; each looks at the node as it is given. What the first does to the outputs is
/// done last: it wraps an engine that has the faults behind it.
void sow(const Composite& faults, const Facts& facts, Sowing& sowing) {
  std::vector<std::function<void(const ResolvedNode&, PlainOutputs&)>> spoils;
  Composite in_order = faults;  // nobody else sees shapes that one of them changes
  std::ranges::stable_partition(in_order, &Mutant::changes_shapes);
  for (const Mutant* mutant : in_order) {
    if (!occurs_in(*mutant, facts.problem.version.op) || !mutant->needs(facts)) continue;
    mutant->sow(sowing);
    if (sowing.faults.spoil) spoils.push_back(std::exchange(sowing.faults.spoil, {}));
  }
  if (spoils.empty()) return;
  sowing.faults.spoil = [spoils = std::move(spoils)](const ResolvedNode& node, PlainOutputs& outputs) {
    for (const auto& spoil : std::views::reverse(spoils)) spoil(node, outputs);
  };
}

/// `before`: the problem of the call before, for faults that keep something of it; nullptr: it was the same.
Outputs run_with(const Problem& problem, const Composite& mutants, const Problem* before = nullptr) {
  Faults faults;
  if (is_quantised(problem.version.op)) {
    QuantizedNode node = resolve_quantized(problem);
    const ResolvedNode given = node.lstm;
    Sowing sowing{node.lstm, faults, &node};
    sow(mutants, {given, problem}, sowing);
    return zoo::put_together(problem, node.lstm, compute(node, faults));
  }
  ResolvedNode node = fuzz::resolve(problem);
  const ResolvedNode given = node;
  Sowing sowing{node, faults};
  sow(mutants, {given, problem}, sowing);
  if (before != nullptr && before->version.op == problem.version.op) faults.call_before = fuzz::resolve(*before);
  if (faults.call_before && !same_states(*faults.call_before, node)) faults.call_state_is_kept = false;
  return zoo::put_together(problem, node, compute(node, faults));
}

constexpr Effect of_another_kind{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

Effect difference(const Tensor& a, const Tensor& b) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a.value(i), y = b.value(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) {
      if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
      continue;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) return of_another_kind;
    largest = std::max({largest, std::abs(x), std::abs(y)});
    difference = std::max(difference, std::abs(x - y));
  }
  if (difference == 0) return {};
  return {difference / largest / float_format(a.type()).unit_roundoff, difference};
}

std::vector<Mutant> all_mutants() {
  Table all;
  for (const auto table : {weight_mutants, block_mutants, bias_mutants, clip_mutants, function_mutants, gate_mutants,
                           order_mutants, state_mutants, output_mutants}) {
    std::ranges::move(table(), std::back_inserter(all));
  }
  std::ranges::move(precision_mutants(), std::back_inserter(all));
  std::ranges::move(axes_mutants(all), std::back_inserter(all));
  std::ranges::move(corner_mutants(all), std::back_inserter(all));
  std::ranges::move(quantized_mutants(), std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const Mutant> mutants() {
  static const std::vector<Mutant> all = all_mutants();
  return all;
}

const Mutant* mutant_named(std::string_view id) {
  const auto all = mutants();
  const auto found = std::ranges::find(all, id, &Mutant::id);
  return found == all.end() ? nullptr : &*found;
}

bool applies(const Problem& problem, const Mutant& mutant) {
  if (!occurs_in(mutant, problem.version.op)) return false;
  if (is_quantised(problem.version.op)) {
    const QuantizedNode node = resolve_quantized(problem);
    return mutant.needs(Facts{node.lstm, problem});
  }
  const ResolvedNode node = fuzz::resolve(problem);
  return mutant.needs(Facts{node, problem});
}

Outputs run(const Problem& problem, const Mutant& mutant) {
  return run_with(problem, {&mutant});
}

Outputs run(const Problem& problem, const Composite& faults) {
  return run_with(problem, faults);
}

Outputs Session::run(const Problem& problem, int threads) {
  switch (mutant_.shows) {
    case Mutant::Shows::Always:
      return run_with(problem, {&mutant_});
    case Mutant::Shows::WithThreads:
      return run_with(problem, threads > 1 ? Composite{&mutant_} : Composite{});
    case Mutant::Shows::AfterACall:
      break;
  }
  const std::optional<Problem> before = std::exchange(before_, problem);
  return before ? run_with(problem, {&mutant_}, &*before) : run_with(problem, {});
}

Outputs run_without_fault(const Problem& problem) {
  return run_with(problem, {});
}

bool can_be_composed(const Mutant& mutant) {
  return mutant.shows == Mutant::Shows::Always && mutant.cls != oracle::FaultClass::Precision;
}

Effect effect(const Problem& problem, const Mutant& mutant) {
  return effect(problem, mutant, run_without_fault(problem));
}

Effect effect(const Problem& problem, const Mutant& mutant, const Outputs& right) {
  const auto wrong = run(problem, mutant);
  Effect largest;
  for (std::size_t position = 0; position < right.size(); ++position) {
    if (!right[position]) continue;
    const bool is_shaped = wrong[position]->shape() == right[position]->shape();
    const Effect here = is_shaped ? difference(*wrong[position], *right[position]) : of_another_kind;
    largest.roundoffs = std::max(largest.roundoffs, here.roundoffs);
    largest.absolute = std::max(largest.absolute, here.absolute);
  }
  return largest;
}

}  // namespace cellproof::lab::mutants
