#include "fuzz/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "oracle/contract.hpp"
#include "oracle/contract_order.hpp"
#include "oracle/search.hpp"
#include "spec/expectation.hpp"
#include "spec/suggestion.hpp"
#include "spec/value_text.hpp"

namespace cellproof::fuzz {
namespace {

using oracle::HonestTolerance;
using Kind = LawResult::Kind;

/// Does the clause touch the values that laws compare? Padding and the states of rows without steps are not compared,
/// and how DynamicQuantizeLSTM quantises has no bounds anyway.
bool is_compared(Clause clause) {
  static constexpr Clause others[] = {Clause::PaddingOfY,    Clause::ZeroLengthState, Clause::EmptySequenceState,
                                      Clause::DqGranularity, Clause::DqFinishedRows,  Clause::DqZeroPoint};
  return std::ranges::find(others, clause) == std::ranges::end(others);
}

/// A layout that is neither 0 nor 1 leaves all shapes open.
bool changes_what_is_open(const Law& law, const Experiment& experiment) {
  return std::ranges::any_of(experiment.problems, [&](const Problem& problem) {
    const std::vector<Clause> touched = clauses_touched(problem);
    if (std::ranges::count(touched, Clause::LayoutOther) > 0) return true;
    return std::ranges::any_of(law.changed, [&](Clause clause) { return std::ranges::count(touched, clause) > 0; });
  });
}

/// Every way in which an engine may read the clauses that any of the runs touches; nothing where there are too many.
std::vector<Readings> open_readings(const Experiment& experiment) {
  std::set<Clause> open;
  for (const Problem& problem : experiment.problems) {
    for (const Clause clause : clauses_touched(problem)) {
      if (is_compared(clause)) open.insert(clause);
    }
  }
  std::vector<Readings> all{Readings{}};
  for (const Clause clause : open) {
    const std::size_t before = all.size();
    if (info(clause).kind != ClauseKind::Value) continue;  // or it is refused, or is read in one way
    for (const std::string_view value : oracle::other_values(info(clause))) {
      for (std::size_t k = 0; k < before; ++k) all.push_back(all[k].with(clause, value));
    }
    if (all.size() > most_readings) return {};
  }
  return all;
}

bool weights_are_constant(const Experiment& experiment) {
  return std::ranges::all_of(experiment.problems, [](const Problem& problem) {
    return problem.inputs[input::W].source != Source::GraphInput &&
           problem.inputs[input::R].source != Source::GraphInput;
  });
}

/// The contract whose bounds count: a declared one only where it admits more than the default.
ContractId contract_of(ElementType type, std::optional<ContractId> declared) {
  const ContractId usual = default_contract(type);
  const bool widens = declared && oracle::applies_to(*declared, type) && oracle::at_least_as_wide(*declared, usual);
  return widens ? *declared : usual;
}

/// Holds under each of the readings; nullopt where one of them has no useful bound.
std::optional<HonestTolerance> widest_tolerance(const Problem& problem, const std::vector<Readings>& readings,
                                                std::optional<ContractId> declared) {
  const ContractId contract = contract_of(problem.input(input::X)->type(), declared);
  HonestTolerance widest;
  for (const Readings& choice : readings) {
    const auto tolerance = oracle::honest_tolerance(problem, choice, contract);
    if (!tolerance) return std::nullopt;
    widest.rtol = std::max(widest.rtol, tolerance->rtol);
    widest.atol = std::max(widest.atol, tolerance->atol);
  }
  return readings.empty() ? std::nullopt : std::optional(widest);
}

/// The distance of two honest values of the same number, the one within each tolerance of it. The number itself is no
/// larger than either value lets it be.
double reach(const HonestTolerance& a, double left, const HonestTolerance& b, double right) {
  const auto largest = [](const HonestTolerance& tolerance, double value) {
    return tolerance.rtol < 1 ? (std::fabs(value) + tolerance.atol) / (1 - tolerance.rtol)
                              : std::numeric_limits<double>::infinity();
  };
  const double exact = std::min(largest(a, left), largest(b, right));
  return (a.atol + b.atol + (a.rtol + b.rtol) * exact) * (1 + 1e-9);
}

std::string place_text(const Experiment& experiment, const Place& place) {
  const Problem& problem = experiment.problems.at(place.run);
  return fmt::format("run {}, {} element {}", place.run + 1, output_names(problem.version.op)[place.output],
                     place.element);
}

std::string value_text(const Tensor& tensor, double value) {
  return cellproof::value_text(tensor.type(), value);
}

/// Two elements whose bits differ, so that the text tells them apart: NaNs all read alike.
std::string different_bits_text(const Tensor& left, std::size_t l, const Tensor& right, std::size_t r) {
  const std::string a = value_text(left, left.value(l)), b = value_text(right, right.value(r));
  if (a != b) return fmt::format("{} and {}", a, b);
  const std::size_t digits = 2 + 2 * size_of(left.type());
  return fmt::format("{} (bits {:#0{}x}) and {} (bits {:#0{}x})", a, left.bits(l), digits, b, right.bits(r), digits);
}

/// An output whose type is not that of the node's X: nothing to compare, and its numbers may read alike.
std::optional<std::string> wrong_type(const Problem& problem, const Tensor& output) {
  const ElementType type = problem.input(input::X)->type();
  if (output.type() == type) return std::nullopt;
  return fmt::format("an output is {}, it must be {}", onnx_name(output.type()), onnx_name(type));
}

const Tensor* output_of(const Outcome& outcome, std::size_t output) {
  if (output >= outcome.outputs.size() || !outcome.outputs[output]) return nullptr;
  return &*outcome.outputs[output];
}

/// Is every element of Y in all runs zero or far from under- and overflow?
bool is_exact(const Experiment& experiment, const std::vector<Outcome>& outcomes) {
  if (!experiment.exact_from) return false;
  return std::ranges::all_of(outcomes, [&](const Outcome& outcome) {
    const Tensor* Y = output_of(outcome, output::Y);
    for (std::size_t k = 0; Y != nullptr && k < Y->size(); ++k) {
      const double magnitude = std::fabs(Y->value(k));
      if (magnitude != 0 && !(magnitude >= *experiment.exact_from && magnitude <= 1 / *experiment.exact_from))
        return false;
    }
    return Y != nullptr;
  });
}

/// Both sides of an equation, of outputs that have them.
struct Sides {
  const Experiment& experiment;
  const Equation& equation;
  const Tensor& left;
  const Tensor& right;

