#include <gtest/gtest.h>

#include <cmath>

#include "lab/accuracy/introduced_error.hpp"
#include "lab/accuracy/use_of_bounds.hpp"
#include "spec/case_text.hpp"
#include "spec/readings.hpp"

namespace cellproof::lab {
namespace {

TEST(BoundUse, CountsWhatIsBeyondAndFindsTheMiddle) {
  BoundUse use, more;
  use.add(0, 0);
  use.add(0.25, 1);
  more.add(0.5, 1);
  more.add(1.5, 1);
  more.add(1, 1);
  use.add(more);
  EXPECT_EQ(use.elements(), 5);
  EXPECT_EQ(use.exceeded(), 1);
  EXPECT_DOUBLE_EQ(use.worst(), 1.5);
  EXPECT_NEAR(use.median(), 0.5, 0.001);
  EXPECT_EQ(BoundUse().median(), 0.0005) << "nothing was added: no worst, either";
}

TEST(IntroducedErrors, AreTheWorkedNumbersOfTheChapters) {
  const auto error_of = [](const std::string& line) {
    const Problem problem = make_problem(parse_case(line));
    const auto cell = oracle::cell_of(problem, Readings{}, 0);
    const double x = 1, h = 0.5, c = 0.25;
    return introduced_error(cell, oracle::arithmetic_of(ContractId::F32, ElementType::Float), &x, &h, &c);
  };
  const std::string sizes = " type=float T=1 N=1 I=1 H=1 W=given,hex:", half = "0000003f", quarter = "0000803e";
  const auto in_u = [](double error) { return error * 0x1p24; };
  const auto rnn = error_of("cellproof-case/1 op=RNN-22" + sizes + half + " R=given,hex:" + quarter);
  EXPECT_NEAR(in_u(rnn.H.at(0)), 12.02, 0.005) << "docs/accuracy/rnn.md";
  const auto gru = error_of("cellproof-case/1 op=GRU-22" + sizes + half + half + half + " R=given,hex:" + quarter +
                            quarter + quarter);
  EXPECT_NEAR(in_u(gru.H.at(0)), 7.49, 0.005) << "docs/accuracy/gru.md";
  const auto lstm = error_of("cellproof-case/1 op=LSTM-22" + sizes + half + half + half + half +
                             " R=given,hex:" + quarter + quarter + quarter + quarter);
  EXPECT_NEAR(in_u(lstm.H.at(0)), 19.02, 0.005) << "docs/accuracy/lstm.md";
  EXPECT_NEAR(in_u(lstm.C.at(0)), 17.25, 0.005) << "docs/accuracy/lstm.md";
}

TEST(HonestSteps, NeverExceedABoundAndUseIt) {
  for (const StepRow& row : measure_steps(16'000, 2, 3)) {
    EXPECT_GT(row.steps, 0) << row.output << row.most_terms;
    for (const BoundUse& use : row.use) {
      EXPECT_EQ(use.exceeded(), 0) << row.output << row.most_terms;
      EXPECT_GT(use.worst(), 0.05) << row.output << row.most_terms;
    }
    EXPECT_LT(row.widest_certified, 1.1) << "the chapters and the judge differ: " << row.output << row.most_terms;
  }
}

TEST(HonestSteps, AreTheSameWithAnyNumberOfThreads) {
  const auto one = measure_steps(2'000, 1, 5), two = measure_steps(2'000, 2, 5);
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].use[0].worst(), two[k].use[0].worst());
    EXPECT_EQ(one[k].steps, two[k].steps);
  }
}

}  // namespace
}  // namespace cellproof::lab
