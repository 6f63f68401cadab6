// DynamicQuantizeLSTM where only last states are given: each choice of codes is followed, so that bounds stay narrow
// over dozens of steps.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <random>

#include "oracle/decide.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/direction_walk.hpp"
#include "oracle/quantized/evaluation.hpp"
#include "oracle/quantized/testing/cases.hpp"
#include "oracle/quantized/testing/kernel.hpp"
#include "oracle/testing/judging.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::KernelStyle;
using testing::run_kernel;

/// Weights as a quantiser makes them of what frameworks draw at first, and inputs from a normal distribution; only last
/// states are asked for.
Problem trained_like(std::int64_t T, std::int64_t N, std::int64_t H, double gain, std::uint64_t seed) {
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, T, N, H, H);
  c.weight_type = ElementType::Int8;
  c.inputs[input::B].presence = Presence::Given;
  c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  Problem problem = make_problem(c);
  std::mt19937_64 dice(seed);
  const double most = gain / std::sqrt(static_cast<double>(H));
  const auto fill = [&](std::size_t which, const auto& draw) {
    Tensor& tensor = *problem.inputs[which].tensor;
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, draw());
  };
  const auto uniform = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(dice); };
  for (const std::size_t which : {input::W, input::R}) fill(which, [&] { return std::round(uniform(-127, 127)); });
  for (const std::size_t which : {input::W_scale, input::R_scale})
    fill(which, [&] { return static_cast<float>(most / 127); });
  for (const std::size_t which : {input::W_zero_point, input::R_zero_point}) fill(which, [] { return 0.0; });
  fill(input::B, [&] { return static_cast<float>(uniform(-most, most)); });
  fill(input::X, [&] { return static_cast<float>(std::normal_distribution<double>()(dice)); });
  return problem;
}

std::vector<KernelStyle> honest_styles() {
  std::vector<KernelStyle> styles(5);
  styles[1].multiplies_by_reciprocal = styles[1].fuses = true;
  styles[2].multiplies_by_1_over_255 = styles[2].adds_zero_point_first = true;
  styles[3].biases_first = styles[3].scales_one_after_the_other = true;
  styles[4].multiplies_by_reciprocal = styles[4].multiplies_by_1_over_255 = styles[4].fuses = styles[4].biases_first =
      true;
  return styles;
}

struct Size {
  std::int64_t T, N, H;
};
constexpr Size sizes[] = {{10, 1, 16}, {10, 3, 24}, {20, 1, 32}, {40, 1, 32}, {40, 1, 64}};

TEST(WithoutYForManySteps, HonestKernelsAreNeverAccused) {
  int conform = 0, all = 0;
  for (const auto& [T, N, H] : sizes) {
    for (const double gain : {1.0, 2.0}) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const Problem problem = trained_like(T, N, H, gain, seed);
        for (const KernelStyle& style : honest_styles()) {
          const Judgement judgement = judge(problem, run_kernel(problem, style), {});
          EXPECT_TRUE(judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Undecided)
              << "T=" << T << " N=" << N << " H=" << H << " gain " << gain << " seed " << seed << ": "
              << sentence_of(judgement);
          conform += judgement.verdict == Verdict::Conforms;
          ++all;
        }
      }
    }
  }
  RecordProperty("conform", fmt::format("{} of {}", conform, all));
  EXPECT_GE(conform * 10, all * 9) << conform << " of " << all;
}

TEST(WithoutY, HonestKernelsAreNeverAccusedOfRandomCases) {
  int conform = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Case c = testing::drawn_case(seed);
    c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
    const Problem problem = make_problem(c);
    for (const KernelStyle& style : honest_styles()) {
      const Judgement judgement = judge(problem, run_kernel(problem, style), {});
      EXPECT_TRUE(judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Undecided)
          << "seed " << seed << ": " << sentence_of(judgement);
      conform += judgement.verdict == Verdict::Conforms;
      ++all;
    }
  }
  RecordProperty("conform", fmt::format("{} of {}", conform, all));
  EXPECT_GE(conform * 10, all * 8) << conform << " of " << all;
}

