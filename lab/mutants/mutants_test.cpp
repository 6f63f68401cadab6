#include "lab/mutants/mutants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "lab/mutants/edges.hpp"
#include "lab/mutants/faults.hpp"
#include "lab/zoo/plain_outputs.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"
#include "spec/rules/activations.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::lab::mutants {
namespace {

constexpr OperatorVersion versions[] = {{Operator::LSTM, 22}, {Operator::GRU, 22}, {Operator::RNN, 22}};

bool one_in(std::uint64_t n, std::mt19937_64& engine) {
  return engine() % n == 0;
}

/// One function in three other than the default, and lists of parameters.
void draw_functions(Attributes& attributes, OperatorVersion version, std::mt19937_64& engine) {
  attributes.activations.emplace();
  const auto& defaults = rules_of(version).default_activations;
  for (std::size_t d = 0; d < (attributes.direction == "bidirectional" ? 2U : 1U); ++d) {
    for (std::string_view usual : defaults) {
      const bool other = one_in(3, engine);
      attributes.activations->emplace_back(other ? activations()[engine() % activations().size()].name : usual);
    }
  }
  if (one_in(2, engine)) attributes.activation_alpha = {0.5F, 0.75F, 0.3F};
  if (one_in(2, engine)) attributes.activation_beta = {0.25F, 0.4F};
}

/// All optional inputs given or not, all attributes, one function in three other than the default.
Case some_case(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const OperatorVersion version = versions[seed % 3];
  const ElementType type = one_in(4, engine)   ? ElementType::Float16
                           : one_in(4, engine) ? ElementType::Double
                                               : ElementType::Float;
  Case c = plain_case(version, type, 4, 3, 2, 5);
  c.seed = seed;
  c.regime = one_in(4, engine) ? Regime::Saturating : Regime::Discriminating;
  const char* directions[] = {"forward", "reverse", "bidirectional"};
  c.attributes.direction = directions[engine() % 3];
  if (one_in(2, engine)) c.attributes.layout = 1;
  if (one_in(2, engine) && version.op == Operator::LSTM) c.attributes.input_forget = 1;
  if (one_in(2, engine) && version.op == Operator::GRU) c.attributes.linear_before_reset = 1;
  if (one_in(3, engine)) c.attributes.clip = 0.5F;
  if (one_in(2, engine)) draw_functions(c.attributes, version, engine);
  for (std::size_t position = input::B; position < c.inputs.size(); ++position) {
    if (!one_in(3, engine)) c.inputs[position].presence = Presence::Given;
  }
  return c;
}

/// Does it take sizes or options that some_case does not have?
bool is_in_a_corner(const Mutant& mutant) {
  return mutant.operators.front() == Operator::DynamicQuantizeLSTM || !mutant.corner_of.empty() ||
         mutant.id.starts_with("tail-of") || mutant.id.starts_with("length-zero") || mutant.id.starts_with("nan-") ||
         mutant.id.starts_with("infinity-") || mutant.id == "state-reset-every-4";
}

TEST(Mutants, AreThoseOfTheCatalogueAndSoAreTheFaultsOfTheJudge) {
  std::set<std::string_view> known, mutated, judged;
  for (const oracle::FaultInfo& info : oracle::fault_catalogue()) {
    EXPECT_TRUE(known.insert(info.id).second) << info.id;
    EXPECT_FALSE(info.blames.empty() || info.what.empty() || info.operators.empty()) << info.id;
  }
  for (const Mutant& mutant : mutants()) {
    EXPECT_TRUE(mutated.insert(mutant.id).second) << mutant.id;
    EXPECT_EQ(mutant_named(mutant.id), &mutant);
  }
  for (const oracle::Fault& fault : oracle::faults()) EXPECT_TRUE(judged.insert(fault.id).second) << fault.id;
  EXPECT_EQ(mutated, known);
  EXPECT_EQ(judged, known);
  EXPECT_GE(known.size(), 450U);
  EXPECT_EQ(mutant_named("no-such-mutant"), nullptr);
  for (const Mutant& mutant : edge_mutants()) EXPECT_FALSE(known.contains(mutant.id)) << mutant.id;
}

TEST(Catalogue, RefusesNamesThatItDoesNotHave) {
  EXPECT_EQ(oracle::fault_info("rb-ignored@h-16").corner_of, "rb-ignored");
  EXPECT_EQ(oracle::fault_family("peephole-{}-missing").size(), 3U);
  EXPECT_THROW(oracle::fault_info("no-such-fault"), std::logic_error);
  EXPECT_THROW(oracle::fault_family("no-such-{}"), std::logic_error);
}

TEST(Mutants, ShowWhereTheyApply) {
  std::map<std::string_view, int> applied, visible;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem problem = make_problem(some_case(seed));
    for (const Mutant& mutant : mutants()) {
      if (!applies(problem, mutant)) continue;
      ++applied[mutant.id];
      if (effect(problem, mutant).roundoffs > 16) ++visible[mutant.id];
    }
  }
  for (const Mutant& mutant : mutants()) {
    if (is_in_a_corner(mutant)) continue;
    EXPECT_GE(applied[mutant.id], 2) << mutant.id;
    EXPECT_GE(visible[mutant.id], 1) << mutant.id << " of " << applied[mutant.id];
  }
}

