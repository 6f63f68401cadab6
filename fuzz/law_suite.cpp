#include "fuzz/law_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "fuzz/law.hpp"
#include "fuzz/law_case.hpp"

namespace cellproof::fuzz {
namespace {

constexpr std::uint64_t law_suite_seed = 20261123;
/// Of the cases that a law can speak of at all there is one among a few dozens.
constexpr std::uint64_t most_drawn = 1000;

}  // namespace

std::vector<corpus::SuiteCase> law_cases(std::size_t each) {
  std::map<std::pair<std::string_view, Operator>, std::size_t> counts;
  std::map<std::string_view, std::vector<corpus::SuiteCase>> by_law;
  for (std::uint64_t index = 0; index < most_drawn; ++index) {
    const Case c = case_of(drawn_recipe(law_suite_seed, index));
    const Problem problem = make_problem(c);
    for (const Law& law : laws()) {
      std::size_t& count = counts[{law.id, c.version.op}];
      if (count == each || !trial_of(law, problem)) continue;
      ++count;
      by_law[law.id].push_back(
          {fmt::format("{}/{}/{:04}", law.id, to_string(c.version), index), c, std::string(law.id)});
    }
  }
  std::vector<corpus::SuiteCase> cases;
  for (const Law& law : laws()) std::ranges::move(by_law[law.id], std::back_inserter(cases));
  return cases;
}

}  // namespace cellproof::fuzz
