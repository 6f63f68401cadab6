#include "fuzz/law.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/law_case.hpp"
#include "fuzz/testing/recipe_generator.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

using Kind = LawResult::Kind;
using testing::EndsWith;

Outcome outcome_of(OutcomeKind kind, Outputs outputs = {}) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.outputs = std::move(outputs);
  return outcome;
}

engines::Probe honest() {
  return [](const Problem& problem) { return outcome_of(OutcomeKind::Ran, lab::mutants::run_without_fault(problem)); };
}

/// As an honest engine computes with any number of threads.
LawResult honestly(const Law& law, const Problem& problem) {
  return try_law(law, problem, honest(), [](const Problem& each, int) { return honest()(each); });
}

/// Problems to which the law applies, the first of the endless sequence.
std::vector<Problem> problems_for(const Law& law, std::size_t count) {
  std::vector<Problem> problems;
  for (std::uint64_t index = 0; problems.size() < count && index < 3000; ++index) {
    Problem problem = make_problem(case_of(drawn_recipe(7, index)));
    if (problem.version.op == Operator::DynamicQuantizeLSTM && !law.also_quantised) continue;
    if (law.experiment(problem) && honestly(law, problem).kind == Kind::Holds) problems.push_back(std::move(problem));
  }
  return problems;
}

TEST(Laws, AreAtLeastTwentyFiveWithIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Law& law : laws()) {
    EXPECT_TRUE(ids.insert(law.id).second) << law.id;
    EXPECT_FALSE(law.what.empty());
    EXPECT_EQ(&law_named(law.id), &law);
  }
  EXPECT_GE(ids.size(), 25U);
  EXPECT_THROW(law_named("layuot"), std::invalid_argument);
}

/// Whatever the case: the honest implementation keeps every law, and the problems of each experiment are valid.
RC_GTEST_PROP(Laws, HoldForAnHonestImplementation, (const CaseRecipe& recipe)) {
  const Case c = case_of(recipe);
  RC_LOG() << to_text(c) << "\n";
  const Problem problem = make_problem(c);
  RC_ASSERT(expectation_of(problem).violations.empty());
  for (const Law& law : laws()) {
    const LawResult result = honestly(law, problem);
    RC_LOG() << law.id << ": " << result.message << "\n";
    RC_ASSERT(result.kind == Kind::Holds || result.kind == Kind::NotApplicable);
    if (result.kind == Kind::NotApplicable) continue;
    const auto experiment = law.experiment(problem);
    for (const Problem& each : experiment->problems) RC_ASSERT(expectation_of(each).violations.empty());
  }
}

TEST(Laws, TellARefusalFromADeathAndFromABreach) {
  const Law& law = law_named("repeated-run");
  const Problem problem = problems_for(law, 1).at(0);
  const auto always = [](OutcomeKind kind) { return [kind](const Problem&) { return outcome_of(kind); }; };
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::NotSupported)).kind, Kind::Refused);
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::Rejected)).kind, Kind::Refused);
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::Crashed)).kind, Kind::Died);
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::Ran)).kind, Kind::Broken);  // with nothing to show
}

TEST(Laws, OfThreadCountsSayNothingOfAnEngineThatCannotBeTold) {
  const Law& law = law_named("thread-counts");
  const Problem problem = problems_for(law, 1).at(0);
  EXPECT_EQ(try_law(law, problem, honest()).kind, Kind::NotApplicable);
  EXPECT_EQ(honestly(law, problem).kind, Kind::Holds);
  // One that computes otherwise with several threads.
  const auto threaded = [](const Problem& each, int threads) {
    Outcome outcome = honest()(each);
    for (auto& output : outcome.outputs) {
      if (output && threads > 1) output->set_value(output->size() - 1, 2);
    }
    return outcome;
  };
  EXPECT_EQ(try_law(law, problem, honest(), threaded).kind, Kind::Broken);
}

TEST(Laws, ANaNNeverEqualsANumber) {
  const Law& law = law_named("zero-bias");
  const auto poisoned = [](const Problem& problem) {
    Outcome outcome = outcome_of(OutcomeKind::Ran, lab::mutants::run_without_fault(problem));
    if (problem.input(input::B) == nullptr && outcome.outputs[0])
      outcome.outputs[0]->set_value(0, -std::numeric_limits<double>::quiet_NaN());
    return outcome;
  };
  std::size_t broken = 0;
  for (const Problem& problem : problems_for(law, 5)) {
    const LawResult result = try_law(law, problem, poisoned);
    if (result.kind != Kind::Broken) continue;
    ++broken;
    EXPECT_THAT(result.message, EndsWith(" and nan, honest runs give numbers here")) << "the sign says nothing";
    EXPECT_FALSE(result.agree_on_nan);
  }
  EXPECT_GT(broken, 0U);
}

TEST(Laws, SayWhereAllRunsGiveNaN) {
  const Law& law = law_named("zero-bias");
  const auto nothing_else = [](const Problem& problem) {
    Outcome outcome = outcome_of(OutcomeKind::Ran, lab::mutants::run_without_fault(problem));
    for (auto& output : outcome.outputs) {
      for (std::size_t i = 0; output && i < output->size(); ++i)
        output->set_value(i, std::numeric_limits<double>::quiet_NaN());
    }
    return outcome;
  };
  std::size_t broken = 0;
  for (const Problem& problem : problems_for(law, 5)) {
    const LawResult result = try_law(law, problem, nothing_else);
    if (result.kind != Kind::Broken) continue;
    ++broken;
    EXPECT_TRUE(result.agree_on_nan);
  }
  EXPECT_GT(broken, 0U);
}

