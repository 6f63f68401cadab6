#include "lab/vectors/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "campaign/vectors/backend_tests.hpp"
#include "lab/mutants/mutants.hpp"
#include "lab/mutation/mutation.hpp"
#include "lab/vectors/selection.hpp"
#include "reference/reference.hpp"
#include "spec/expectation.hpp"

namespace cellproof::lab {
namespace {

/// Adds the faults whose mutants change the outputs to what `is_right` does not take.
void add_found(const Problem& problem, const std::function<bool(const Outputs&)>& is_right, PlantedFaults& found) {
  const Outputs unspoilt = mutants::run_without_fault(problem);
  for (const mutants::Mutant& mutant : mutants::mutants()) {
    const PlantedFault planted{problem.version.op, mutant.id};
    if (found.contains(planted)) continue;
    if (std::ranges::find(mutant.operators, problem.version.op) == mutant.operators.end()) continue;
    if (!mutants::applies(problem, mutant)) continue;
    const Outputs outputs = mutants::run(problem, mutant);
    if (outputs != unspoilt && !is_right(outputs)) found.insert(planted);
  }
}

/// ONNX's own, of node tests that say no other.
constexpr corpus::Tolerance of_onnx{1e-3, 1e-7};

}  // namespace

PlantedFaults found_by_intervals(const reports::VectorSet& set) {
  PlantedFaults found;
  for (const reports::Vector& vector : set.vectors) {
    const auto ways = campaign::ways_of(vector.problem);
    add_found(
        vector.problem, [&](const Outputs& outputs) { return campaign::any_admits(*ways, outputs); }, found);
  }
  return found;
}

PlantedFaults found_by_directories(const reports::VectorSet& set) {
  PlantedFaults found;
  for (const reports::Vector& vector : set.vectors) {
    const auto tolerance = campaign::tolerance_of(vector);
    if (!tolerance) continue;
    const Outputs wanted = campaign::values_of(vector.ways.front());
    add_found(
        vector.problem, [&](const Outputs& outputs) { return campaign::all_close(wanted, *tolerance, outputs); },
        found);
  }
  return found;
}

PlantedFaults found_by_official_tests() {
  PlantedFaults found;
  for (const corpus::SuiteCase& each : corpus::load_suite("onnx-backend").cases) {
    const Problem problem = make_problem(each.c);
    const Outputs wanted = reference::run(problem);
    add_found(
        problem, [&](const Outputs& outputs) { return campaign::all_close(wanted, of_onnx, outputs); }, found);
  }
  return found;
}

PlantedFaults found_by_suites(const std::vector<corpus::SuiteCase>& cases) {
  PlantedFaults found;
  for (const MutantScore& row : score_mutants(cases).rows) {
    if (row.killed()) found.insert({row.op, row.id});
  }
  return found;
}

StyleScore score_of(const reports::VectorSet& set, const zoo::Style& style) {
  StyleScore score{style.name, 0, 0, 0, 0, {}};
  for (const reports::Vector& vector : set.vectors) {
    const Outputs outputs = zoo::run(vector.problem, style, 1);
    ++score.vectors;
    score.alarms += campaign::any_admits(*campaign::ways_of(vector.problem), outputs) ? 0 : 1;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (outputs[k]) score.outputs.emplace_back(fmt::format("{}/{}", vector.name, output_name(k)), *outputs[k]);
    }
    const auto tolerance = campaign::tolerance_of(vector);
    if (!tolerance) continue;
    ++score.directories;
    score.directory_alarms +=
        campaign::all_close(campaign::values_of(vector.ways.front()), *tolerance, outputs) ? 0 : 1;
  }
  return score;
}

WithheldScore score_withheld(const std::vector<VectorCandidate>& candidates, int parts) {
  WithheldScore score;
  const auto all = mutants::mutants();
  for (int part = 0; part < parts; ++part) {
    std::set<std::string> withheld;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (static_cast<int>(k % static_cast<std::size_t>(parts)) == part) withheld.insert(all[k].id);
    }
    PlantedFaults findable, found;
    const auto add = [&](const VectorCandidate& candidate, PlantedFaults& faults) {
      for (const std::string& kill : candidate.kills) {
        if (withheld.contains(kill)) faults.insert({candidate.c.version.op, kill});
      }
    };
    for (const VectorCandidate& each : candidates) add(each, findable);
    for (const VectorCandidate* each : chosen_of(candidates, withheld)) add(*each, found);
    score.findable += static_cast<std::int64_t>(findable.size());
    score.found += static_cast<std::int64_t>(found.size());
  }
  return score;
}

}  // namespace cellproof::lab
