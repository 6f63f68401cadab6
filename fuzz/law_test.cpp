#include "fuzz/law.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engines/mutants/mutants.hpp"
#include "fuzz/law_case.hpp"
#include "fuzz/recipe_generator.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

using engines::mutants::Mutant;
using Kind = LawResult::Kind;

Outcome outcome_of(OutcomeKind kind, std::vector<std::optional<Tensor>> outputs = {}) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.outputs = std::move(outputs);
  return outcome;
}

oracle::Probe honest() {
  return
      [](const Problem& problem) { return outcome_of(OutcomeKind::Ran, engines::mutants::run_without_fault(problem)); };
}

oracle::Probe wrong(const Mutant& mutant) {
  return [&mutant](const Problem& problem) {
    return outcome_of(OutcomeKind::Ran, engines::mutants::run(problem, mutant));
  };
}

/// Problems to which the law applies, the first of the endless sequence.
std::vector<Problem> problems_for(const Law& law, std::size_t count) {
  std::vector<Problem> problems;
  for (std::uint64_t index = 0; problems.size() < count && index < 3000; ++index) {
    Problem problem = make_problem(case_of(drawn_recipe(7, index)));
    if (problem.version.op == Operator::DynamicQuantizeLSTM && !law.also_quantised) continue;
    if (law.experiment(problem) && try_law(law, problem, honest()).kind == Kind::Holds)
      problems.push_back(std::move(problem));
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
RC_GTEST_PROP(Laws, HoldForAnHonestImplementation, (const LawRecipe& recipe)) {
  const Case c = case_of(recipe);
  RC_LOG() << to_text(c) << "\n";
  const Problem problem = make_problem(c);
  RC_ASSERT(expectation_of(problem).violations.empty());
  for (const Law& law : laws()) {
    const LawResult result = try_law(law, problem, honest());
    RC_LOG() << law.id << ": " << result.message << "\n";
    RC_ASSERT(result.kind == Kind::Holds || result.kind == Kind::NotApplicable);
    if (result.kind == Kind::NotApplicable) continue;
    const auto experiment = law.experiment(problem);
    for (const Problem& each : experiment->problems) RC_ASSERT(expectation_of(each).violations.empty());
  }
}

/// An engine that forgets between calls what it must not, and one that does not.
oracle::Probe remembering() {
  return [calls = 0](const Problem& problem) mutable {
    Outcome outcome = outcome_of(OutcomeKind::Ran, engines::mutants::run_without_fault(problem));
    for (auto& output : outcome.outputs) {
      if (output && output->size() > 0) output->set_value(0, output->value(0) + calls);
    }
    ++calls;
    return outcome;
  };
}

/// What no mutant of one problem can show: a fault that lies between two calls.
bool is_about_calls(const Law& law) {
  return law.id == "repeated-run" || law.id == "sequence-of-calls";
}

/// A fault that none of the mutants has, since it lies in how a problem is written rather than in what is computed: the
/// engine computes another problem.
struct Misreading {
  std::string_view law;
  std::string_view what;
  void (*change)(Problem&);
};

void fill_absent(Problem& problem, std::size_t position, Shape shape) {
  if (problem.input(position) != nullptr) return;
  if (problem.inputs.size() <= position) problem.inputs.resize(position + 1, {Presence::Empty, {}, {}});
  Tensor ones(problem.input(input::X)->type(), std::move(shape));
  for (std::size_t k = 0; k < ones.size(); ++k) ones.set_value(k, 1);
  problem.inputs[position] = {Presence::Given, Source::GraphInput, std::move(ones)};
}

Shape state_shape(const Problem& problem) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  return problem.attributes.layout.value_or(0) == 1 ? Shape{N, D, H} : Shape{D, N, H};
}

constexpr Misreading misreadings[] = {
    {"absent-is-empty", "takes biases for absent when an input has the empty name",
     [](Problem& p) {
       if (std::ranges::find(p.inputs, Presence::Empty, &Input::presence) == p.inputs.end()) return;
       if (p.input(input::B) != nullptr) p.inputs[input::B] = {Presence::Empty, {}, {}};
     }},
    {"clip-beyond-everything", "clips at 1/8 when there is a clip",
     [](Problem& p) {
       if (p.attributes.clip) p.attributes.clip = 0.125F;
     }},
    {"defaults-written", "takes any direction that is written for reverse",
     [](Problem& p) {
       if (p.attributes.direction == "forward") p.attributes.direction = "reverse";
     }},
    {"full-lengths", "takes the lengths for one less",
     [](Problem& p) {
       if (p.input(input::sequence_lens) == nullptr) return;
       Tensor& lengths = *p.inputs[input::sequence_lens].tensor;
       for (std::size_t k = 0; k < lengths.size(); ++k)
         lengths.set_value(k, std::max(lengths.value(k) - 1, std::min(lengths.value(k), 1.0)));
     }},
    {"functions-written", "takes the last function that is written for Relu",
     [](Problem& p) {
       if (p.attributes.activations) p.attributes.activations->back() = "Relu";
     }},
    {"odd-function", "takes every function for Softplus",
     [](Problem& p) {
       if (p.version.op == Operator::RNN)
         p.attributes.activations.emplace(static_cast<std::size_t>(dimensions_of(p).D), "Softplus");
     }},
    {"opset-upgrade", "knows no biases in version 22",
     [](Problem& p) {
       if (p.version.since_version == 22 && p.input(input::B) != nullptr)
         p.inputs[input::B] = {Presence::Empty, {}, {}};
     }},
    {"zero-bias", "takes absent biases for ones",
     [](Problem& p) {
       const auto sizes = dimensions_of(p);
       fill_absent(p, input::B, {sizes.D, 2 * gate_count(p.version.op) * sizes.H});
     }},
    {"zero-initial-h", "takes an absent state for ones",
     [](Problem& p) { fill_absent(p, input::initial_h, state_shape(p)); }},
    {"zero-initial-c", "takes an absent cell state for ones",
     [](Problem& p) {
       if (has_cell_state(p.version.op)) fill_absent(p, input::initial_c, state_shape(p));
     }},
    {"zero-peepholes", "takes absent peepholes for ones",
     [](Problem& p) {
       const auto sizes = dimensions_of(p);
       if (has_cell_state(p.version.op)) fill_absent(p, input::P, {sizes.D, 3 * sizes.H});
     }},
};

oracle::Probe reading_wrongly(const Misreading& misreading) {
  return [&misreading](const Problem& problem) {
    Problem other = problem;
    misreading.change(other);
    return outcome_of(OutcomeKind::Ran, engines::mutants::run_without_fault(other));
  };
}

class LawKills : public ::testing::TestWithParam<std::size_t> {};

/// `fuzz_test --gtest_filter='*LawKills*'` prints the table of docs/fuzzing.md.
TEST_P(LawKills, SomeMutant) {
  const Law& law = laws()[GetParam()];
  const std::vector<Problem> problems = problems_for(law, 12);
  ASSERT_FALSE(problems.empty()) << law.id << " never applies";
  if (is_about_calls(law)) {
    EXPECT_EQ(try_law(law, problems[0], remembering()).kind, Kind::Broken);
    fmt::print("{:<40} an engine that remembers its last call\n", law.id);
    return;
  }
  std::vector<std::string> killed;
  for (const Mutant& mutant : engines::mutants::mutants()) {
    const bool kills = std::ranges::any_of(problems, [&](const Problem& problem) {
      return applies(problem, mutant) && try_law(law, problem, wrong(mutant)).kind == Kind::Broken;
    });
    if (kills) killed.push_back(mutant.id);
  }
  const std::size_t mutants = killed.size();
  for (const Misreading& misreading : misreadings) {
    if (misreading.law != law.id) continue;
    if (std::ranges::any_of(problems, [&](const Problem& problem) {
          return try_law(law, problem, reading_wrongly(misreading)).kind == Kind::Broken;
        }))
      killed.emplace_back(misreading.what);
  }
  std::string some;
  for (std::size_t k = 0; k < killed.size() && k < 3; ++k) some += (k > 0 ? ", " : "") + killed[k];
  fmt::print("{:<40} {:>3} of {}: {}\n", law.id, mutants, engines::mutants::mutants().size(), some);
  EXPECT_FALSE(killed.empty()) << law.id;
}

INSTANTIATE_TEST_SUITE_P(All, LawKills, ::testing::Range<std::size_t>(0, laws().size()), [](const auto& instance) {
  std::string id(laws()[instance.param].id);
  std::ranges::replace(id, '-', '_');
  return id;
});

TEST(Laws, TellARefusalFromADeathAndFromABreach) {
  const Law& law = law_named("repeated-run");
  const Problem problem = problems_for(law, 1).at(0);
  const auto always = [](OutcomeKind kind) { return [kind](const Problem&) { return outcome_of(kind); }; };
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::NotSupported)).kind, Kind::Refused);
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::Rejected)).kind, Kind::Refused);
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::Crashed)).kind, Kind::Died);
  EXPECT_EQ(try_law(law, problem, always(OutcomeKind::Ran)).kind, Kind::Broken);  // with nothing to show
}