/// Every choice of codes, one after the other.
class AllChoices {
 public:
  explicit AllChoices(const Task& task) : task_(task), walk_(task, 0, Tier::Certified, task.layout.N) {}

  /// Does one of them explain the last states?
  bool explain() {
    walk_.quantise(0);
    return explain_from(0, 0);
  }
  int count() const { return count_; }

 private:
  bool explain_from(std::int64_t rank, std::size_t first) {
    const auto codes = walk_.codes();
    for (std::size_t k = first; k < codes.size(); ++k) {
      if (codes[k].decided()) continue;
      const auto before = walk_.state();
      bool any = false;
      for (int code = codes[k].lo; code <= codes[k].hi; ++code) {
        walk_.go_back_to(before);
        walk_.codes()[k] = {code, code, code, codes[k].open};
        any = explain_from(rank, k + 1) || any;
      }
      return any;
    }
    walk_.take(rank, nullptr);
    if (++rank == walk_.steps()) return ++count_, are_last_states_inside();
    walk_.quantise(rank);
    return explain_from(rank, 0);
  }

  bool are_last_states_inside() const {
    const Layout& f = task_.layout;
    const auto is_inside = [&](const Enclosure<double>& set, double observed) {
      return walk_.judged(set, match(set, observed, task_.arithmetic), observed).cls != ElementClass::Divergent;
    };
    for (std::int64_t j = 0; j < f.H; ++j) {
      const std::size_t place = f.state_offset(0, 0) + static_cast<std::size_t>(j);
      if (!is_inside(walk_.last_h(0, j), (*task_.Y_h)[place])) return false;
      if (!is_inside(walk_.last_c(0, j), (*task_.Y_c)[place])) return false;
    }
    return true;
  }

  const Task& task_;
  DirectionWalk<double> walk_;
  int count_ = 0;
};

/// Choices are ruled out many at a time. None may be lost that explains, and none be there that does not.
TEST(WithoutY, WhatIsRuledOutIsWhatEachChoiceRulesOut) {
  constexpr int most_choices = 64;
  Arithmetic m = arithmetic_of(ContractId::F32, ElementType::Float);
  m.activation_floor *= 1e3;  // so that codes stay open
  int beyond = 0, within = 0, with_choices = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Problem problem = trained_like(3, 1, 4, 2, seed);
    for (const double off : {0.0, 1e-4, 2e-4, 5e-4, 1e-3, 3e-3, 1e-2}) {
      SCOPED_TRACE(fmt::format("seed {}, off by {}", seed, off));
      std::vector<std::optional<Tensor>> outputs = run_kernel(problem);
      Tensor& last = *outputs[output::Y_h];
      for (std::size_t k = 0; k < last.size(); ++k) last.set_value(k, static_cast<float>(last.value(k) + off));
      const testing::OwnTask task(problem, outputs, {}, m);
      AllChoices choices(task);
      const bool is_beyond = !choices.explain();
      // Where they are more, sets that hold them all know which of them go together.
      const bool are_told_apart = choices.count() <= most_choices;
      for (const bool stop_early : {true, false}) {
        const bool found = run_quantized_evaluation(task, Tier::Certified, stop_early, bits_of_double).any_beyond;
        EXPECT_TRUE(found == is_beyond || !are_told_apart) << choices.count() << " choices";
        EXPECT_FALSE(found && off == 0);
      }
      (is_beyond ? beyond : within) += are_told_apart;
      with_choices += choices.count() > 1 && are_told_apart;
    }
  }
  EXPECT_GT(beyond, 40);
  EXPECT_GT(within, 40);
  EXPECT_GT(with_choices, 80);
}

/// Expects the answer's last states in the sets, and returns the largest radius of one.
double expect_inside(const Task& task, const Trajectory& sets) {
  const Layout& f = task.layout;
  double widest = 0;
  for (std::int64_t b = 0; b < f.N; ++b) {
    const std::size_t last = ElementEvaluation::y_place(f, f.lengths[static_cast<std::size_t>(b)] - 1, 0, b);
    const std::size_t state = ElementEvaluation::state_place(f, 0, b), offset = f.state_offset(0, b);
    for (std::size_t j = 0; j < static_cast<std::size_t>(f.H); ++j) {
      EXPECT_TRUE(match(sets.H[last + j], (*task.Y_h)[offset + j], task.arithmetic).inside) << "H " << j;
      EXPECT_TRUE(match(sets.C[state + j], (*task.Y_c)[offset + j], task.arithmetic).inside) << "C " << j;
      widest = std::max(widest, sets.H[last + j].radius());
    }
  }
  return widest;
}