/// An engine that repeats a run with one element changed by `change`.
LawResult repeated_with(const std::function<void(Tensor&)>& change) {
  const Problem problem = make_problem(parse_case("cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=2"));
  std::size_t calls = 0;
  return try_law(law_named("repeated-run"), problem, [&](const Problem& each) {
    Outcome outcome = honest()(each);
    Tensor& first = *outcome.outputs.at(0);
    for (std::size_t k = 0; k < first.size(); ++k) first.set_value(k, 1);
    if (calls++ > 0) change(first);
    return outcome;
  });
}

/// In the law's words two values that differ must differ for the reader, too.
TEST(Laws, SayHowBitsDifferWhereValuesReadAlike) {
  EXPECT_EQ(repeated_with([](Tensor&) {}).kind, Kind::Holds);
  const auto said = [](const std::function<void(Tensor&)>& change) { return repeated_with(change).message; };
  EXPECT_THAT(said([](Tensor& y) { y.set_value(1, 1 + 0x1p-23); }),
              EndsWith(": 1 and 1.0000001, in two runs of the same problem"));
  EXPECT_THAT(said([](Tensor& y) { y = Tensor(y.type(), y.shape()), y.set_value(0, -0.0); }),
              EndsWith(": 1 and -0, in two runs of the same problem"));
  EXPECT_THAT(said([](Tensor& y) {
                y = Tensor::from_values(ElementType::Double, y.shape(), std::vector<double>(y.size(), 1));
              }),
              EndsWith(": an output is double, it must be float"));

  const Problem problem = make_problem(parse_case("cellproof-case/1 op=RNN-14 type=float16 T=1 N=1 I=1 H=1"));
  unsigned calls = 0;
  const LawResult nans = try_law(law_named("repeated-run"), problem, [&](const Problem& each) {
    Outcome outcome = honest()(each);
    Tensor& first = *outcome.outputs.at(0);
    first.set_value(0, std::numeric_limits<double>::quiet_NaN());
    first.bytes()[0] = static_cast<std::byte>(++calls);
    return outcome;
  });
  EXPECT_THAT(nans.message, EndsWith(": nan (bits 0x7e01) and nan (bits 0x7e02), in two runs of the same problem"));
}

/// An engine that computes a row alone otherwise than among others: `change` is for an element.
LawResult split_by(const char* line, const Declared& declared, const std::function<void(Tensor&)>& change) {
  const Problem problem = make_problem(parse_case(line));
  return try_law(
      law_named("batch-split"), problem,
      [&](const Problem& each) {
        Outcome outcome = honest()(each);
        if (dimensions_of(each).N == 1) change(*outcome.outputs.at(0));
        return outcome;
      },
      {}, declared);
}

TEST(Laws, CompareBitsWhereAnEnginePromisesThem) {
  constexpr const char* constant = "cellproof-case/1 op=RNN-14 type=float T=1 N=2 I=1 H=2";
  constexpr const char* of_the_run = "cellproof-case/1 op=RNN-14 type=float T=1 N=2 I=1 H=2 W=given,graph";
  const auto nothing = [](Tensor&) {};
  const auto one_ulp = [](Tensor& y) { y.set_value(0, std::nextafter(static_cast<float>(y.value(0)), 2.0F)); };
  const Declared promise{std::nullopt, true};
  EXPECT_EQ(split_by(constant, {}, one_ulp).kind, Kind::Holds);
  EXPECT_EQ(split_by(constant, promise, nothing).kind, Kind::Holds);
  EXPECT_EQ(split_by(of_the_run, promise, one_ulp).kind, Kind::Holds);
  const LawResult broken = split_by(constant, promise, one_ulp);
  EXPECT_EQ(broken.kind, Kind::Broken);
  EXPECT_THAT(broken.message, EndsWith(", where the engine promises the same bits"));
}

TEST(Laws, HoldWhereTheTypesSmallestNumberIsAllTheTolerance) {
  const Case zeros = parse_case(
      "cellproof-case/1 op=LSTM-1 type=double T=1 N=1 I=1 H=1 seed=65936 regime=zero "
      "activations=Sigmoid,Tanh,Tanh,Elu,Tanh,Tanh direction=bidirectional output_sequence=1");
  EXPECT_EQ(honestly(law_named("backward-half"), make_problem(zeros)).kind, Kind::Holds);
}

/// Gates without limits: cells of 1e38.
TEST(Laws, HoldWhereNumbersAreNearlyInfinite) {
  const Problem problem = make_problem(
      parse_case("cellproof-case/1 op=LSTM-7 type=float T=8 N=8 I=3 H=4 seed=1 activations=Affine,Tanh,Tanh "
                 "initial_h=given,initializer P=given"));
  EXPECT_EQ(honestly(law_named("batch-permutation"), problem).kind, Kind::Holds);
}

TEST(Laws, HoldWhereHonestRunsAreADoublesSmallestNumberApart) {
  const Problem problem = make_problem(parse_case(
      "cellproof-case/1 op=GRU-1 type=double T=3 N=2 I=3 H=4 regime=zero activations=Sigmoid,Relu output_sequence=1"));
  EXPECT_EQ(honestly(law_named("batch-permutation"), problem).kind, Kind::Holds);
}

TEST(LawRecipe, IsDrawnFromTheSeedAlone) {
  EXPECT_EQ(drawn_recipe(3, 5), drawn_recipe(3, 5));
  EXPECT_NE(drawn_recipe(3, 5), drawn_recipe(4, 5));
}

}  // namespace
}  // namespace cellproof::fuzz
