#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/axes.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// One value given to one axis: the numbers are taken modulo what there is.
struct AxisStep {
  std::uint32_t axis = 0;
  std::uint32_t value = 0;
  friend bool operator==(const AxisStep&, const AxisStep&) = default;
};

/// How a small valid case comes to be: a plain one of a version, changed step by step. Every recipe makes a case.
struct LawRecipe {
  OperatorVersion version;
  std::uint64_t seed = 0;
  std::vector<AxisStep> steps;
  friend bool operator==(const LawRecipe&, const LawRecipe&) = default;
};

/// The axis's values for the version that cases of laws may have; empty where the axis is not changed for them.
std::vector<std::string> values_for_laws(const Axis& axis, OperatorVersion version);

/// At most nine of each size; only values that no clause leaves open by themselves.
Case case_of(const LawRecipe& recipe);

/// Number `index` of an endless deterministic sequence of recipes.
LawRecipe drawn_recipe(std::uint64_t seed, std::uint64_t index);

}  // namespace cellproof::fuzz
