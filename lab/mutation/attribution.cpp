#include "lab/mutation/attribution.hpp"

#include <algorithm>
#include <sstream>

#include "campaign/progress.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"
#include "oracle/minimise.hpp"
#include "spec/axes.hpp"

namespace cellproof::lab {
namespace {

using mutants::Mutant;

/// Does the mutant diverge on the case? What faults explain is not asked.
bool diverges(const Case& c, const Mutant& mutant) {
  const Problem problem = make_problem(c);
  if (!mutants::is_for_mutants(problem) || !mutants::applies(problem, mutant)) return false;
  return oracle::verdict_on(problem, answers_of(problem, mutant)) == Verdict::Diverges;
}

std::vector<std::string> words(const std::string& text, char separator) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) list.push_back(word);
  return list;
}

/// "input" stands for "input.B" and the like, "activation" for "activation.f".
bool is_of(const std::string& axis, const std::string& declared) {
  return axis == declared || axis.starts_with(declared + ".");
}

bool is_exactly(const std::vector<std::string>& declared, const AxisValues& guilty) {
  const auto is_guilty_or_optional = [&](const std::string& name) {
    return name.ends_with('?') ||
           std::ranges::any_of(guilty, [&](const auto& value) { return is_of(value.first, name); });
  };
  // Functions of the backward direction bring their direction with them.
  const bool backward =
      std::ranges::any_of(guilty, [](const auto& value) { return value.first.ends_with(".backward"); });
  const auto is_declared = [&](const auto& value) {
    if (backward && value.first == "direction") return true;
    return std::ranges::any_of(declared, [&](const std::string& name) {
      return is_of(value.first, name.ends_with('?') ? name.substr(0, name.size() - 1) : name);
    });
  };
  return std::ranges::all_of(declared, is_guilty_or_optional) && std::ranges::all_of(guilty, is_declared);
}

}  // namespace

bool is_as_declared(const std::string& blames, const AxisValues& guilty) {
  if (blames == "-") return guilty.empty();
  return std::ranges::any_of(
      words(blames, '|'), [&](const std::string& alternative) { return is_exactly(words(alternative, ' '), guilty); });
}

std::vector<MutantAttribution> attribute_mutants(const std::vector<corpus::SuiteCase>& cases) {
  const MutationScore score = score_mutants(cases);
  std::vector<MutantAttribution> list;
  campaign::Progress progress("attribution", static_cast<std::int64_t>(score.rows.size()));
  for (const MutantScore& row : score.rows) {
    progress.advance("");
    if (!row.killed()) continue;
    const Mutant& mutant = *mutants::mutant_named(row.id);
    const Case& c = std::ranges::find(cases, row.kills.front(), &corpus::SuiteCase::name)->c;
    if (!diverges(c, mutant)) continue;
    MutantAttribution found{row.id, row.op, row.kills.front(), {}, {}, false, false};
    const Problem problem = make_problem(c);
    found.named = oracle::decide(problem, {}, answers_of(problem, mutant)).faults;
    found.is_named = std::ranges::find(found.named, row.id) != found.named.end();
    const auto still_diverges = [&](const Case& simpler) { return diverges(simpler, mutant); };
    found.guilty = oracle::minimise(c, still_diverges, oracle::Reach::Axes).guilty;
    found.is_attributed = is_as_declared(oracle::fault_named(row.id)->blames, found.guilty);
    list.push_back(std::move(found));
  }
  return list;
}

}  // namespace cellproof::lab
