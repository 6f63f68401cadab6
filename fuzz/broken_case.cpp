#include "fuzz/broken_case.hpp"

#include <utility>
#include <vector>

#include "fuzz/small_case.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {

using corpus::catalogue::Breach;

bool breaks_one_rule(const Breach& breach, bool twin_may_be_open) {
  const Expectation expectation = expectation_of(breach.c);
  if (expectation.violations.size() != 1 || expectation.violations[0].rule != breach.rule) return false;
  const auto twin = valid_twin(breach.c);
  if (!twin) return false;
  const Expectation::Kind kind = expectation_of(*twin).kind;
  return kind == Expectation::Kind::Accept || (twin_may_be_open && kind == Expectation::Kind::Either);
}

std::optional<Breach> broken_case(const BrokenRecipe& recipe) {
  std::vector<Breach> breaches =
      corpus::catalogue::breaches_of(small_case(recipe.valid), corpus::catalogue::Breaches::OfEveryVersion);
  for (const bool twin_may_be_open : {false, true}) {
    for (std::size_t k = 0; k < breaches.size(); ++k) {
      Breach& breach = breaches[(recipe.breach + k) % breaches.size()];
      if (breaks_one_rule(breach, twin_may_be_open)) return std::move(breach);
    }
  }
  return std::nullopt;
}

}  // namespace cellproof::fuzz