/// Is it about something that a node may not have, so that without it there is nothing to do wrongly?
bool is_about_one_thing(const Mutant& mutant) {
  constexpr std::array things = {"input.B", "input.P", "input.initial_h", "input.initial_c",
                                 "input",   "clip",    "lengths"};
  return !is_in_a_corner(mutant) && mutant.cls != oracle::FaultClass::Precision &&
         std::ranges::find(things, mutant.blames) != things.end();
}

/// The preconditions leave out nothing: planted where it does not apply, a fault of this operator changes no output.
TEST(Mutants, HaveNoEffectWhereWhatTheyAreAboutIsNotThere) {
  std::vector<Problem> problems;
  std::set<std::pair<Operator, std::string_view>> of_operator;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    problems.push_back(make_problem(some_case(seed)));
    for (const Mutant& mutant : mutants()) {
      if (applies(problems.back(), mutant)) of_operator.insert({problems.back().version.op, mutant.id});
    }
  }
  for (const Problem& problem : problems) {
    const auto right = run_without_fault(problem);
    for (const Mutant& mutant : mutants()) {
      const bool possible = is_about_one_thing(mutant) && of_operator.contains({problem.version.op, mutant.id});
      if (!possible || applies(problem, mutant)) continue;
      ResolvedNode node = fuzz::resolve(problem);
      Faults faults;
      Sowing sowing{node, faults};
      mutant.sow(sowing);
      ASSERT_EQ(zoo::put_together(problem, node, compute(node, faults)), right)
          << mutant.id << " " << to_text(case_of(problem));
    }
  }
}

TEST(Mutants, ChangeNothingWhereTheyDoNotOccur) {
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 4, 3, 2, 5);
  c.inputs[input::B].presence = Presence::Given;
  int changed = 0;
  for (const Problem& problem : {make_problem(c), make_problem(some_case(0))}) {
    for (const Mutant& mutant : mutants()) {
      const bool occurs = std::ranges::find(mutant.operators, problem.version.op) != mutant.operators.end();
      EXPECT_TRUE(occurs || effect(problem, mutant).absolute == 0) << mutant.id;
      if (applies(problem, mutant) && effect(problem, mutant).roundoffs > 16) ++changed;
    }
  }
  EXPECT_GE(changed, 80);
}

TEST(Mutants, OneElementOffIsExactlyThat) {
  Case c = plain_case({Operator::LSTM, 22}, ElementType::Float, 4, 3, 2, 5);
  const Problem problem = make_problem(c);
  const auto wrong = run(problem, *mutant_named("one-element-off")), right = run_without_fault(problem);
  int differing = 0;
  for (std::size_t i = 0; i < right[output::Y]->size(); ++i) {
    if (wrong[output::Y]->bits(i) != right[output::Y]->bits(i)) ++differing;
  }
  EXPECT_EQ(differing, 1);
  EXPECT_EQ(wrong[output::Y_h], right[output::Y_h]);
  EXPECT_EQ(wrong[output::Y_c], right[output::Y_c]);
}

}  // namespace
}  // namespace cellproof::lab::mutants
