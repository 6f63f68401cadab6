#include "lab/mutation/mutation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutants/mutants.hpp"
#include "lab/mutation/attribution.hpp"
#include "oracle/contracts_tried.hpp"
#include "oracle/decide.hpp"
#include "oracle/evaluate.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab {
namespace {

using oracle::Fault;

const std::vector<corpus::SuiteCase>& smoke() {
  static const std::vector<corpus::SuiteCase> cases = corpus::load_suite("smoke").cases;
  return cases;
}

TEST(Faults, CanBeLookedUp) {
  for (const Fault& fault : oracle::faults()) {
    EXPECT_EQ(oracle::fault_named(fault.id), &fault);
    EXPECT_TRUE(fault.base.empty() || oracle::fault_named(fault.base) != nullptr) << fault.id;
  }
  EXPECT_EQ(oracle::fault_named("no-such-fault"), nullptr);
}

TEST(Faults, ExplainWhatTheirMutantsDoWhereverThatDiverges) {
  constexpr int enough = 4;
  for (const Fault& fault : oracle::faults()) {
    const mutants::Mutant& mutant = *mutants::mutant_named(fault.id);
    int diverging = 0;
    for (const corpus::SuiteCase& made : smoke()) {
      if (diverging == enough) break;
      const Problem problem = make_problem(made.c);
      if (!mutants::is_for_mutants(problem) || !mutants::applies(problem, mutant)) continue;
      EXPECT_TRUE(fault.applies(problem)) << fault.id << " on " << made.name;
      const auto outputs = mutants::run(problem, mutant);
      oracle::Hypothesis hypothesis{Readings{}, oracle::base_contract(problem, std::nullopt)};
      const oracle::Observed seen(problem, outputs);
      if (!oracle::evaluate(seen, hypothesis, oracle::Depth::Verdict).excluded()) continue;
      ++diverging;
      hypothesis.faults = {&fault};
      const Judgement through = oracle::evaluate(seen, hypothesis, oracle::Depth::Described).judgement;
      EXPECT_EQ(through.verdict, Verdict::Conforms) << fault.id << ": " << sentence_of(through) << "\n"
                                                    << to_text(made.c);
    }
    EXPECT_GE(diverging, 1) << fault.id;
  }
}

TEST(Smoke, LeavesAtMostFiveMutantsAlive) {
  const MutationScore score = score_mutants(smoke());
  std::vector<std::string> survivors;
  for (const MutantScore* row : score.survivors()) survivors.push_back(row->id + " in " + std::string(name(row->op)));
  EXPECT_LE(survivors.size(), 5U) << testing::PrintToString(survivors);
  const MutationShare all = score.of(std::nullopt, std::nullopt);
  EXPECT_EQ(all.counted - all.killed, static_cast<std::int64_t>(survivors.size()));
  EXPECT_GE(all.counted, 600);
  EXPECT_LE(score.of(Operator::LSTM, std::nullopt).counted, all.counted);
}

TEST(Smoke, KillsAreRealDivergences) {
  const MutationScore score = score_mutants({smoke().begin(), smoke().begin() + 40});
  for (const MutantScore& row : score.rows) {
    if (!row.killed() || row.cls == oracle::FaultClass::Precision) continue;
    const auto made = std::ranges::find(smoke(), row.kills.front(), &corpus::SuiteCase::name);
    const mutants::Mutant& mutant = *mutants::mutant_named(row.id);
    const Problem problem = make_problem(made->c);
    EXPECT_EQ(oracle::decide(problem, {}, answers_of(problem, mutant)).verdict, Verdict::Diverges)
        << row.id << " on " << row.kills.front();
    EXPECT_TRUE(killers_of({&row}, {*made}).front().has_value());
  }
}

TEST(Mutation, ASuiteWithoutDataForItKillsNothing) {
  const std::vector<corpus::SuiteCase> none;
  const MutationScore score = score_mutants(none);
  EXPECT_EQ(score.of(std::nullopt, std::nullopt).killed, 0);
  EXPECT_EQ(score.survivors().size(), score.rows.size());
}

TEST(Attribution, OfMutantsNamesTheRightFaultAndTheRightAxes) {
  const std::vector<MutantAttribution> list = attribute_mutants(smoke());
  ASSERT_GE(list.size(), 600U);
  const auto share = [&](bool MutantAttribution::*which) {
    return static_cast<double>(std::ranges::count_if(list, which)) / static_cast<double>(list.size());
  };
  EXPECT_GE(share(&MutantAttribution::is_named), 0.98);
  EXPECT_GE(share(&MutantAttribution::is_attributed), 0.95);
}

TEST(Attribution, IsAsDeclaredWithAllDeclaredAxesAndNoOther) {
  const AxisValues nothing, clip{{"clip", "biting"}}, alpha{{"activation.g", "Elu"}, {"alpha", "given"}};
  EXPECT_TRUE(is_as_declared("-", nothing));
  EXPECT_FALSE(is_as_declared("-", clip));
  EXPECT_TRUE(is_as_declared("clip", clip));
  EXPECT_FALSE(is_as_declared("clip", nothing));
  EXPECT_FALSE(is_as_declared("clip type", clip));
  EXPECT_TRUE(is_as_declared("type|clip", clip));
  EXPECT_TRUE(is_as_declared("alpha activation beta?", alpha));
  EXPECT_FALSE(is_as_declared("alpha", alpha));
  EXPECT_TRUE(is_as_declared("activation", {{"direction", "bidirectional"}, {"activation.f.backward", "Elu"}}));
  EXPECT_FALSE(is_as_declared("activation", {{"direction", "bidirectional"}, {"activation.f", "Elu"}}));
}

}  // namespace
}  // namespace cellproof::lab
