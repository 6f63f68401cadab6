#include "campaign/judged_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutants/mutants.hpp"
#include "reference/reference.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

using testing::HasSubstr;

/// Keeps the signatures that it hears of, a line each.
JudgedSearch::Listener listener(std::string& told) {
  return [&told](const Finding&, const std::string& signature) { told += signature + "\n"; };
}

/// One fault shows in whatever is asked for, and with whatever else a case has: who mends it mends all.
TEST(JudgedSearch, TellsANamedFaultOncePerOperator) {
  const lab::mutants::Mutant* mutant = lab::mutants::mutant_named("thresholded-relu-as-relu");
  ASSERT_NE(mutant, nullptr);
  std::string told;
  JudgedSearch search(
      {"mutant", "1", ContractId::F32}, listener(told),
      [&](const Problem& problem) { return lab::mutants::outcome_of(problem, *mutant); }, [] { return false; });
  for (const char* rest : {"RNN-22 type=float T=2 N=2 I=3 H=4 activations=ThresholdedRelu",
                           "RNN-22 type=float T=1 N=2 I=3 H=4 activations=ThresholdedRelu outputs=-,Y_h",
                           "RNN-22 type=float T=3 N=2 I=3 H=4 activations=Tanh,ThresholdedRelu direction=bidirectional",
                           "GRU-22 type=float T=2 N=2 I=3 H=4 activations=Sigmoid,ThresholdedRelu"})
    search.attempt(0, parse_case(std::string("cellproof-case/1 op=") + rest));
  EXPECT_EQ(search.results().at("DIVERGES"), 4) << told;
  const std::string summary = search.summary();
  EXPECT_EQ(std::ranges::count(summary, '\n'), 2) << summary << told;
  EXPECT_THAT(summary, HasSubstr("3 v1:(mutant, RNN, DIVERGES")) << summary;
  EXPECT_THAT(summary, HasSubstr("1 v1:(mutant, GRU, DIVERGES")) << summary;
}

TEST(JudgedSearch, TellsWhatComesByChanceOncePerOperatorAndKind) {
  int calls = 0;
  std::string told;
  JudgedSearch search(
      {"unlucky", "1", ContractId::F32}, listener(told),
      [&](const Problem& problem) {
        Outcome outcome;
        outcome.kind = calls++ == 0 ? OutcomeKind::Crashed : OutcomeKind::Ran;
        if (outcome.kind == OutcomeKind::Ran) outcome.outputs = reference::run(problem, {});
        return outcome;
      },
      [] { return false; });
  for (const char* rest : {"RNN-22 type=float T=2 N=2 I=3 H=4", "RNN-22 type=float T=1 N=2 I=3 H=4 layout=1",
                           "GRU-22 type=float T=2 N=2 I=3 H=4"}) {
    calls = 0;
    search.attempt(0, parse_case(std::string("cellproof-case/1 op=") + rest));
  }
  EXPECT_EQ(search.results().at("FLAKY"), 3) << told;
  EXPECT_TRUE(search.any_failed());
  EXPECT_THAT(told, HasSubstr("v1:(unlucky, GRU, FLAKY, -, CRASHED, -, -)")) << told;
  EXPECT_THAT(search.summary(), HasSubstr("2 v1:(unlucky, RNN, FLAKY, -, CRASHED, -, -)\n"));
  EXPECT_EQ(std::ranges::count(search.summary(), '\n'), 2);
}

/// A negative clip is one find, whichever clip it was made of.
TEST(JudgedSearch, TellsARuleThatIsNotKeptOncePerOperator) {
  JudgedSearch search(
      {"careless", "1", ContractId::F32}, [](const Finding&, const std::string&) {},
      [](const Problem& problem) {
        Outcome outcome;
        outcome.kind = OutcomeKind::Ran;
        outcome.outputs.resize(problem.outputs.size());
        return outcome;
      },
      [] { return false; });
  for (const char* clip : {"clip=-1", "clip=-1000", "clip=-0.5 direction=reverse"})
    search.attempt(0, parse_case(std::string("cellproof-case/1 op=RNN-22 type=float T=2 N=2 I=3 H=4 ") + clip));
  EXPECT_EQ(search.results().at("ACCEPTED_INVALID"), 3);
  EXPECT_THAT(search.summary(), HasSubstr("3 v1:(careless, RNN, ACCEPTED_INVALID, -, clip-negative"));
}

}  // namespace
}  // namespace cellproof::campaign
