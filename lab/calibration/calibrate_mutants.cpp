#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "campaign/progress.hpp"
#include "lab/calibration/calibrate.hpp"
#include "lab/calibration/random_case.hpp"
#include "lab/mutants/faults.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutants/mutants.hpp"
#include "lab/mutants/quantized.hpp"
#include "oracle/contract.hpp"
#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::lab {
namespace {

using mutants::Mutant;

/// So far behind each other faults begin with the cases, which come round: few have what a fault needs, and a single
/// one would else stand for many faults. A prime, so that no two of them begin alike soon.
constexpr std::size_t elsewhere = 7919;

/// Below this many roundoffs a changed result is what honest arithmetic may give, too.
constexpr double visible_effect = 16;

bool is_found(Verdict verdict) {
  return verdict == Verdict::Diverges || verdict == Verdict::Suspect || verdict == Verdict::Precision;
}

/// Functions whose usual formulas have an absolute error near 0, whatever the result.
bool has_a_floor(const fuzz::ResolvedFunction& function) {
  constexpr std::array<std::string_view, 5> such{"Sigmoid", "Tanh", "ScaledTanh", "Softplus", "Elu"};
  return std::ranges::find(such, function.name) != such.end();
}

/// Absolute error that the type's contract leaves a function through which states come, 0 where all of those are exact
/// near 0. (A gate that multiplies a state errs in proportion to it.)
double floor_of_states(const fuzz::ResolvedNode& node) {
  const auto of_gates_alone = static_cast<std::ptrdiff_t>(node.op == Operator::RNN ? 0 : 1);
  const bool any = std::ranges::any_of(node.directions, [&](const fuzz::ResolvedDirection& direction) {
    return std::any_of(direction.functions.begin() + of_gates_alone, direction.functions.end(), has_a_floor);
  });
  const oracle::PrecisionContract& contract = oracle::contract(default_contract(node.type));
  return any ? contract.activation_floor * oracle::format_of(contract.elementwise, node.type).unit_roundoff : 0;
}

/// A drawn case, taken apart once for all mutants.
struct Target {
  Case c;
  Problem problem;
  fuzz::ResolvedNode node;
  Outputs right;
  double floor;
};

std::vector<Target> draw_targets(Operator op, std::int64_t draws, std::uint64_t seed) {
  std::vector<Target> targets;
  for (std::int64_t index = 0; index < draws; ++index) {
    Case c = specified_case(op, static_cast<std::uint64_t>(index), seed);
    Problem problem = make_problem(c);
    fuzz::ResolvedNode node = is_quantised(op) ? mutants::resolve_quantized(problem).lstm : fuzz::resolve(problem);
    auto right = mutants::run_without_fault(problem);
    const double floor = floor_of_states(node);
    targets.push_back({std::move(c), std::move(problem), std::move(node), std::move(right), floor});
  }
  return targets;
}

MutantRow try_mutant(const Mutant& mutant, Operator op, std::int64_t cases, const std::vector<Target>& targets,
                     std::size_t first) {
  MutantRow row;
  row.id = mutant.id;
  row.op = op;
  for (std::size_t k = 0; k < targets.size() && row.tried < cases; ++k) {
    const Target& target = targets[(first + k) % targets.size()];
    if (!mutant.needs({target.node, target.problem})) continue;
    const mutants::Effect effect = mutants::effect(target.problem, mutant, target.right);
    if (!(effect.roundoffs >= visible_effect)) continue;
    if (!(effect.absolute > target.floor)) {
      if (!target.problem.asks_for(output::Y)) ++row.hidden;
      continue;
    }
    oracle::Answers answers = answers_of(target.problem, mutant);
    const Verdict verdict = oracle::verdict_on(target.problem, answers);
    if (verdict == Verdict::Reading) continue;  // here the fault is what a listed reading says
    ++row.tried;
    if (!target.problem.asks_for(output::Y)) {
      answers.all_outputs.reset();
      ++row.tried_without_Y;
      if (!is_found(oracle::verdict_on(target.problem, answers))) row.missed_without_Y.push_back(to_text(target.c));
    }
    if (is_found(verdict)) {
      ++row.found;
    } else if (row.missed.empty()) {
      row.missed = to_text(target.c);
    }
  }
  return row;
}

}  // namespace

std::vector<MutantRow> calibrate_mutants(std::int64_t cases_per_mutant, std::int64_t draws_per_mutant,
                                         std::uint64_t seed) {
  std::vector<MutantRow> rows;
  const auto all = oracle::faults();
  campaign::Progress progress("mutants", static_cast<std::int64_t>(all_operators().size() * all.size()));
  for (const Operator op : all_operators()) {
    // The quantised operator has no layout and no corners of its own: its faults are not so rare.
    const bool quantised = is_quantised(op);
    const std::vector<Target> targets = draw_targets(op, quantised ? draws_per_mutant / 4 : draws_per_mutant, seed);
    std::size_t first = 0;
    for (const oracle::Fault& fault : all) {
      progress.advance("");
      first += elsewhere;
      if (std::ranges::find(fault.operators, op) == fault.operators.end()) continue;
      MutantRow row = try_mutant(*mutants::mutant_named(fault.id), op, cases_per_mutant, targets, first);
      if (row.tried > 0) rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<std::string> mutants_never_found(const std::vector<MutantRow>& rows) {
  std::vector<std::string> never;
  for (const Mutant& mutant : mutants::mutants()) {
    const bool found =
        std::ranges::any_of(rows, [&](const MutantRow& row) { return row.id == mutant.id && row.found > 0; });
    if (!found) never.emplace_back(mutant.id);
  }
  return never;
}

}  // namespace cellproof::lab
