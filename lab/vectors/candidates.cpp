#include "lab/vectors/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <utility>

#include "campaign/progress.hpp"
#include "campaign/vectors/make_set.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::lab {
namespace {

/// Ways of a case at most: a vector carries the numbers of each.
constexpr std::size_t most_ways = 48;

std::int64_t numbers_of(const Problem& problem, const std::vector<campaign::Way>& ways) {
  std::int64_t numbers = 0;
  for (const Input& each : problem.inputs) {
    if (each.tensor) numbers += static_cast<std::int64_t>(each.tensor->size());
  }
  for (const campaign::Way& way : ways) {
    for (std::size_t k = 0; k < way.outputs.size(); ++k) {
      const bool is_new = way.outputs[k] && (&way == ways.data() || way.outputs[k] != ways.front().outputs[k]);
      if (is_new) numbers += 3 * static_cast<std::int64_t>(way.outputs[k]->elements.size());
    }
  }
  return numbers;
}

/// The outputs that follow a way to the letter.
Outputs rounded_outputs(const campaign::Way& way, ElementType type) {
  Outputs outputs;
  for (const auto& output : way.outputs) {
    if (!output) {
      outputs.emplace_back();
      continue;
    }
    Tensor tensor(type, output->shape);
    for (std::size_t i = 0; i < output->elements.size(); ++i) tensor.set_value(i, output->elements[i].value);
    outputs.emplace_back(std::move(tensor));
  }
  return outputs;
}

std::vector<std::string> told_by(const Case& c, const std::vector<campaign::Way>& ways) {
  std::vector<std::string> told;
  for (const campaign::Way& way : ways) {
    if (&way == ways.data() || oracle::admits(ways.front().outputs, rounded_outputs(way, c.type))) continue;
    for (const std::string& reading : way.readings) {
      if (reading.find(' ') == std::string::npos) told.push_back(reading);
    }
  }
  return told;
}

std::optional<Problem> valid_problem(const Case& c) {
  if (expectation_of(c).kind == Expectation::Kind::Refuse) return std::nullopt;
  return make_problem(c);
}

std::int64_t least_numbers(const Case& c) {
  return c.T * c.N * (c.I + c.H) + 4 * c.H * (c.I + c.H);
}

}  // namespace

std::vector<std::string> killed_by(const Problem& problem, const std::vector<campaign::Way>& ways) {
  std::vector<std::string> killed;
  const Outputs right = mutants::run_without_fault(problem);
  for (const mutants::Mutant& mutant : mutants::mutants()) {
    if (std::ranges::find(mutant.operators, problem.version.op) == mutant.operators.end()) continue;
    if (!mutants::applies(problem, mutant)) continue;
    const Outputs outputs = mutants::run(problem, mutant);
    if (outputs != right && !campaign::any_admits(ways, outputs)) killed.push_back(mutant.id);
  }
  return killed;
}

std::optional<VectorCandidate> candidate_of(const corpus::SuiteCase& made, std::int64_t most_numbers) {
  VectorCandidate candidate{made.name, made.c, {}, 0, {}, {}, {}};
  candidate.c.presentation = {made.c.presentation.dims == Dims::Static ? Dims::Static : Dims::All, Nesting::Flat};
  if (!made.law.empty() || least_numbers(made.c) > 2 * most_numbers || !valid_problem(candidate.c)) return std::nullopt;
  candidate.versions = campaign::versions_of(candidate.c);
  if (candidate.versions.empty()) return std::nullopt;
  candidate.c.version = candidate.versions.back();
  const Problem problem = make_problem(candidate.c);
  const auto ways = campaign::ways_of(problem);
  if (!ways || ways->empty() || ways->size() > most_ways) return std::nullopt;
  candidate.numbers = numbers_of(problem, *ways);
  if (candidate.numbers > most_numbers || !campaign::any_admits(*ways, mutants::run_without_fault(problem)))
    return std::nullopt;
  candidate.kills = killed_by(problem, *ways);
  candidate.tells = told_by(candidate.c, *ways);
  for (const Axis& each : axes_of_meaning()) {
    if (std::string value = each.of(candidate.c); !value.empty())
      candidate.axis_values.push_back(fmt::format("{}={}", each.name, value));
  }
  return candidate;
}

std::vector<VectorCandidate> candidates_of(std::vector<corpus::SuiteCase> cases, std::int64_t most_numbers) {
  // With one sequence and one step, quantisation leaves fewer readings open, and so fewer faults that hide behind one.
  for (std::size_t k = 0, count = cases.size(); k < count; ++k) {
    if (!is_quantised(cases[k].c.version.op)) continue;
    for (const auto& [axis_name, value] : {std::pair("N", "1"), std::pair("T", "1")}) {
      cases.push_back(cases[k]);
      cases.back().c = axis(axis_name).apply(cases[k].c, value);
    }
  }
  std::vector<std::optional<VectorCandidate>> found(cases.size());
  std::atomic<std::size_t> next = 0;
  campaign::Progress progress("candidates", static_cast<std::int64_t>(cases.size()));
  const auto work = [&] {
    for (std::size_t k = next++; k < cases.size(); k = next++) found[k] = candidate_of(cases[k], most_numbers);
  };
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < std::max(1U, std::thread::hardware_concurrency()); ++k) threads.emplace_back(work);
  for (std::thread& each : threads) each.join();
  std::vector<VectorCandidate> candidates;
  std::set<std::string> seen;
  for (auto& each : found) {
    if (each && seen.insert(to_text(each->c)).second) candidates.push_back(std::move(*each));
  }
  std::ranges::stable_sort(candidates, {}, &VectorCandidate::numbers);
  return candidates;
}

}  // namespace cellproof::lab
