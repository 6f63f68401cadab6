#include "campaign/needed_presentation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/check_model_text.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

using lab::mutants::mutant_named;

Problem ragged_gru() {
  return make_problem(parse_case("cellproof-case/1 op=GRU-14 type=float T=4 N=3 I=2 H=3 sequence_lens=given"));
}

/// The sizes that must be symbols for a mutant to fail, which has failed inside a model whose sizes are all symbols.
std::optional<NeededPresentation> needed_by(const char* mutant) {
  const engines::Probe run = [&](const Problem& problem) {
    return lab::mutants::outcome_of(problem, *mutant_named(mutant));
  };
  Problem inside = ragged_gru();
  inside.presentation.dims = Dims::All;
  return needed_presentation(ragged_gru(), run(inside).outputs, run, {});
}

TEST(NeededPresentation, IsTheFirstThatFails) {
  const auto always = needed_by("lengths-ignored"), symbols = needed_by("lengths-ignored@symbolic-sizes");
  ASSERT_TRUE(always && symbols);
  EXPECT_EQ(always->fails, Dims::Static);
  EXPECT_EQ(symbols->fails, Dims::Steps);
}

/// Other bits than inside the model are judged: they are right, or wrong in another way.
TEST(NeededPresentation, JudgesWhatDiffersFromTheModel) {
  const auto right = [](const Problem& problem) {  // there is no clip to ignore
    return lab::mutants::outcome_of(problem, *mutant_named("clip-ignored"));
  };
  const auto wrong = [](const Problem& problem) {
    return lab::mutants::outcome_of(problem, *mutant_named("bias-doubled"));
  };
  Problem node =
      make_problem(parse_case("cellproof-case/1 op=GRU-14 type=float T=4 N=3 I=2 H=3 B=given sequence_lens=given"));
  const Outputs seen = lab::mutants::outcome_of(node, *mutant_named("lengths-ignored")).outputs;
  const auto passes = needed_presentation(node, seen, right, {}), fails = needed_presentation(node, seen, wrong, {});
  ASSERT_TRUE(passes && fails);
  EXPECT_FALSE(passes->fails);
  EXPECT_EQ(fails->fails, Dims::Static);
}

TEST(NeededPresentation, IsUnknownWhereTheEngineRefusesTheNode) {
  const auto refuses = [](const Problem&) {
    Outcome outcome;
    outcome.kind = OutcomeKind::NotSupported;
    return outcome;
  };
  EXPECT_FALSE(needed_presentation(ragged_gru(), {}, refuses, {}));
}

TEST(NeededPresentation, IsALineBelowTheNode) {
  corpus::RecurrentNode node;
  CheckedNode checked;
  checked.node = &node;
  checked.calls = 1;
  const auto says = [&](std::optional<NeededPresentation> needed, const char* text, const char* json) {
    checked.needed = needed;
    EXPECT_THAT(node_line(checked), ::testing::HasSubstr(text));
    EXPECT_THAT(node_json({}, checked), ::testing::HasSubstr(json));
  };
  says(NeededPresentation{Dims::Steps}, "fails with symbols: dims=T\n", "\"fails_alone\":\"T\"");
  says(NeededPresentation{Dims::Static}, "alone it fails, too", "\"fails_alone\":\"static\"");
  says(NeededPresentation{}, "alone it passes", "\"fails_alone\":false");
  says({}, "", "\"fails_alone\":null");
}

}  // namespace
}  // namespace cellproof::campaign
