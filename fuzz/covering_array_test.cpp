#include "fuzz/covering_array.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <string>

namespace cellproof::fuzz {
namespace {

using Tuple = std::vector<std::pair<std::size_t, std::size_t>>;  // (factor, value)

/// Tuples of the rows, counted the naive way: independent of the tables that the generator works on.
std::set<Tuple> tuples_of(const std::vector<Row>& rows, std::size_t strength) {
  std::set<Tuple> found;
  for (const Row& row : rows) {
    std::vector<bool> pick(row.size(), false);
    std::fill(pick.begin(), pick.begin() + static_cast<std::ptrdiff_t>(strength), true);
    do {
      Tuple tuple;
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (pick[k]) tuple.emplace_back(k, row[k]);
      }
      found.insert(std::move(tuple));
    } while (std::prev_permutation(pick.begin(), pick.end()));
  }
  return found;
}

bool is_allowed(const FactorModel& model, const Row& row) {
  const auto holds = [&](const Term& term) { return (term.values >> row[term.factor] & 1U) != 0; };
  const auto excluded = [&](const std::vector<Term>& terms) { return std::ranges::all_of(terms, holds); };
  const auto over = [&](const Limit& limit) {
    return static_cast<std::size_t>(std::ranges::count_if(limit.terms, holds)) > limit.most;
  };
  return std::ranges::none_of(model.exclusions, excluded) && std::ranges::none_of(model.limits, over);
}

/// Every row that the constraints allow.
std::vector<Row> all_rows(const FactorModel& model) {
  std::vector<Row> rows;
  Row row(model.levels.size(), 0);
  for (;;) {
    if (is_allowed(model, row)) rows.push_back(row);
    std::size_t k = 0;
    while (k < row.size() && ++row[k] == model.levels[k]) row[k++] = 0;
    if (k == row.size()) return rows;
  }
}

FactorModel any_model() {
  const auto factors = *rc::gen::inRange<std::size_t>(3, 6);
  FactorModel model;
  model.levels = *rc::gen::container<std::vector<std::size_t>>(factors, rc::gen::inRange<std::size_t>(1, 5));
  const auto any_terms = [&] {
    std::vector<Term> terms;
    const auto count = *rc::gen::inRange<std::size_t>(1, 4);
    for (std::size_t k = 0; k < count; ++k) {
      const auto factor = *rc::gen::inRange<std::size_t>(0, factors);
      terms.push_back({factor, *rc::gen::inRange<ValueSet>(1, 16) & model.all_values(factor)});
    }
    return terms;
  };
  for (auto left = *rc::gen::inRange(0, 6); left > 0; --left) model.exclusions.push_back(any_terms());
  if (*rc::gen::arbitrary<bool>()) model.limits.push_back({any_terms(), *rc::gen::inRange<std::size_t>(0, 3)});
  return model;
}

RC_GTEST_PROP(CoveringArray, CoversExactlyWhatSomeRowHas, ()) {
  const FactorModel model = any_model();
  CoveringOptions options{.strength = *rc::gen::element<std::size_t>(2, 3), .seed = *rc::gen::arbitrary<unsigned>()};
  options.candidates = 3;
  if (*rc::gen::arbitrary<bool>()) options.rare = {{0, 1}, {1, 1}, {2, 3}};
  const std::vector<Row> rows = covering_array(model, options);
  for (const Row& row : rows) RC_ASSERT(is_allowed(model, row));
  RC_ASSERT(tuples_of(rows, options.strength) == tuples_of(all_rows(model), options.strength));
  RC_ASSERT(possible_tuples(FactorSolver(model), options).size() == tuples_of(rows, options.strength).size());
}

TEST(CoveringArray, MeetsRareValuesOnlyWhereTheyAreNeeded) {
  const FactorModel model{{3, 3, 3, 3, 3}, {}, {}};
  const CoveringOptions options{.rare = {{0, 0b100}, {1, 0b100}, {2, 0b100}}};
  std::size_t with[4] = {};
  for (const Row& row : covering_array(model, options)) ++with[(row[0] == 2) + (row[1] == 2) + (row[2] == 2)];
  EXPECT_GE(with[0], 9U);  // all pairs of the others
  EXPECT_GE(with[1], 9U);  // each of the three with all values of the others
  EXPECT_EQ(with[2], 3U);  // the three pairs of rare values
  EXPECT_EQ(with[3], 0U);
}

TEST(CoveringArray, LeavesOutWhatIsIgnored) {
  const FactorModel model{{2, 2}, {}, {}};
  EXPECT_EQ(covering_array(model, {.ignored = {0b10, 0}}).size(), 2U);
  EXPECT_EQ(possible_tuples(FactorSolver(model), {.ignored = {0b10, 0}}).size(), 2U);
}

TEST(CoveringArray, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const FactorModel model{{4, 4, 4, 3, 3, 3, 2}, {{{0, 1}, {1, 1}}}, {}};
  EXPECT_EQ(covering_array(model, {.seed = 5}), covering_array(model, {.seed = 5}));
  EXPECT_NE(covering_array(model, {.seed = 5}), covering_array(model, {.seed = 6}));
}

TEST(CoveringArray, RefusesWhatIsNoModel) {
  EXPECT_THROW(covering_array({{2, 0}, {}, {}}, {}), std::invalid_argument);
  EXPECT_THROW(covering_array({{2, 65}, {}, {}}, {}), std::invalid_argument);
  EXPECT_THROW(covering_array({{2, 2}, {{{2, 1}}}, {}}, {}), std::invalid_argument);
  EXPECT_THROW(covering_array({{2, 2}, {}, {}}, {.strength = 4}), std::invalid_argument);
}

/// A standard array. `best` and `worst`: of the 14 tools whose sizes pairwise.org/efficiency.html lists (strength 2);
/// the smallest array known and our own bound (strength 3).
struct Standard {
  std::string name;
  std::vector<std::pair<int, std::size_t>> factors;  // (how many, levels)
  std::size_t strength;
  std::size_t best;
  std::size_t worst;
  std::size_t at_most;  ///< what is asked of us
};

FactorModel model_of(const Standard& standard) {
  FactorModel model;
  for (const auto& [count, levels] : standard.factors) {
    model.levels.insert(model.levels.end(), static_cast<std::size_t>(count), levels);
  }
  return model;
}

/// `fuzz_test --gtest_filter='CoveringArraySizes.*'` prints the table of docs/measurements/covering-arrays.md.
TEST(CoveringArraySizes, AreThoseOfGoodTools) {
  const Standard standards[] = {
      {"3^4", {{4, 3}}, 2, 9, 11, 9},
      {"3^13", {{13, 3}}, 2, 15, 23, 18},
      {"4^15 3^17 2^29", {{15, 4}, {17, 3}, {29, 2}}, 2, 29, 49, 38},
      {"4^1 3^39 2^35", {{1, 4}, {39, 3}, {35, 2}}, 2, 21, 33, 28},
      {"2^100", {{100, 2}}, 2, 10, 18, 15},
      {"10^20", {{20, 10}}, 2, 180, 245, 195},
      {"2^10", {{10, 2}}, 3, 12, 18, 18},
      {"3^6", {{6, 3}}, 3, 33, 46, 46},
      {"4^6", {{6, 4}}, 3, 64, 105, 105},
  };
  constexpr std::uint64_t seeds = 10;
  fmt::print("{:<16} {:>8} {:>10} {:>11} {:>11} {:>11}\n", "array", "strength", "rows", "best known", "worst tool",
             "s an array");
  for (const Standard& standard : standards) {
    const FactorModel model = model_of(standard);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Row> rows;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      std::vector<Row> more = covering_array(model, {.strength = standard.strength, .seed = seed});
      if (rows.empty() || more.size() < rows.size()) rows = std::move(more);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("{:<16} {:>8} {:>10} {:>11} {:>11} {:>11.3f}\n", standard.name, standard.strength, rows.size(),
               standard.best, standard.worst, seconds / seeds);
    EXPECT_LE(rows.size(), standard.at_most) << standard.name;
    EXPECT_GE(rows.size(), standard.best) << standard.name << ": smaller than any array there is?";
    EXPECT_EQ(tuples_of(rows, standard.strength).size(),
              possible_tuples(FactorSolver(model), {.strength = standard.strength}).size());
  }
}

}  // namespace
}  // namespace cellproof::fuzz
