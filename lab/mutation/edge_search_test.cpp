#include "lab/mutation/edge_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/mutants/edges.hpp"

namespace cellproof::lab {
namespace {

/// With as many executions for the one as for the other.
TEST(EdgeSearch, GuidanceFindsFaultsInNarrowPlacesThatDrawingDoesNot) {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const auto scores = search_edges(300, seed);
    ASSERT_EQ(scores.size(), mutants::edge_mutants().size());
    const auto drawn = std::ranges::count_if(scores, [](const EdgeScore& s) { return s.drawn.has_value(); });
    const auto guided = std::ranges::count_if(scores, [](const EdgeScore& s) { return s.guided.has_value(); });
    EXPECT_GE(guided, drawn + 2) << "seed " << seed << ": " << guided << " guided, " << drawn << " drawn";
    EXPECT_GE(guided, 9) << "seed " << seed;
  }
}

}  // namespace
}  // namespace cellproof::lab
