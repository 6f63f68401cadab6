#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fuzz/factor_model.hpp"
#include "fuzz/tuple_table.hpp"

namespace cellproof::fuzz {

/// For each factor the number of its value.
using Row = std::vector<std::size_t>;

struct CoveringOptions {
  std::size_t strength = 2;  ///< 2: pairs, 3: triples
  std::uint64_t seed = 0;
  /// Number of rows that are tried for each that is taken: more of them make smaller arrays and take longer.
  std::size_t candidates = 30;
  /// Values that rows should have few of, such as those that an engine may well refuse: a refused row covers nothing of
  /// what else is in it. A row has k of them only where some tuple needs k.
  std::vector<Term> rare = {};
  /// For each factor the values whose tuples need not be covered; none where left out.
  std::vector<ValueSet> ignored = {};
  /// Rows that are there already: what they cover need not be covered again.
  std::vector<Row> there = {};
};

/// Which tuples of values a model makes possible: the rest is proved to be in no row. Those with ignored values are
/// left out.
TupleTable possible_tuples(const FactorSolver& solver, const CoveringOptions& options);

/// Calls visit(places) for each of them in order. `table`: says where values are and how many of them a tuple has.
void for_each_possible_tuple(const FactorSolver& solver, const TupleTable& table, const std::vector<ValueSet>& ignored,
                             const std::function<void(std::span<const std::size_t>)>& visit);

/// Rows that meet the model's constraints, such that each possible tuple is in one of them: a mixed-level covering
/// array with constraints. Greedy, one row at a time in the manner of AETG (Cohen, Dalal, Fredman, Patton: The AETG
/// system, IEEE Trans. Softw. Eng. 23(7), 1997): each candidate starts from an uncovered tuple, takes the factors in
/// random order and gives each the value that covers most. The same model and options give the same rows on every
/// machine.
std::vector<Row> covering_array(const FactorModel& model, const CoveringOptions& options);

}  // namespace cellproof::fuzz
