// Nodes with a million weights and more, as real models have them: the faults of engines are named there, too.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab::mutants {
namespace {

void expect_named(const char* line, const char* fault) {
  const Problem problem = make_problem(parse_case(line));
  const Judgement judgement = oracle::decide(problem, {}, answers_of(problem, *mutant_named(fault)));
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_EQ(judgement.faults, std::vector<std::string>{fault}) << line << ": " << sentence_of(judgement);
}

TEST(LargeNode, OfAMillionWeightsHasItsFaultNamed) {
  expect_named("cellproof-case/1 op=LSTM-14 T=6 N=1 I=256 H=384 clip=0.5 B=given", "clip-ignored");
  expect_named("cellproof-case/1 op=RNN-14 T=4 N=2 I=512 H=640 B=given", "rb-doubled");
}

TEST(LargeNode, OfFourMillionWeightsHasItsFaultNamed) {
  expect_named("cellproof-case/1 op=LSTM-14 T=40 N=1 I=1024 H=640 B=given", "gate-order-ifco");
}

TEST(LargeNode, OfFourMillionWeightsHasItsFaultNamedWhereItShowsLate) {
  expect_named("cellproof-case/1 op=LSTM-14 T=40 N=1 I=1024 H=640 B=given", "state-reset-every-4");
}

/// The right fault is looked at with all units, though another one was excluded by one of them.
TEST(OneUnit, ExcludesNoFaultThatMixesUnits) {
  for (const char* op : {"LSTM-14", "GRU-14", "RNN-14"}) {
    const std::string line = std::string("cellproof-case/1 op=") + op +
                             " T=5 N=3 I=4 H=6 direction=reverse B=given sequence_lens=given,values:5/3/2";
    expect_named(line.c_str(), "reverse-starts-in-padding");
  }
  expect_named("cellproof-case/1 op=LSTM-14 T=4 N=3 I=4 H=6 B=given", "state-leaks-to-next-sequence");
}

TEST(LargeNode, OfAMillionCodesHasItsFaultNamed) {
  expect_named(
      "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=40 N=2 I=512 H=256 direction=bidirectional weight_type=int8 "
      "regime=saturating",
      "pairs-saturate-in-16-bits");
}

}  // namespace
}  // namespace cellproof::lab::mutants