TEST(Laws, ANaNNeverEqualsANumber) {
  const Law& law = law_named("zero-bias");
  const auto poisoned = [](const Problem& problem) {
    Outcome outcome = outcome_of(OutcomeKind::Ran, engines::mutants::run_without_fault(problem));
    if (problem.input(input::B) == nullptr && outcome.outputs[0])
      outcome.outputs[0]->set_value(0, std::numeric_limits<double>::quiet_NaN());
    return outcome;
  };
  std::size_t broken = 0;
  for (const Problem& problem : problems_for(law, 5)) broken += try_law(law, problem, poisoned).kind == Kind::Broken;
  EXPECT_GT(broken, 0U);
}

TEST(Laws, HoldWhereTheTypesSmallestNumberIsAllTheTolerance) {
  const Case zeros = parse_case(
      "cellproof-case/1 op=LSTM-1 type=double T=1 N=1 I=1 H=1 seed=65936 regime=zero "
      "activations=Sigmoid,Tanh,Tanh,Elu,Tanh,Tanh direction=bidirectional output_sequence=1");
  EXPECT_EQ(try_law(law_named("backward-half"), make_problem(zeros), honest()).kind, Kind::Holds);
}

TEST(LawRecipe, IsDrawnFromTheSeedAlone) {
  EXPECT_EQ(drawn_recipe(3, 5), drawn_recipe(3, 5));
  EXPECT_NE(drawn_recipe(3, 5), drawn_recipe(4, 5));
}

}  // namespace
}  // namespace cellproof::fuzz
