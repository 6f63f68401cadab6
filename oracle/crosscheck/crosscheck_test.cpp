// Judge and reference are two transcriptions of one specification; where they agree over everything that can be written
// in a node, neither has a slip of its own.
#include "oracle/crosscheck/crosscheck.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/judging.hpp"
#include "reference/reference.hpp"
#include "reference/testing/cases.hpp"
#include "spec/case_text.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;

class Crosscheck : public ::testing::TestWithParam<OperatorVersion> {};

TEST_P(Crosscheck, AgreesOnRandomCasesOfEveryTypeAndRegime) {
  constexpr std::uint64_t cases = 150;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    Case c = reference::testing::random_case(GetParam(), seed + 900'000);
    const auto regimes = all_regimes();
    if (seed % 2 == 1) c.regime = regimes[(seed / 2) % regimes.size()];
    const Problem problem = make_problem(c);
    const auto disagreement = crosscheck(problem, {Readings{}, default_contract(c.type)});
    EXPECT_EQ(disagreement, std::nullopt) << to_text(c);
    if (HasFailure()) return;
  }
}

TEST(CrosscheckOfSpecialValues, AgreesOnANanBehindStatesOfWhichNoDigitIsLeft) {
  const Case c = parse_case(
      "cellproof-case/1 op=LSTM-22 type=float T=33 N=9 I=4 H=7 seed=525 regime=special activations=Sigmoid,Tanh,Tanh "
      "input_forget=1 X=given,initializer B=given,graph sequence_lens=given initial_c=given P=given outputs=Y,Y_h");
  EXPECT_EQ(crosscheck(make_problem(c), {Readings{}, ContractId::F32}), std::nullopt);
}

TEST(CrosscheckOfQuantisation, AgreesUnderEveryReadingThatTheReferenceComputes) {
  const std::vector<Readings> readings = {
      Readings{}.with(Clause::DqGranularity, "block-chunked"), Readings{}.with(Clause::DqGranularity, "per-step"),
      Readings{}.with(Clause::DqGranularity, "none"),          Readings{}.with(Clause::DqFinishedRows, "excluded"),
      Readings{}.with(Clause::DqFinishedRows, "zero"),         Readings{}.with(Clause::DqFinishedRows, "last-state"),
      Readings{}.with(Clause::DqZeroPoint, "first-element")};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Case c = reference::testing::random_case({Operator::DynamicQuantizeLSTM, 1}, seed);
    const Problem problem = make_problem(c);
    for (const Readings& choice : readings) {
      const auto disagreement = crosscheck(problem, {choice, ContractId::F32});
      EXPECT_EQ(disagreement, std::nullopt) << choice.differences().front() << ": " << to_text(c);
    }
  }
}

TEST(CrosscheckOfQuantisation, LeavesFewOfTheReferencesOutputsUndecided) {
  int undecided = 0, cases = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Case c = reference::testing::random_case({Operator::DynamicQuantizeLSTM, 1}, seed);
    if (c.regime == Regime::Subnormal) continue;
    const Problem problem = make_problem(c);
    const Judgement judgement = judge(problem, reference::run(problem), {});
    EXPECT_TRUE(judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Undecided) << to_text(c);
    undecided += judgement.verdict == Verdict::Undecided ? 1 : 0;
    ++cases;
  }
  EXPECT_LE(50 * undecided, cases);
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, Crosscheck,
                         ::testing::ValuesIn(all_operator_versions().begin(), all_operator_versions().end()),
                         [](const auto& parameter) {
                           return std::string(name(parameter.param.op)) + "_" +
                                  std::to_string(parameter.param.since_version);
                         });

}  // namespace
}  // namespace cellproof::oracle