TEST(ForwardSets, HoldHonestKernelsWhereCodesStayOpen) {
  for (const double rougher : {1.0, 1e1, 1e2, 1e3, 1e4}) {
    // Many codes fall either way where functions may be as rough as this.
    Arithmetic m = arithmetic_of(ContractId::F32, ElementType::Float);
    m.activation_floor *= rougher;
    double widest = 0;
    for (const auto& [T, N, H] : sizes) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const Problem problem = trained_like(T, N, H, 1, seed);
        const testing::OwnTask any(problem, run_kernel(problem), {}, m);
        const Trajectory sets = quantized_forward_sets(any, N, bits_of_double);
        for (const KernelStyle& style : honest_styles()) {
          const testing::OwnTask own(problem, run_kernel(problem, style), {}, m);
          widest = std::max(widest, expect_inside(own, sets));
        }
        if (T * N * H <= 400) expect_inside(any, quantized_forward_sets(any, N, first_bits_of_balls));
        if (::testing::Test::HasFailure()) return;
      }
    }
    RecordProperty(fmt::format("rougher {}", rougher), fmt::format("{:.1e}", widest));
  }
}

/// Counts problems of some sizes whose damaged answer is found to be wrong.
void expect_found(const std::function<std::vector<std::optional<Tensor>>(const Problem&)>& damaged) {
  int found = 0, all = 0;
  for (const auto& [T, N, H] : sizes) {
    const Problem problem = trained_like(T, N, H, 1, 1);
    found += judge(problem, damaged(problem), {}).verdict == Verdict::Diverges;
    ++all;
  }
  ::testing::Test::RecordProperty("found", fmt::format("{} of {}", found, all));
  EXPECT_GE(found * 10, all * 8) << found << " of " << all;
}

TEST(WithoutYForManySteps, SwappedGatesAreFound) {
  expect_found([](const Problem& problem) {
    KernelStyle style;
    style.fault = testing::Fault::GatesSwapped;
    return run_kernel(problem, style);
  });
}

TEST(WithoutYForManySteps, ARangeThatStaysIsNamed) {
  const Problem problem = trained_like(30, 1, 32, 1, 1);
  KernelStyle style;
  style.H_range_of_first_step = true;
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = run_kernel(problem, style);
  const std::clock_t start = std::clock();
  const Judgement judgement = decide(problem, {}, {outcome}, {}, every_fault());
  RecordProperty("seconds", fmt::format("{:.2f}", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC));
  EXPECT_EQ(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
  // Without initial_h the first range holds 0 alone, and nothing of the product with R is left.
  EXPECT_THAT(judgement.faults, ::testing::UnorderedElementsAre("range-of-first-h", "recurrent-weights-ignored"));
}

TEST(WithoutYForManySteps, ARowOfZerosInRIsFound) {
  expect_found([](const Problem& problem) {
    Problem changed = problem;
    Tensor& R = *changed.inputs[input::R].tensor;
    const std::int64_t H = R.shape().at(1);
    for (std::int64_t column = 0; column < 4 * H; ++column) R.set_value({0, H / 2, column}, 0);
    return run_kernel(changed);
  });
}

TEST(WithoutYForManySteps, CodesThatAreCutOffAreFound) {
  expect_found([](const Problem& problem) {
    KernelStyle style;
    style.truncates = true;
    return run_kernel(problem, style);
  });
}

TEST(WithoutYForManySteps, AnElementThatIsOffIsFound) {
  expect_found([](const Problem& problem) {
    auto outputs = run_kernel(problem);
    outputs[output::Y_h]->set_value(5, outputs[output::Y_h]->value(5) + 1e-4);
    return outputs;
  });
}

}  // namespace
}  // namespace cellproof::oracle
