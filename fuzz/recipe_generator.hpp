#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "fuzz/broken_case.hpp"
#include "fuzz/law_case.hpp"

// For tests: RapidCheck makes and shrinks recipes, of which every one makes a case: fewer steps, then values nearer to
// the first of their axis.
namespace rc {

template <>
struct Arbitrary<cellproof::fuzz::LawRecipe> {
  static Gen<cellproof::fuzz::LawRecipe> arbitrary() {
    using cellproof::fuzz::AxisStep;
    using cellproof::fuzz::LawRecipe;
    const auto versions = cellproof::all_operator_versions();
    return gen::build<LawRecipe>(
        gen::set(&LawRecipe::version, gen::elementOf(std::vector(versions.begin(), versions.end()))),
        gen::set(&LawRecipe::seed, gen::inRange<std::uint64_t>(1, 1000)),
        gen::set(&LawRecipe::steps, gen::container<std::vector<AxisStep>>(gen::build<AxisStep>(
                                        gen::set(&AxisStep::axis, gen::inRange<std::uint32_t>(0, 64)),
                                        gen::set(&AxisStep::value, gen::inRange<std::uint32_t>(0, 64))))));
  }
};

template <>
struct Arbitrary<cellproof::fuzz::BrokenRecipe> {
  static Gen<cellproof::fuzz::BrokenRecipe> arbitrary() {
    using cellproof::fuzz::BrokenRecipe;
    return gen::build<BrokenRecipe>(gen::set(&BrokenRecipe::valid),
                                    gen::set(&BrokenRecipe::breach, gen::inRange<std::uint32_t>(0, 1000)));
  }
};

}  // namespace rc
