#include "fuzz/law_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/law.hpp"
#include "fuzz/law_case.hpp"
#include "spec/axes.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

constexpr std::uint64_t law_suite_seed = 20261123;
/// Cases drawn at most: some laws can speak of only one among a few dozens.
constexpr std::uint64_t most_drawn = 1000;
/// To choose from, of each law and operator.
constexpr std::size_t enough_drawn = 40;
/// The number of the first case that was made for what its law is about, behind all others.
constexpr std::uint64_t first_about = 2 * most_drawn;
/// Drawn cases that are tried with a value that none of them has.
constexpr std::size_t most_changed = 6;

struct Candidate {
  std::uint64_t number = 0;
  Case c;
  /// Values that are not default, and the version unless that is old. Each counts for its share of its axis, or those
  /// of T, N, I and H and the functions would be all that a dozen cases differ in.
  std::map<AxisValue, std::size_t> values;
};
using Pool = std::vector<Candidate>;
/// By number of the law, and operator.
using Pools = std::map<std::pair<std::size_t, Operator>, Pool>;

/// Counts an activation function for being there, not for its place among six: else they would crowd out the rest.
AxisValue counted(const std::string& axis, const std::string& value) {
  return {axis.starts_with("activation.") ? "activation" : axis, value};
}

/// Before version 7 of ONNX's own operators, which few engines run.
bool is_old(OperatorVersion version) {
  return version.since_version < 7 && domain(version.op).empty();
}

/// Has it at most one value that many engines refuse? Of a refused case nothing else is tried.
bool is_widely_run(const Case& c) {
  return int{is_old(c.version)} + int{c.type != ElementType::Float} + int{c.attributes.layout.value_or(0) != 0} < 2;
}

/// Must an engine run the problem? Nothing is tried with one that it may refuse as well, or does refuse.
bool must_be_run(const Problem& problem) {
  return expectation_of(problem).kind == Expectation::Kind::Accept;
}

Candidate candidate_of(std::uint64_t number, Case c) {
  constexpr std::size_t whole_axis = 1000;
  Candidate candidate{number, std::move(c), {}};
  const OperatorVersion version = candidate.c.version;
  if (!is_old(version))
    candidate.values.emplace(AxisValue("version", to_string(version)), whole_axis / all_operator_versions().size());
  for (const auto& [name, value] : axis_values(candidate.c)) {
    // Each direction is a walk of its own, and so counts as a whole axis.
    const std::size_t of_axis = name == "direction" ? 2 : values_for_laws(axis(name), version).size();
    candidate.values.emplace(counted(name, value), whole_axis / std::max<std::size_t>(of_axis - 1, 1));
  }
  return candidate;
}

/// The first cases of the endless sequence of which each law speaks, whatever the bounds are.
Pools drawn_pools() {
  Pools pools;
  for (std::uint64_t index = 0; index < most_drawn; ++index) {
    const Case c = case_of(drawn_recipe(law_suite_seed, index));
    if (!is_widely_run(c)) continue;
    const Problem problem = make_problem(c);
    if (!must_be_run(problem)) continue;
    std::optional<Candidate> candidate;
    for (std::size_t law = 0; law < laws().size(); ++law) {
      Pool& pool = pools[{law, c.version.op}];
      if (pool.size() == enough_drawn || !experiment_of_valid(laws()[law], problem)) continue;
      if (!candidate) candidate = candidate_of(index, c);
      pool.push_back(*candidate);
    }
  }
  return pools;
}

/// One of the drawn cases changed to the value, so that the law speaks of it still.
std::optional<Case> changed_to(const std::string& value, const Axis& axis, const Law& law, const Pool& drawn) {
  const std::size_t tried = std::min(most_changed, drawn.size());
  for (std::size_t k = 0; k < tried; ++k) {
    if (!std::ranges::count(values_for_laws(axis, drawn[k].c.version), value)) continue;
    Case changed = axis.apply(drawn[k].c, value);
    if (axis.of(changed) != value || !is_widely_run(changed)) continue;
    const Problem problem = make_problem(changed);
    if (must_be_run(problem) && experiment_of_valid(law, problem)) return changed;
  }
  return std::nullopt;
}

