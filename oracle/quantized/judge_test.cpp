// DynamicQuantizeLSTM from outside: honest kernels pass, other readings are recognised by name, faults are found.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "oracle/decide.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/evaluation.hpp"
#include "oracle/quantized/testing/cases.hpp"
#include "oracle/quantized/testing/kernel.hpp"
#include "oracle/run_evaluation.hpp"
#include "oracle/testing/judging.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::KernelStyle;
using testing::rich_problem;
using testing::run_kernel;

using Change = std::function<void(KernelStyle&)>;

KernelStyle style(const Change& change) {
  KernelStyle s;
  change(s);
  return s;
}

Judgement decided(const Problem& problem, const KernelStyle& kernel, const Readings& readings = {}) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = run_kernel(problem, kernel);
  return decide(problem, expectation_of(problem), {outcome}, {std::nullopt, readings});
}

struct Named {
  const char* name;
  Change change;
};
void PrintTo(const Named& n, std::ostream* out) {
  *out << n.name;
}

class HonestKernel : public ::testing::TestWithParam<Named> {};

TEST_P(HonestKernel, IsNeverAccused) {
  const KernelStyle kernel = style(GetParam().change);
  int undecided = 0;
  constexpr int cases = 400;
  for (int seed = 0; seed < cases; ++seed) {
    const Case c = testing::drawn_case(static_cast<std::uint64_t>(seed));
    const Problem problem = make_problem(c);
    const Judgement judgement = judge(problem, run_kernel(problem, kernel), {});
    EXPECT_TRUE(judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Undecided)
        << "seed " << seed << ": " << sentence_of(judgement);
    // Among subnormal numbers the absolute error that is granted to functions says too little.
    if (judgement.verdict == Verdict::Undecided && c.regime != Regime::Subnormal) ++undecided;
  }
  EXPECT_LE(undecided, cases / 50);
}

INSTANTIATE_TEST_SUITE_P(
    Styles, HonestKernel,
    ::testing::Values(Named{"plain", [](KernelStyle&) {}},
                      Named{"reciprocal", [](KernelStyle& s) { s.multiplies_by_reciprocal = true; }},
                      Named{"one_over_255", [](KernelStyle& s) { s.multiplies_by_1_over_255 = true; }},
                      Named{"zero_point_first", [](KernelStyle& s) { s.adds_zero_point_first = true; }},
                      Named{"fused", [](KernelStyle& s) { s.fuses = true; }},
                      Named{"biases_first", [](KernelStyle& s) { s.biases_first = true; }},
                      Named{"scale_after_scale", [](KernelStyle& s) { s.scales_one_after_the_other = true; }},
                      Named{"all_of_it",
                            [](KernelStyle& s) {
                              s.multiplies_by_reciprocal = s.multiplies_by_1_over_255 = s.fuses = s.biases_first = true;
                            }}),
    [](const auto& p) { return std::string(p.param.name); });

struct NamedReading {
  const char* id;
  Change kernel;
  std::function<void(Case&)> problem;
};
void PrintTo(const NamedReading& n, std::ostream* out) {
  *out << n.id;
}

/// A large cell makes the last H of the sequence that ends first the largest of its step.
void first_sequence_ends_with_the_extreme(Case& c) {
  testing::give_lengths_of(c, {1, 5, 5, 5});
  std::vector<double> cells(2 * 4 * 6, 0.1);
  for (std::size_t j = 0; j < 6; ++j) cells[j] = cells[4 * 6 + j] = 20;
  c.inputs[input::initial_c].values = Tensor::from_values(ElementType::Float, {2, 4, 6}, cells);
}

class OtherReading : public ::testing::TestWithParam<NamedReading> {};

TEST_P(OtherReading, IsRecognisedByName) {
  const Problem problem = rich_problem(GetParam().problem);
  const Judgement judgement = decided(problem, style(GetParam().kernel));
  EXPECT_EQ(judgement.verdict, Verdict::Reading) << sentence_of(judgement);
  EXPECT_EQ(judgement.readings.differences(), std::vector<std::string>{GetParam().id});
}

