#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/case_recipe.hpp"
#include "spec/axes.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// The axis's values for the version that cases of laws may have; empty where the axis is not changed for them.
std::vector<std::string> values_for_laws(const Axis& axis, OperatorVersion version);

/// At least one and at most nine of each size; only values that no clause leaves open by themselves.
Case case_of(const CaseRecipe& recipe);

/// Number `index` of an endless deterministic sequence of recipes for case_of().
CaseRecipe drawn_recipe(std::uint64_t seed, std::uint64_t index);

}  // namespace cellproof::fuzz
