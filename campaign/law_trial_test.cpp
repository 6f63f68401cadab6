#include "campaign/law_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "campaign/case_trial.hpp"
#include "campaign/reduction.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "spec/case_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::campaign {
namespace {

constexpr auto two_rows = "cellproof-case/1 op=LSTM-22 type=float T=3 N=3 I=4 H=5 B=given initial_h=given";

Trial trial_with(const char* law, const char* line = two_rows) {
  return make_trial("laws", 0, {"name", parse_case(line), law});
}

const engines::Probe honest = [](const Problem& problem) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = lab::mutants::run_without_fault(problem);
  return outcome;
};

Finding concluded(const Trial& trial, const engines::Probe& ask, const fuzz::ThreadedProbe& threaded = {}) {
  EngineUnderTest engine{"engine", "1", std::nullopt};
  engine.threaded = threaded;
  return conclude(trial, engine, {ask(questions_of(trial).front())}, ask);
}

TEST(LawTrial, AsksWhatTheLawAsksAndNoMore) {
  const Trial trial = trial_with("batch-permutation");
  ASSERT_EQ(trial.law_problems.size(), 2U);
  EXPECT_EQ(questions_of(trial), trial.law_problems);
  int calls = 0;
  const engines::Probe counting = [&](const Problem& problem) { return ++calls, honest(problem); };
  const Finding finding = concluded(trial, counting);
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(finding.pass);
  EXPECT_EQ(finding.law, "batch-permutation");
  EXPECT_EQ(finding.judgement.verdict, Verdict::Conforms);
}

TEST(LawTrial, ABreachDivergesAndNamesTheLaw) {
  const auto& mutant = *lab::mutants::mutant_named("rows-reversed-in-y");
  const Finding finding =
      concluded(trial_with("batch-split"), [&](const Problem& problem) { return outcome_of(problem, mutant); });
  EXPECT_FALSE(finding.pass);
  EXPECT_EQ(finding.judgement.verdict, Verdict::Diverges);
  EXPECT_EQ(kind_name(finding), "batch-split");
  EXPECT_NE(sentence_of(finding.judgement).find("a row computed alone"), std::string::npos)
      << sentence_of(finding.judgement);
}

/// The numbers of a double tensor, each as float has it.
Tensor through_float(Tensor tensor) {
  for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, static_cast<float>(tensor.value(k)));
  return tensor;
}

/// Laws take for honest what the judge does, if an engine declares its contract or is said to compute so.
TEST(LawTrial, HoldsWithinTheContractOfTheEngine) {
  const engines::Probe rounded = [](const Problem& problem) {
    Outcome outcome = honest(problem);
    for (auto& output : outcome.outputs) {
      if (output) output = through_float(*std::move(output));
    }
    // As long as it depends on where the row stands: the sums come in another order there.
    Tensor& Y = *outcome.outputs.at(0);
    for (std::size_t k = 0; k < 5; ++k) Y.set_value(k, std::nextafter(static_cast<float>(Y.value(k)), 2.0F));
    return outcome;
  };
  const Trial trial = trial_with("batch-permutation", "cellproof-case/1 op=GRU-22 type=double T=2 N=3 I=4 H=5");
  EngineUnderTest engine{"engine", "1", std::nullopt};
  EXPECT_EQ(conclude(trial, engine, {rounded(questions_of(trial).front())}, rounded).judgement.verdict,
            Verdict::Diverges);
  engine.declared = ContractId::F64ViaF32;
  EXPECT_EQ(conclude(trial, engine, {rounded(questions_of(trial).front())}, rounded).judgement.verdict,
            Verdict::Conforms);
}

TEST(LawTrial, ABreachBecomesSmallAndStaysTheSameBreach) {
  const auto& mutant = *lab::mutants::mutant_named("rows-reversed-in-y");
  const engines::Probe ask = [&](const Problem& problem) { return outcome_of(problem, mutant); };
  const Finding finding = concluded(trial_with("batch-split"), ask);
  const auto reduction = reduce(finding, {"engine", "1", std::nullopt}, ask, {});
  ASSERT_TRUE(reduction.has_value());
  const Case smallest = parse_case(reduction->case_line);
  EXPECT_LE(smallest.H * smallest.I * smallest.T, 2) << reduction->case_line;
  EXPECT_EQ(smallest.N, 2) << reduction->case_line;
  EXPECT_EQ(answer_to_law(fuzz::law_named("batch-split"), make_problem(smallest), ask, {}).judgement.verdict,
            Verdict::Diverges);
}

TEST(LawTrial, ARefusalIsAGapAndADeathIsNone) {
  const auto always = [](OutcomeKind kind) {
    return [kind](const Problem&) {
      Outcome outcome;
      outcome.kind = kind;
      return outcome;
    };
  };
  const Finding refused = concluded(trial_with("layout"), always(OutcomeKind::NotSupported));
  EXPECT_TRUE(refused.pass);
  EXPECT_EQ(refused.outcome, OutcomeKind::NotSupported);
  EXPECT_FALSE(refused.judgement.verdict.has_value());
  const Finding dead = concluded(trial_with("layout"), always(OutcomeKind::Crashed));
  EXPECT_FALSE(dead.pass);
  EXPECT_EQ(dead.outcome, OutcomeKind::Crashed);
}

TEST(LawTrial, ThatSaysNothingIsUndecided) {
  const Finding one_row =
      concluded(trial_with("batch-split", "cellproof-case/1 op=RNN-22 type=float T=1 N=1 I=1 H=1"), honest);
  EXPECT_EQ(one_row.judgement.verdict, Verdict::Undecided);
  EXPECT_EQ(concluded(trial_with("thread-counts"), honest).judgement.verdict, Verdict::Undecided);
  const auto threaded = [](const Problem& problem, int) { return honest(problem); };
  EXPECT_EQ(concluded(trial_with("thread-counts"), honest, threaded).judgement.verdict, Verdict::Conforms);
}

}  // namespace
}  // namespace cellproof::campaign
