#include "fuzz/endless.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "fuzz/broken_case.hpp"
#include "fuzz/guided/guided_case.hpp"
#include "fuzz/law.hpp"
#include "fuzz/law_case.hpp"
#include "fuzz/presented.hpp"
#include "fuzz/small_case.hpp"
#include "spec/suggestion.hpp"

namespace cellproof::fuzz {
namespace {

using corpus::Suite;
using corpus::SuiteCase;

/// In a round: about as much time goes to laws as to what is judged, and one case in five of the latter is invalid.
constexpr std::int64_t judged_turns = 2, guided_turns = 2, invalid_turns = 1, law_turns = 16;

/// Further draws for one number lie so far apart, behind those of all numbers before.
constexpr std::uint64_t draws_apart = std::uint64_t{1} << 40;
/// Most laws say something of one case in a few; a rare one takes its turn in vain now and then.
constexpr std::uint64_t most_drawn_for_a_law = 8;
/// Laws that have a case in common, so that it need not be drawn for each.
constexpr std::uint64_t laws_of_a_case = 4;

SuiteCase named(Case c, std::uint64_t number) {
  return {fmt::format("{}/{}", to_string(c.version), number), std::move(c)};
}

SuiteCase broken(std::uint64_t seed, std::uint64_t number) {
  for (std::uint64_t draw = 0;; ++draw) {
    const CaseRecipe recipe = drawn_small_recipe(seed, number + draw * draws_apart);
    if (auto breach = broken_case({recipe, static_cast<std::uint32_t>(recipe.seed)}))
      return named(std::move(breach->c), number);
  }
}

SuiteCase for_law(const Law& law, std::uint64_t seed, std::uint64_t number) {
  Case c;
  for (std::uint64_t draw = 0; draw < most_drawn_for_a_law; ++draw) {
    c = case_of(drawn_recipe(seed, number / laws_of_a_case + draw * draws_apart));
    if (experiment_of(law, make_problem(c))) break;
  }
  return {fmt::format("{}/{}/{}", law.id, to_string(c.version), number), c, std::string(law.id)};
}

Suite suite_of_laws(std::uint64_t seed, const std::vector<std::string>& names) {
  std::vector<const Law*> list;
  for (const std::string& id : names) list.push_back(&law_named(id));
  std::string what = fmt::format("the laws {}, in turn", fmt::join(names, ", "));
  if (names.empty()) {
    for (const Law& law : laws()) list.push_back(&law);
    what = "all laws, in turn";
  }
  return {.name = "fuzz-laws",
          .what = std::move(what),
          .draw = [seed, list](std::uint64_t number,
                               const engines::Probe&) { return for_law(*list[number % list.size()], seed, number); },
          .turns = law_turns};
}

Suite suite_of(std::string_view kind, std::uint64_t seed, const std::vector<std::string>& laws) {
  if (kind == "judged") {
    return {.name = "fuzz-judged",
            .what = "small cases of the whole space, drawn at random",
            .draw =
                [seed](std::uint64_t number, const engines::Probe&) {
                  return named(presented(small_case(drawn_small_recipe(seed, number)), seed, number), number);
                },
            .turns = judged_turns};
  }
  if (kind == "guided") {
    return {.name = "fuzz-guided",
            .what = "cases whose values are moved to boundary values",
            .draw = [seed](std::uint64_t number,
                           const engines::Probe& ask) { return named(guided_case(seed, number, ask).c, number); },
            .turns = guided_turns};
  }
  if (kind == "invalid") {
    return {.name = "fuzz-invalid",
            .what = "small cases with one rule broken",
            .draw = [seed](std::uint64_t number, const engines::Probe&) { return broken(seed, number); },
            .turns = invalid_turns};
  }
  return suite_of_laws(seed, laws);
}

}  // namespace

std::vector<Suite> endless_suites(std::uint64_t seed, const std::vector<std::string>& kinds,
                                  const std::vector<std::string>& laws) {
  for (const std::string& kind : kinds) {
    if (std::ranges::find(endless_kinds, kind) == endless_kinds.end())
      throw std::invalid_argument(fmt::format("--only {}: {}", kind, expected_one_of(kind, endless_kinds)));
  }
  if (!kinds.empty() && !laws.empty() && std::ranges::count(kinds, "laws") == 0)
    throw std::invalid_argument("--law: expected --only to name laws, too");
  std::vector<Suite> suites;
  for (const std::string_view kind : endless_kinds) {
    const bool asked = kinds.empty() ? laws.empty() || kind == "laws" : std::ranges::count(kinds, kind) > 0;
    if (asked) suites.push_back(suite_of(kind, seed, laws));
  }
  return suites;
}

}  // namespace cellproof::fuzz
