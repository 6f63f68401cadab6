// Faults that exchange axes everywhere have one name, whichever axis is the longer one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/mutants/mutant_engine.hpp"
#include "lab/mutants/mutants.hpp"
#include "oracle/decide.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab::mutants {
namespace {

std::vector<std::string> named_of(const std::string& line, const char* mutant) {
  const Problem problem = make_problem(parse_case("cellproof-case/1 type=float I=3 H=4 B=given " + line));
  EXPECT_TRUE(applies(problem, *mutant_named(mutant))) << line;
  const Judgement judgement = oracle::decide(problem, {}, answers_of(problem, *mutant_named(mutant)));
  EXPECT_EQ(judgement.verdict, Verdict::Diverges) << line;
  return judgement.faults;
}

TEST(ExchangedAxes, OfTimeAndBatchAreNamed) {
  for (const char* node : {"op=LSTM-14", "op=GRU-14", "op=RNN-14", "op=LSTM-14 layout=1 direction=bidirectional"}) {
    for (const char* sizes : {"T=2 N=7", "T=7 N=2", "T=3 N=3"}) {
      EXPECT_THAT(named_of(fmt::format("{} {}", node, sizes), "batch-taken-for-time"),
                  ::testing::ElementsAre("batch-taken-for-time"))
          << node << ' ' << sizes;
    }
  }
}

TEST(ExchangedAxes, OfAllStatesHaveOneName) {
  for (const char* node : {"op=LSTM-14 initial_c=given", "op=GRU-14", "op=RNN-14"}) {
    for (const int rows : {2, 5}) {
      const std::string line = fmt::format("{} T=3 N={} layout=1 direction=bidirectional initial_h=given", node, rows);
      EXPECT_THAT(named_of(line, "layout-ignored-in-states-throughout"),
                  ::testing::ElementsAre("layout-ignored-in-states-throughout"))
          << line;
    }
  }
}

/// All shapes are other ones, or, with as many steps as directions and rows, the same.
TEST(ExchangedAxes, OfLayout1TakenFor0AreNamed) {
  for (const char* node : {"op=LSTM-14", "op=GRU-14 direction=reverse", "op=RNN-22 direction=bidirectional"}) {
    for (const char* rest : {"T=3 N=2", "T=2 N=1", "T=1 N=2", "T=4 N=4 sequence_lens=given",
                             "T=3 N=2 outputs=absent,Y_h", "T=3 N=2 dims=TN"}) {
      EXPECT_THAT(named_of(fmt::format("{} layout=1 {}", node, rest), "layout-1-taken-for-0"),
                  ::testing::ElementsAre("layout-1-taken-for-0"))
          << node << ' ' << rest;
    }
  }
  EXPECT_THAT(named_of("op=GRU-14 layout=1 direction=bidirectional T=2 N=2 initial_h=given", "layout-1-taken-for-0"),
              ::testing::Contains("layout-1-taken-for-0"));
}

/// An engine may ignore lengths of any operator once sizes are symbols.
TEST(Corners, OfSymbolicSizesAreOnesOfDynamicQuantizeLstm) {
  const Problem problem = make_problem(parse_case(
      "cellproof-case/1 op=DynamicQuantizeLSTM-1 type=float T=3 N=2 I=3 H=4 dims=TN sequence_lens=given,values:3/1"));
  const Mutant& mutant = *mutant_named("lengths-ignored@symbolic-sizes");
  EXPECT_TRUE(applies(problem, mutant));
  EXPECT_THAT(oracle::decide(problem, {}, answers_of(problem, mutant)).faults,
              ::testing::Contains("lengths-ignored@symbolic-sizes"));
}

/// An output of a wrong shape is no sign of a layout: the values decide.
TEST(ExchangedAxes, OfLayout1TakenFor0AreNoNameForOtherFaults) {
  const Problem problem = make_problem(parse_case("cellproof-case/1 op=GRU-14 type=float T=3 N=2 I=3 H=4 layout=1"));
  oracle::Answers answers = answers_of(problem, *mutant_named("layout-1-taken-for-0"));
  answers.outcome.outputs[output::Y]->set_value(0, 0.75);
  const Judgement judgement = oracle::decide(problem, {}, answers);
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_THAT(judgement.faults, ::testing::IsEmpty());
}

TEST(ExchangedAxes, OfLayout1TakenFor0ComeBeforeOtherFaults) {
  const Problem problem =
      make_problem(parse_case("cellproof-case/1 op=LSTM-14 type=float T=3 N=2 I=3 H=4 layout=1 P=given"));
  const Mutant* const layout = mutant_named("layout-1-taken-for-0");
  for (const char* other : {"peepholes-ignored", "y-h-is-zero", "layout-ignored-in-x", "previous-input"}) {
    const Mutant* const beside = mutant_named(other);
    for (const Composite& faults : {Composite{layout, beside}, Composite{beside, layout}}) {
      const Outputs outputs = run(problem, faults);
      const oracle::Observed seen(problem, outputs);
      const auto verdict_with = [&](std::vector<const oracle::Fault*> supposed) {
        oracle::Hypothesis hypothesis;
        hypothesis.faults = std::move(supposed);
        return oracle::evaluate(seen, hypothesis, oracle::Depth::Verdict).judgement.verdict;
      };
      const oracle::Fault* const first = oracle::fault_named(layout->id);
      const oracle::Fault* const second = oracle::fault_named(other);
      EXPECT_EQ(verdict_with({first, second}), Verdict::Conforms) << other;
      EXPECT_EQ(verdict_with({second, first}), Verdict::Conforms) << other;
      EXPECT_EQ(verdict_with({second}), Verdict::Diverges) << other;
    }
  }
}

}  // namespace
}  // namespace cellproof::lab::mutants
