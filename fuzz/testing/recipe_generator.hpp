#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/broken_case.hpp"
#include "fuzz/case_recipe.hpp"
#include "fuzz/small_case.hpp"
#include "spec/axes.hpp"

// For tests: RapidCheck makes and shrinks recipes, of which every one makes a case. They shrink towards the newest
// version (LSTM first), one of each size, seed 1 and no steps; a step that is needed towards the first axis and the
// first value that do.
namespace cellproof::fuzz::generators {

/// Any number below. Those of a list say nothing of size: RapidCheck's own range would take the first ones alone at
/// first, and shrink to half a number, which need not be one that does. Here every smaller one is tried.
template <typename Number>
rc::Gen<Number> any_below(Number end) {
  return [end](const rc::Random& random, int) {
    const auto number = static_cast<Number>(rc::Random(random).next() % end);
    return rc::shrinkable::shrinkRecur(number, [](Number n) { return rc::seq::range<Number>(0, n); });
  };
}

inline rc::Gen<OperatorVersion> version() {
  const auto all = all_operator_versions();
  std::vector<OperatorVersion> newest_first(all.begin(), all.end());
  std::ranges::stable_sort(newest_first, std::ranges::greater(), &OperatorVersion::since_version);
  return rc::gen::map(any_below(newest_first.size()),
                      [newest_first](std::size_t which) { return newest_first[which]; });
}

inline rc::Gen<std::int64_t> size(bool may_be_empty) {
  return rc::gen::map(any_below(small_sizes(may_be_empty).size()),
                      [may_be_empty](std::size_t which) { return small_sizes(may_be_empty)[which]; });
}

}  // namespace cellproof::fuzz::generators

namespace rc {

template <>
struct Arbitrary<cellproof::fuzz::Sizes> {
  static Gen<cellproof::fuzz::Sizes> arbitrary() {
    using cellproof::fuzz::Sizes;
    using cellproof::fuzz::generators::size;
    return gen::build<Sizes>(gen::set(&Sizes::T, size(true)), gen::set(&Sizes::N, size(true)),
                             gen::set(&Sizes::I, size(false)), gen::set(&Sizes::H, size(false)));
  }
};

template <>
struct Arbitrary<cellproof::fuzz::AxisStep> {
  static Gen<cellproof::fuzz::AxisStep> arbitrary() {
    using cellproof::fuzz::AxisStep;
    using cellproof::fuzz::generators::any_below;
    const auto axes = static_cast<std::uint32_t>(cellproof::axes_of_meaning().size());
    constexpr std::uint32_t most_values = 11;
    return gen::build<AxisStep>(gen::set(&AxisStep::axis, any_below(axes)),
                                gen::set(&AxisStep::value, any_below(most_values)));
  }
};

template <>
struct Arbitrary<cellproof::fuzz::CaseRecipe> {
  static Gen<cellproof::fuzz::CaseRecipe> arbitrary() {
    using cellproof::fuzz::CaseRecipe;
    return gen::build<CaseRecipe>(gen::set(&CaseRecipe::version, cellproof::fuzz::generators::version()),
                                  gen::set(&CaseRecipe::seed, gen::inRange<std::uint64_t>(1, 1000)),
                                  gen::set(&CaseRecipe::sizes), gen::set(&CaseRecipe::steps));
  }
};

template <>
struct Arbitrary<cellproof::fuzz::BrokenRecipe> {
  static Gen<cellproof::fuzz::BrokenRecipe> arbitrary() {
    using cellproof::fuzz::BrokenRecipe;
    return gen::build<BrokenRecipe>(
        gen::set(&BrokenRecipe::valid),
        gen::set(&BrokenRecipe::breach, cellproof::fuzz::generators::any_below<std::uint32_t>(1000)));
  }
};

}  // namespace rc