INSTANTIATE_TEST_SUITE_P(
    All, OtherReading,
    ::testing::Values(
        NamedReading{"dq-granularity=block-chunked", [](KernelStyle& s) { s.chunk = 2; }, {}},
        NamedReading{"dq-granularity=block-chunked", [](KernelStyle& s) { s.chunk = 1; }, {}},
        NamedReading{"dq-granularity=per-step", [](KernelStyle& s) { s.X_per_step = true; }, {}},
        NamedReading{"dq-granularity=none", [](KernelStyle& s) { s.quantises_X = s.quantises_H = false; }, {}},
        NamedReading{"dq-finished-rows=excluded", [](KernelStyle& s) { s.finished_rows_are_left_out = true; },
                     first_sequence_ends_with_the_extreme},
        NamedReading{"dq-finished-rows=last-state", [](KernelStyle& s) { s.finished_rows_count_on = true; },
                     [](Case& c) {
                       testing::give_lengths_of(c, {1, 5, 5, 5});
                     }},
        NamedReading{"dq-zero-point=first-element", [](KernelStyle& s) { s.first_zero_point_only = true; },
                     testing::give_column_zero_points}));

class Fault : public ::testing::TestWithParam<Named> {};

TEST_P(Fault, Diverges) {
  const Change& change = GetParam().change;
  for (const ElementType type : {ElementType::UInt8, ElementType::Int8}) {
    const Problem problem = rich_problem([&](Case& c) {
      c.weight_type = type;
      testing::give_column_zero_points(c);
    });
    const Judgement judgement = decided(problem, style(change));
    EXPECT_EQ(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
    ASSERT_TRUE(judgement.first);
    EXPECT_FALSE(judgement.first->gates.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Seeded, Fault,
    ::testing::Values(
        Named{"forgets_zero_point_of_x", [](KernelStyle& s) { s.forgets_zero_point_of_x = true; }},
        Named{"forgets_zero_points_of_weights", [](KernelStyle& s) { s.forgets_zero_points_of_weights = true; }},
        Named{"first_scale_only", [](KernelStyle& s) { s.first_scale_only = true; }},
        Named{"scale_of_direction_0", [](KernelStyle& s) { s.scale_of_direction_0 = true; }},
        Named{"swaps_scales", [](KernelStyle& s) { s.swaps_scales = true; }},
        Named{"gates_swapped", [](KernelStyle& s) { s.fault = testing::Fault::GatesSwapped; }},
        Named{"bytes_as_other_sign", [](KernelStyle& s) { s.bytes_as_other_sign = true; }},
        Named{"truncates", [](KernelStyle& s) { s.truncates = true; }},
        Named{"divides_by_256", [](KernelStyle& s) { s.divides_by_256 = true; }},
        Named{"symmetric", [](KernelStyle& s) { s.symmetric = true; }},
        Named{"H_range_of_first_step", [](KernelStyle& s) { s.H_range_of_first_step = true; }},
        Named{"drops_Rb", [](KernelStyle& s) { s.drops_Rb = true; }},
        Named{"old_C_at_output_gate", [](KernelStyle& s) { s.fault = testing::Fault::PeepholeUsesOldCell; }},
        Named{"quantises_C", [](KernelStyle& s) { s.quantises_C = true; }},
        Named{"H_not_quantised", [](KernelStyle& s) { s.quantises_H = false; }},
        Named{"H_in_chunks_of_3_and_gates_swapped",
              [](KernelStyle& s) {
                s.chunk = 3;
                s.fault = testing::Fault::GatesSwapped;
              }}),
    [](const auto& p) { return std::string(p.param.name); });

TEST(Fault, OfFloatXIsToldApartFromFloatXAndH) {
  // Float X with quantised H is near to the reading none; no f32 arithmetic leads from one to the other.
  const Judgement judgement = decided(rich_problem(), style([](KernelStyle& s) { s.quantises_X = false; }));
  EXPECT_TRUE(judgement.verdict == Verdict::Diverges || judgement.verdict == Verdict::Precision)
      << sentence_of(judgement);
}

TEST(Fault, OfARangeThatDoesNotHoldZeroDiverges) {
  const Problem problem = rich_problem([](Case& c) {
    std::vector<double> positive;
    for (int k = 0; k < 5 * 4 * 4; ++k) positive.push_back(1 + 0.01 * k);
    c.inputs[input::X].values = Tensor::from_values(ElementType::Float, {5, 4, 4}, positive);
  });
  EXPECT_EQ(decided(problem, style([](KernelStyle& s) { s.range_without_zero = true; })).verdict, Verdict::Diverges);
}

TEST(Fault, OfARangeWithoutPaddingDiverges) {
  const Problem problem = rich_problem([](Case& c) {
    std::vector<double> X(5 * 4 * 4, 0.25);
    for (std::size_t k = 0; k < X.size(); ++k) X[k] *= std::sin(static_cast<double>(k));
    X[(4 * 4 + 1) * 4] = 9;  // t = 4 of the sequence of length 2
    c.inputs[input::X].values = Tensor::from_values(ElementType::Float, {5, 4, 4}, X);
  });
  EXPECT_EQ(decided(problem, {}).verdict, Verdict::Conforms);
  EXPECT_EQ(decided(problem, style([](KernelStyle& s) { s.X_range_without_padding = true; })).verdict,
            Verdict::Diverges);
}

TEST(Fault, OfPairsKeptIn16BitsDivergesWherePairsReachThere) {
  const auto saturating = [](KernelStyle& s) { s.saturates_pairs = true; };
  const auto signed_weights = [](Regime regime) {
    return rich_problem([regime](Case& c) {
      c.weight_type = ElementType::Int8;
      c.inputs[input::W].values = c.inputs[input::R].values = Generated{.regime = regime, .seed = std::nullopt};
    });
  };
  EXPECT_EQ(decided(signed_weights(Regime::Saturating), style(saturating)).verdict, Verdict::Diverges);
  EXPECT_EQ(decided(signed_weights(Regime::Discriminating), style(saturating)).verdict, Verdict::Conforms)
      << "weights within +-64: 2 * 255 * 64 fits";
}

TEST(FinishedRows, CountForEverWhereYIsNotAskedFor) {
  const Problem problem = rich_problem([](Case& c) {
    testing::give_lengths_of(c, {1, 4, 4, 4});
    c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  });
  const Judgement kernels = decided(problem, {});
  EXPECT_EQ(kernels.verdict, Verdict::Conforms) << sentence_of(kernels);
  const Judgement excluded = decided(problem, style([](KernelStyle& s) { s.finished_rows_are_left_out = true; }));
  EXPECT_EQ(excluded.verdict, Verdict::Reading) << sentence_of(excluded);
  EXPECT_EQ(excluded.readings.differences(), std::vector<std::string>{"dq-finished-rows=excluded"});
}

TEST(WithoutY, TheForwardJudgeFindsFaults) {
  const Problem problem = rich_problem([](Case& c) {
    c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  });
  EXPECT_EQ(decided(problem, {}).verdict, Verdict::Conforms);
  EXPECT_EQ(decided(problem, style([](KernelStyle& s) { s.truncates = true; })).verdict, Verdict::Diverges);
}

TEST(Perturbation, JustOutsideTheBoundIsFoundAndJustInsideIsNot) {
  // The last step of sequences of equal length, without Y_c: nothing else depends on the element.
  const Problem problem = rich_problem([](Case& c) {
    testing::give_lengths_of(c, {5, 5, 5, 5});
    c.outputs = {Presence::Given, Presence::Given, Presence::Empty};
  });
  const auto honest = run_kernel(problem);
  const Arithmetic f32 = arithmetic_of(ContractId::F32, ElementType::Float);
  const ElementEvaluation evaluation =
      run_evaluation(testing::OwnTask(problem, honest, {}, f32), Tier::Running, false, bits_of_double);
  const Layout layout = layout_of(problem);
  int tried = 0;
  for (std::int64_t d = 0; d < layout.D; ++d) {
    for (std::int64_t b = 0; b < layout.N; ++b) {
      const std::int64_t rank = layout.lengths[static_cast<std::size_t>(b)] - 1;
      const std::int64_t t = layout.time(d, b, rank);
      for (std::int64_t j = 0; j < layout.H; ++j) {
        const std::size_t unit = static_cast<std::size_t>(j);
        const Element& e = evaluation.Y[ElementEvaluation::y_place(layout, rank, d, b) + unit];
        ASSERT_LT(e.bound, 1e-5);
        for (const double share : {-1.2, -0.5, 0.5, 1.2}) {
          auto outputs = honest;
          const double moved = e.expected + share * e.bound;
          outputs[output::Y]->set_value(layout.y_offset(t, d, b) + unit, moved);
          outputs[output::Y_h]->set_value(layout.state_offset(d, b) + unit, moved);
          const Verdict verdict = *judge(problem, outputs, {}).verdict;
          if (std::abs(share) > 1) {
            EXPECT_TRUE(verdict == Verdict::Diverges || verdict == Verdict::Suspect) << share;
          } else if (e.bound > 0x1p-21 * std::abs(e.expected)) {  // several floats fit between
            EXPECT_NE(verdict, Verdict::Diverges) << share;
          }
          ++tried;
        }
      }
    }
  }
  EXPECT_EQ(tried, 2 * 4 * 6 * 4);
}

TEST(Perturbation, OfOneElementInTheMiddleIsChargedToItsStep) {
  const Problem problem = rich_problem();
  auto outputs = run_kernel(problem);
  const std::size_t place = outputs[output::Y]->offset({2, 0, 0, 3});
  outputs[output::Y]->set_value(place, outputs[output::Y]->value(place) * (1 + 1e-4));
  const Judgement judgement = judge(problem, outputs, {});
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  ASSERT_TRUE(judgement.first);
  EXPECT_EQ(judgement.first->index, (std::vector<std::int64_t>{2, 0, 0, 3}));
  EXPECT_EQ(judgement.first->step, 2);
}

TEST(ChunkSizes, AreWhatAnyNumberOfThreadsLeadsTo) {
  const auto sizes = [](std::int64_t N, const char* granularity) {
    Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 1, N, 1, 1);
    const Problem problem = make_problem(c);
    const std::vector<std::optional<Tensor>> none(3);
    return chunk_sizes(testing::OwnTask(problem, none, Readings{}.with(Clause::DqGranularity, granularity),
                                        arithmetic_of(ContractId::F32, ElementType::Float)));
  };
  EXPECT_EQ(sizes(10, "block"), std::vector<std::int64_t>{10});
  EXPECT_EQ(sizes(10, "block-chunked"), (std::vector<std::int64_t>{5, 4, 3, 2, 1}));
  EXPECT_EQ(sizes(1, "block-chunked"), std::vector<std::int64_t>{1});
}

TEST(ChunkSizes, AreExcludedOneByOne) {
  const Problem problem = rich_problem();
  const Hypothesis chunked{Readings{}.with(Clause::DqGranularity, "block-chunked"), ContractId::F32};
  for (const std::int64_t size : {1, 2}) {
    auto outputs = run_kernel(problem, style([&](KernelStyle& s) { s.chunk = size; }));
    for (const bool damaged : {false, true}) {
      if (damaged) outputs[output::Y]->set_value(7, outputs[output::Y]->value(7) + 0.01);
      for (const Depth depth : {Depth::Excluded, Depth::SurelyExcluded})
        EXPECT_EQ(evaluate(Observed(problem, outputs), chunked, depth).excluded(), damaged) << size;
    }
  }
}

TEST(Speed, IsUnderAMillisecondForASmallCase) {
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 5, 3, 4, 6);
  const Problem problem = make_problem(c);
  const auto outputs = run_kernel(problem);
  double best = 1;
  for (int k = 0; k < 20; ++k) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(judge(problem, outputs, {}).verdict, Verdict::Conforms);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  RecordProperty("microseconds", std::to_string(best * 1e6));
  EXPECT_LT(best, 10e-3) << "ten times what an optimised build needs: sanitizers run here, too";
}

}  // namespace
}  // namespace cellproof::oracle