  double a() const { return left.value(equation.left.element); }
  double b() const { return right.value(equation.right.element); }
  std::string both_text() const { return fmt::format("{} and {}", value_text(left, a()), value_text(right, b())); }
  bool have_same_bits() const { return left.bits(equation.left.element) == right.bits(equation.right.element); }
  std::string bits() const { return different_bits_text(left, equation.left.element, right, equation.right.element); }
  /// Both values, with the factor of the right one.
  std::string equation_text() const {
    if (equation.factor == 1) return both_text();
    return fmt::format("{} and {} times {}", value_text(left, a()), equation.factor, value_text(right, b()));
  }
};

LawResult broken_by(const Experiment& experiment, const Equation& equation, const std::string& what) {
  const auto text = [&](const Place& place) { return place_text(experiment, place); };
  return {Kind::Broken, fmt::format("{} against {}: {}", text(equation.left), text(equation.right), what), {}};
}
LawResult broken_by(const Sides& sides, const std::string& what) {
  return broken_by(sides.experiment, sides.equation, what);
}
LawResult broken_by_bits(const Sides& sides, const std::string& behind) {
  LawResult result = broken_by(sides, sides.bits() + behind);
  result.only_bits_differ = true;
  return result;
}

std::optional<LawResult> same_bits_violation(const Sides& sides) {
  if (sides.have_same_bits()) return std::nullopt;
  const auto& problems = sides.experiment.problems;
  const bool one = problems[sides.equation.left.run] == problems[sides.equation.right.run];
  const std::string alike = one ? "the same problem" : "problems in which every operation gives the same";
  return broken_by_bits(sides, ", in two runs of " + alike);
}

std::optional<LawResult> promise_violation(const Sides& sides) {
  const bool both_nan = std::isnan(sides.a()) && std::isnan(sides.b());
  if (both_nan || sides.have_same_bits()) return std::nullopt;
  return broken_by_bits(sides, ", where the engine promises the same bits");
}

std::optional<LawResult> exact_violation(const Sides& sides) {
  if (sides.a() == sides.equation.factor * sides.b()) return std::nullopt;
  return broken_by(sides, sides.equation_text() + ", no honest run rounds differently here");
}

std::optional<LawResult> bounds_violation(const Sides& sides, const std::vector<HonestTolerance>& tolerances) {
  const Equation& equation = sides.equation;
  const double a = sides.a(), b = sides.b();
  HonestTolerance scaled = tolerances[equation.right.run];
  scaled.atol *= std::fabs(equation.factor);
  const double limit = reach(tolerances[equation.left.run], a, scaled, equation.factor * b) + equation.slack;
  if (std::fabs(a - equation.factor * b) <= limit) return std::nullopt;  // false for NaN
  if (std::isnan(a) || std::isnan(b)) {
    LawResult found = broken_by(sides, sides.both_text() + ", honest runs give numbers here");
    found.agree_on_nan = std::isnan(a) && std::isnan(b);
    return found;
  }
  return broken_by(sides, fmt::format("{}, honest runs are at most {:.2g} apart", sides.equation_text(), limit));
}

/// nullopt: the equation holds. `exact`: both sides must be equal.
std::optional<LawResult> violation(const Experiment& experiment, const Equation& equation,
                                   const std::vector<Outcome>& outcomes, const std::vector<HonestTolerance>& tolerances,
                                   bool exact) {
  const Tensor* left = output_of(outcomes[equation.left.run], equation.left.output);
  const Tensor* right = output_of(outcomes[equation.right.run], equation.right.output);
  if (left == nullptr || right == nullptr)
    return broken_by(experiment, equation, "an output that was asked for is missing");
  if (equation.left.element >= left->size() || equation.right.element >= right->size())
    return broken_by(experiment, equation, "an output is smaller than it must be");
  for (const auto& [tensor, run] : {std::pair(left, equation.left.run), std::pair(right, equation.right.run)}) {
    if (const auto wrong = wrong_type(experiment.problems.at(run), *tensor))
      return broken_by(experiment, equation, *wrong);
  }
  const Sides sides{experiment, equation, *left, *right};
  if (experiment.same_bits) return same_bits_violation(sides);
  if (experiment.promised_bits) return promise_violation(sides);
  return exact ? exact_violation(sides) : bounds_violation(sides, tolerances);
}

/// Computes the problems of the trial, with the last one that is made of what came of the others. Returns why the law
/// cannot be judged; nullopt: `outcomes` has all.
std::optional<LawResult> compute_problems(LawTrial& trial, const engines::Probe& engine, const ThreadedProbe& threaded,
                                          std::vector<Outcome>& outcomes) {
  auto& [experiment, tolerances] = trial;
  for (std::size_t k = 0; k < experiment.problems.size(); ++k) {
    const Problem& problem = experiment.problems[k];
    Outcome outcome = experiment.threads.empty() ? engine(problem) : threaded(problem, experiment.threads.at(k));
    const std::string what =
        fmt::format("run {}: {}{}{}", k + 1, name(outcome.kind), outcome.message.empty() ? "" : ": ", outcome.message);
    if (outcome.kind == OutcomeKind::NotSupported || outcome.kind == OutcomeKind::Rejected)
      return LawResult{Kind::Refused, what, std::move(outcome)};
    if (outcome.kind != OutcomeKind::Ran) return LawResult{Kind::Died, what, std::move(outcome)};
    outcomes.push_back(std::move(outcome));
    if (!experiment.last || outcomes.size() != experiment.problems.size()) continue;
    auto last = std::exchange(experiment.last, nullptr)(outcomes);
    if (!last) return LawResult{Kind::Broken, "an output that was asked for is missing or of another size", {}};
    experiment.problems.push_back(*std::move(last));
    tolerances.push_back(tolerances.front());
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::Holds:
      return "holds";
    case Kind::Broken:
      return "broken";
    case Kind::NotApplicable:
      return "not applicable";
    case Kind::Refused:
      return "refused";
    case Kind::Died:
      return "died";
  }
  throw std::invalid_argument("LawResult::Kind outside its range");
}

const Law& law_named(std::string_view id) {
  const auto found = std::ranges::find(laws(), id, &Law::id);
  if (found != laws().end()) return *found;
  std::vector<std::string_view> known;
  std::ranges::transform(laws(), std::back_inserter(known), &Law::id);
  throw std::invalid_argument(fmt::format("no law '{}', {}", id, expected_one_of(id, known)));
}

std::optional<Experiment> experiment_of(const Law& law, const Problem& problem) {
  if (expectation_of(problem).kind == Expectation::Kind::Refuse) return std::nullopt;
  return experiment_of_valid(law, problem);
}

std::optional<Experiment> experiment_of_valid(const Law& law, const Problem& problem) {
  if (is_quantised(problem.version.op) && !law.also_quantised) return std::nullopt;
  std::optional<Experiment> experiment = law.experiment(problem);
  if (!experiment || experiment->equations.empty()) return std::nullopt;
  if (changes_what_is_open(law, *experiment)) return std::nullopt;
  return experiment;
}

std::optional<LawTrial> trial_of(const Law& law, const Problem& problem, const Declared& declared) {
  std::optional<Experiment> experiment = experiment_of(law, problem);
  if (!experiment) return std::nullopt;
  LawTrial trial{*std::move(experiment), {}};
  trial.tolerances.resize(trial.experiment.problems.size());
  trial.experiment.promised_bits =
      declared.same_bits && law.keeps_promised_bits && weights_are_constant(trial.experiment);
  const bool is_bitwise = trial.experiment.same_bits || trial.experiment.promised_bits;
  const bool needs_bounds = !is_bitwise && !trial.experiment.slack_is_all;
  // Such a slack has room for what the default contract admits.
  const ElementType type = problem.input(input::X)->type();
  if (trial.experiment.slack_is_all && contract_of(type, declared.contract) != default_contract(type))
    return std::nullopt;
  const std::vector<Readings> readings = needs_bounds ? open_readings(trial.experiment) : std::vector<Readings>{};
  const auto& common = trial.experiment.bounded_by;
  for (std::size_t k = 0; k < trial.tolerances.size() && needs_bounds; ++k) {
    if (common && k > 0) {
      trial.tolerances[k] = trial.tolerances.front();
      continue;
    }
    const auto tolerance =
        widest_tolerance(common ? *common : trial.experiment.problems[k], readings, declared.contract);
    if (!tolerance) return std::nullopt;
    trial.tolerances[k] = *tolerance;
  }
  return trial;
}

LawResult try_law(LawTrial trial, const engines::Probe& engine, const ThreadedProbe& threaded) {
  const auto& [experiment, tolerances] = trial;
  if (!experiment.threads.empty() && !threaded) return {};
  std::vector<Outcome> outcomes;
  if (auto ended = compute_problems(trial, engine, threaded, outcomes)) return *std::move(ended);
  const bool exact = is_exact(experiment, outcomes);
  const auto first_violation = [&](const std::vector<Equation>& equations) -> std::optional<LawResult> {
    for (const Equation& equation : equations) {
      if (auto broken = violation(experiment, equation, outcomes, tolerances, exact)) return broken;
    }
    return std::nullopt;
  };
  auto broken = first_violation(experiment.equations);
  if (!broken) return {Kind::Holds, "", {}};
  if (experiment.otherwise.empty()) return *std::move(broken);
  const auto also = first_violation(experiment.otherwise);
  if (!also) return {Kind::Holds, "", {}};
  broken->message += fmt::format("; and {}", also->message);
  return *std::move(broken);
}

LawResult try_law(const Law& law, const Problem& problem, const engines::Probe& engine, const ThreadedProbe& threaded,
                  const Declared& declared) {
  std::optional<LawTrial> trial = trial_of(law, problem, declared);
  return trial ? try_law(*std::move(trial), engine, threaded) : LawResult{};
}

}  // namespace cellproof::fuzz
