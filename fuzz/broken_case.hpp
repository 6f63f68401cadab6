#pragma once

#include <cstdint>
#include <optional>

#include "corpus/suites/invalid_parts.hpp"
#include "fuzz/case_recipe.hpp"

namespace cellproof::fuzz {

/// Recipe of a small invalid case: a valid one, and which of the ways to break one of its rules is taken (modulo
/// what there is).
struct BrokenRecipe {
  CaseRecipe valid;
  std::uint32_t breach = 0;
  friend bool operator==(const BrokenRecipe&, const BrokenRecipe&) = default;
};

/// Does the case break the one rule that the breach names, and has it a valid twin? `twin_may_be_open`: one that an
/// engine may refuse, too, is good enough.
bool breaks_one_rule(const corpus::catalogue::Breach& breach, bool twin_may_be_open);

/// The case with the rule and the way of breaking it, its twin one that an engine must run where there is such a way;
/// nothing where none of the case's rules can be broken alone.
std::optional<corpus::catalogue::Breach> broken_case(const BrokenRecipe& recipe);

}  // namespace cellproof::fuzz
