#include "fuzz/law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include "oracle/value_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

using oracle::HonestTolerance;
using Kind = LawResult::Kind;

bool is_settled(const Problem& problem, const Law& law) {
  return std::ranges::all_of(clauses_touched(problem), [&](Clause clause) {
    return info(clause).readings.size() < 2 || std::ranges::find(law.whatever, clause) != law.whatever.end();
  });
}

/// How far two honest values of the same number, the one within each tolerance of it, can be apart. The number itself
/// is no larger than either value lets it be.
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
  return oracle::value_text(tensor.type(), value);
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

/// nullopt: the equation holds.
std::optional<LawResult> violation(const Experiment& experiment, const Equation& equation,
                                   const std::vector<Outcome>& outcomes,
                                   const std::vector<HonestTolerance>& tolerances) {
  const Tensor* left = output_of(outcomes[equation.left.run], equation.left.output);
  const Tensor* right = output_of(outcomes[equation.right.run], equation.right.output);
  const auto says = [&](const std::string& what) {
    return LawResult{Kind::Broken,
                     fmt::format("{} against {}: {}", place_text(experiment, equation.left),
                                 place_text(experiment, equation.right), what),
                     {}};
  };
  if (left == nullptr || right == nullptr) return says("an output that was asked for is missing");
  if (equation.left.element >= left->size() || equation.right.element >= right->size())
    return says("an output is smaller than it must be");
  for (const auto& [tensor, run] : {std::pair(left, equation.left.run), std::pair(right, equation.right.run)}) {
    if (const auto wrong = wrong_type(experiment.problems.at(run), *tensor)) return says(*wrong);
  }
  const double a = left->value(equation.left.element);
  const double b = right->value(equation.right.element);
  if (experiment.same_bits) {
    if (left->bits(equation.left.element) == right->bits(equation.right.element)) return std::nullopt;
    return says(fmt::format("{}, in two runs of the same problem",
                            different_bits_text(*left, equation.left.element, *right, equation.right.element)));
  }
  HonestTolerance scaled = tolerances[equation.right.run];
  scaled.atol *= std::fabs(equation.factor);
  const double limit = reach(tolerances[equation.left.run], a, scaled, equation.factor * b) + equation.slack;
  if (std::fabs(a - equation.factor * b) <= limit) return std::nullopt;  // false for NaN
  if (std::isnan(a) || std::isnan(b)) {
    LawResult found =
        says(fmt::format("{} and {}, honest runs give numbers here", value_text(*left, a), value_text(*right, b)));
    found.agree_on_nan = std::isnan(a) && std::isnan(b);
    return found;
  }
  return says(fmt::format("{} and {}{}, honest runs are at most {:.2g} apart", value_text(*left, a),
                          equation.factor == 1 ? "" : fmt::format("{} times ", equation.factor), value_text(*right, b),
                          limit));
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
  throw std::invalid_argument(fmt::format("no law '{}', expected one of {}", id, fmt::join(known, ", ")));
}

std::optional<Experiment> experiment_of(const Law& law, const Problem& problem) {
  if (problem.version.op == Operator::DynamicQuantizeLSTM && !law.also_quantised) return std::nullopt;
  if (expectation_of(problem).kind != Expectation::Kind::Accept) return std::nullopt;
  std::optional<Experiment> experiment = law.experiment(problem);
  if (!experiment || experiment->equations.empty()) return std::nullopt;
  if (!experiment->same_bits && !is_settled(problem, law)) return std::nullopt;
  return experiment;
}

std::optional<LawTrial> trial_of(const Law& law, const Problem& problem) {
  std::optional<Experiment> experiment = experiment_of(law, problem);
  if (!experiment) return std::nullopt;
  LawTrial trial{*std::move(experiment), {}};
  trial.tolerances.resize(trial.experiment.problems.size());
  const bool needs_bounds = !trial.experiment.same_bits && !trial.experiment.slack_is_all;
  const auto& common = trial.experiment.bounded_by;
  for (std::size_t k = 0; k < trial.tolerances.size() && needs_bounds; ++k) {
    if (common && k > 0) {
      trial.tolerances[k] = trial.tolerances.front();
      continue;
    }
    const auto tolerance = oracle::honest_tolerance(common ? *common : trial.experiment.problems[k]);
    if (!tolerance) return std::nullopt;
    trial.tolerances[k] = *tolerance;
  }
  return trial;
}

LawResult try_law(LawTrial trial, const oracle::Probe& engine, const ThreadedProbe& threaded) {
  auto& [experiment, tolerances] = trial;
  if (!experiment.threads.empty() && !threaded) return {};
  std::vector<Outcome> outcomes;
  for (std::size_t k = 0; k < experiment.problems.size(); ++k) {
    const Problem& problem = experiment.problems[k];
    Outcome outcome = experiment.threads.empty() ? engine(problem) : threaded(problem, experiment.threads.at(k));
    const std::string what =
        fmt::format("run {}: {}{}{}", k + 1, name(outcome.kind), outcome.message.empty() ? "" : ": ", outcome.message);
    if (outcome.kind == OutcomeKind::NotSupported || outcome.kind == OutcomeKind::Rejected)
      return {Kind::Refused, what, std::move(outcome)};
    if (outcome.kind != OutcomeKind::Ran) return {Kind::Died, what, std::move(outcome)};
    outcomes.push_back(std::move(outcome));
    if (!experiment.last || outcomes.size() != experiment.problems.size()) continue;
    auto last = std::exchange(experiment.last, nullptr)(outcomes);
    if (!last) return {Kind::Broken, "an output that was asked for is missing or of another size", {}};
    experiment.problems.push_back(*std::move(last));
    tolerances.push_back(tolerances.front());
  }
  for (const Equation& equation : experiment.equations) {
    if (auto broken = violation(experiment, equation, outcomes, tolerances)) return *std::move(broken);
  }
  return {Kind::Holds, "", {}};
}

LawResult try_law(const Law& law, const Problem& problem, const oracle::Probe& engine, const ThreadedProbe& threaded) {
  std::optional<LawTrial> trial = trial_of(law, problem);
  return trial ? try_law(*std::move(trial), engine, threaded) : LawResult{};
}

}  // namespace cellproof::fuzz
