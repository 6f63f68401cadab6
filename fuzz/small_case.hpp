#pragma once

#include <cstdint>
#include <span>

#include "fuzz/case_recipe.hpp"
#include "spec/case.hpp"

namespace cellproof::fuzz {

/// Multiply-adds of one gate over all steps, sequences and directions.
std::int64_t gate_work(const Case& c);

/// The case with some of its steps and sequences, as few as it takes to have no more gate work than `most`: one that is
/// large in everything would cost as much as hundreds of others.
Case with_little_work(Case c, std::int64_t most);

/// Most work of a case that small_case() makes: 17 units on 17 inputs have room for six steps, or three in both
/// directions.
constexpr std::int64_t most_small_work = 4000;

/// The sizes that small cases have, the smallest first: those in which vectors leave a rest, and at the end 0, for T
/// and N alone.
std::span<const std::int64_t> small_sizes(bool may_be_empty);

/// A case of the whole space that axes give, but for sizes above 17: whatever value of whatever axis, also those that a
/// clause lets engines refuse. Where sizes are large together, T and N are taken smaller.
Case small_case(const CaseRecipe& recipe);

/// Number `index` of an endless deterministic sequence of recipes for small_case().
CaseRecipe drawn_small_recipe(std::uint64_t seed, std::uint64_t index);

}  // namespace cellproof::fuzz