/// Adds cases with values that none of the drawn ones has: what a law asks for leaves few of them, and of these few
/// none may have a value that is rarely drawn.
void add_rare_values(const Law& law, Pool& pool) {
  if (pool.empty()) return;
  std::set<AxisValue> had;
  std::set<OperatorVersion> versions;
  for (const Candidate& candidate : pool) {
    for (const auto& [value, weight] : candidate.values) had.insert(value);
    versions.insert(candidate.c.version);
  }
  const Pool drawn = pool;
  for (const Axis& axis : axes_of_meaning()) {
    std::set<std::string> values;
    for (const OperatorVersion version : versions) {
      for (std::string& value : values_for_laws(axis, version)) values.insert(std::move(value));
    }
    for (const std::string& value : values) {
      if (had.contains(counted(std::string(axis.name), value))) continue;
      if (auto changed = changed_to(value, axis, law, drawn))
        pool.push_back(candidate_of(most_drawn + pool.size(), *std::move(changed)));
    }
  }
}

/// The case with each of the "AXIS=VALUE" that its operator has; nothing where one takes another away.
std::optional<Case> with_values(std::string_view values, const Case& c) {
  Case changed = c;
  std::vector<AxisValue> asked;
  while (!values.empty()) {
    const std::string_view word = values.substr(0, values.find(' '));
    values.remove_prefix(std::min(values.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    const Axis& row = axis(word.substr(0, equals));
    const std::string value(word.substr(equals + 1));
    if (!std::ranges::count(row.values(c.version), value)) continue;
    changed = row.apply(changed, value);
    asked.emplace_back(row.name, value);
  }
  const bool has_them = !asked.empty() && std::ranges::all_of(asked, [&](const AxisValue& one) {
    return axis(one.first).of(changed) == one.second;
  });
  return has_them ? std::optional(changed) : std::nullopt;
}

/// For each thing that the law is about one of the drawn cases, changed so that it has that.
Pool cases_about(const Law& law, const Pool& drawn) {
  Pool chosen;
  for (const std::string_view values : law.about) {
    for (const Candidate& candidate : drawn) {
      auto changed = with_values(values, candidate.c);
      if (!changed || !is_widely_run(*changed)) continue;
      const Problem problem = make_problem(*changed);
      if (!must_be_run(problem) || !trial_of(law, problem)) continue;
      chosen.push_back(candidate_of(first_about + chosen.size(), *std::move(changed)));
      break;
    }
  }
  return chosen;
}

/// Up to `each` cases of the pool, `chosen` among them. A third as they were drawn: many are plain, and engines refuse
/// few of them. Then each time the one whose values that none before it has had weigh most; when there are none, all
/// values count anew.
Pool spread(Pool pool, Pool chosen, const Law& law, std::size_t each) {
  std::set<AxisValue> had;
  for (const Candidate& candidate : chosen) {
    for (const auto& [value, weight] : candidate.values) had.insert(value);
  }
  const std::size_t drawn_until = chosen.size() + each / 3;
  const auto fresh = [&](const Candidate& candidate) {
    std::size_t sum = 0;
    for (const auto& [value, weight] : candidate.values) sum += had.contains(value) ? 0 : weight;
    return sum;
  };
  while (chosen.size() < each && !pool.empty()) {
    const bool as_drawn = chosen.size() < drawn_until;
    const auto best = as_drawn ? pool.begin() : std::ranges::max_element(pool, {}, fresh);
    if (!as_drawn && !had.empty() && fresh(*best) == 0) {
      had.clear();
      continue;
    }
    Candidate candidate = std::move(*best);
    pool.erase(best);
    if (!trial_of(law, make_problem(candidate.c))) continue;
    for (const auto& [value, weight] : candidate.values) had.insert(value);
    chosen.push_back(std::move(candidate));
  }
  std::ranges::sort(chosen, {}, &Candidate::number);
  return chosen;
}

}  // namespace

std::vector<corpus::SuiteCase> law_cases(std::size_t each) {
  std::vector<corpus::SuiteCase> cases;
  for (auto& [key, pool] : drawn_pools()) {
    const Law& law = laws()[key.first];
    Pool about = cases_about(law, pool);
    add_rare_values(law, pool);
    for (Candidate& candidate : spread(std::move(pool), std::move(about), law, each)) {
      std::string name = fmt::format("{}/{}/{:04}", law.id, to_string(candidate.c.version), candidate.number);
      cases.push_back({std::move(name), std::move(candidate.c), std::string(law.id)});
    }
  }
  return cases;
}

}  // namespace cellproof::fuzz
