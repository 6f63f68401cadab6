// More combinations of readings than can be tried: what outputs exclude is left out, and nothing else.
#include "oracle/combinations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "oracle/contract.hpp"
#include "oracle/decide.hpp"
#include "oracle/reading_choices.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/value_type.hpp"
#include "oracle/weigh.hpp"
#include "reference/reference.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

constexpr std::size_t too_many = 256;

/// One zero point for each column, where a runtime may take the first for all.
void give_column_zero_points(Case& c) {
  for (const std::size_t position : {input::W_zero_point, input::R_zero_point}) {
    c.inputs[position].shape = Shape{2, 4 * c.H};
    c.inputs[position].values = Generated{.regime = Regime::Special, .seed = std::nullopt};
  }
}

/// Rows that end early and one that never starts, in both directions.
Problem ragged_quantized() {
  return testing::some_problem(Operator::DynamicQuantizeLSTM, ElementType::Float, [](Case& c) {
    c.attributes.direction = "bidirectional";
    c.attributes.clip = 0.5F;
    c.attributes.input_forget = 1;
    testing::give_lengths(c, {5, 0, 2});
    give_column_zero_points(c);
  });
}

Problem ragged_lstm() {
  return testing::some_problem(Operator::LSTM, ElementType::Double, [](Case& c) {
    c.attributes.direction = "bidirectional";
    c.attributes.clip = 0.5F;
    c.attributes.input_forget = 1;
    c.attributes.activations = {"Affine", "ThresholdedRelu", "HardSigmoid", "LeakyRelu", "ScaledTanh", "Tanh"};
    c.attributes.activation_alpha = {0.5F, 0.25F};
    testing::give_lengths(c, {5, 0, 2});
  });
}

std::vector<Readings> every_combination(const Problem& problem) {
  std::vector<Readings> all{Readings{}};
  for (const Clause clause : open_clauses(problem)) {
    const std::size_t before = all.size();
    for (const std::string_view value : other_values(info(clause))) {
      for (std::size_t k = 0; k < before; ++k) all.push_back(all[k].with(clause, value));
    }
  }
  return all;
}

std::vector<Readings> drawn(const Problem& problem, std::size_t count, std::uint64_t seed) {
  std::vector<Readings> all = every_combination(problem), some;
  std::mt19937_64 dice(seed);
  std::ranges::sample(all, std::back_inserter(some), static_cast<std::ptrdiff_t>(count), dice);
  return some;
}

Outcome computed(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

/// The gates' weights in another order than the page has.
Problem with_gates_exchanged(Problem problem) {
  Tensor& R = *problem.inputs[input::R].tensor;
  const Dimensions size = dimensions_of(problem);
  const bool by_column = is_quantised(problem.version.op);
  for (std::int64_t d = 0; d < size.D; ++d) {
    for (std::int64_t j = 0; j < size.H; ++j) {
      for (std::int64_t k = 0; k < size.H; ++k) {
        const auto place = [&](std::int64_t gate) {
          const std::int64_t row = gate * size.H + j;
          return by_column ? R.offset({d, k, row}) : R.offset({d, row, k});
        };
        const double input_gate = R.value(place(0));
        R.set_value(place(0), R.value(place(3)));
        R.set_value(place(3), input_gate);
      }
    }
  }
  return problem;
}

struct Kind {
  const char* name;
  Problem (*problem)();
};

class ManyCombinations : public ::testing::TestWithParam<Kind> {};

TEST_P(ManyCombinations, AreMoreThanAreTried) {
  EXPECT_GT(every_combination(GetParam().problem()).size(), too_many);
}

TEST_P(ManyCombinations, AreLeftOutOnlyWhereTheOutputsExcludeThem) {
  const Problem problem = GetParam().problem();
  const ElementType type = value_type(problem);
  const ContractId contract = default_contract(type);
  const std::vector<Readings> all = every_combination(problem);
  for (const Readings& read : drawn(problem, 4, 1)) {
    const Outputs outputs = reference::run(problem, read, 2);
    const Observed seen(problem, outputs);
    Evaluator evaluator(seen);
    const auto limits = [&](const Readings&) { return Hypothesis{{}, contract, {}, arithmetic_of(contract, type)}; };
    Combinations combinations(seen, evaluator, limits, Depth::Excluded);
    std::size_t looks = 0;
    while (combinations.advance()) ++looks;
    EXPECT_EQ(combinations.count_open(), 0U);
    EXPECT_LT(looks, all.size() / 2);
    const std::vector<Readings>& left = combinations.left();
    EXPECT_NE(std::ranges::find(left, read), left.end());
    for (const Readings& readings : all) {
      const bool excluded = evaluate(seen, {readings, contract}, Depth::Excluded).excluded();
      EXPECT_EQ(std::ranges::find(left, readings) == left.end(), excluded);
    }
  }
}

TEST_P(ManyCombinations, OfAnHonestEngineAreNeverAccused) {
  const Problem problem = GetParam().problem();
  for (const Readings& read : drawn(problem, 24, 2)) {
    const Judgement judgement = decide(problem, {}, {computed(reference::run(problem, read, 2))});
    const bool explained = judgement.verdict == Verdict::Reading || judgement.verdict == Verdict::Conforms;
    EXPECT_TRUE(explained) << sentence_of(judgement);
  }
}

TEST_P(ManyCombinations, AreWeighedForTheFingerprint) {
  const Problem problem = GetParam().problem();
  for (const Readings& read : drawn(problem, 4, 3)) {
    const Outputs outputs = reference::run(problem, read, 2);
    const std::vector<Evidence> weighed = weigh(Observed(problem, outputs), {});
    EXPECT_FALSE(weighed.empty());
    std::size_t excluded = 0;
    for (const Evidence& evidence : weighed) {
      const auto answer = answer_named(evidence.clause, read.of(evidence.clause));
      EXPECT_TRUE(answer && std::ranges::count(evidence.fits, *answer) > 0) << info(evidence.clause).id;
      excluded += evidence.excludes.size();
    }
    EXPECT_GT(excluded, 0U);
  }
}

TEST_P(ManyCombinations, AreAllExcludedByAFault) {
  const Problem problem = GetParam().problem();
  const Outputs outputs = reference::run(with_gates_exchanged(problem), {}, 2);
  const Judgement judgement = decide(problem, {}, {computed(outputs)});
  EXPECT_EQ(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
  EXPECT_EQ(search(Observed(problem, outputs), {}, {}, Depth::Verdict).verdict, Verdict::Diverges);
}

INSTANTIATE_TEST_SUITE_P(Ragged, ManyCombinations,
                         ::testing::Values(Kind{"DynamicQuantizeLSTM", ragged_quantized}, Kind{"LSTM", ragged_lstm}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cellproof::oracle
