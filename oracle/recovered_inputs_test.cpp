// Inputs that a node lacks, from outputs that need none: a wrong engine, or noise, must not look like a lost input.
#include "oracle/recovered_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lab/mutants/mutants.hpp"
#include "lab/zoo/zoo.hpp"
#include "oracle/nearest_node.hpp"
#include "oracle/testing/problems.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

Problem bare_problem(Operator op, std::uint64_t seed) {
  return testing::some_problem(op, ElementType::Float, [&](Case& c) {
    c.T = 8;
    c.seed = seed;
    if (op == Operator::GRU) c.attributes.linear_before_reset = 1;
    for (const std::size_t position : {input::B, input::initial_h, input::initial_c, input::P})
      if (position < c.inputs.size()) c.inputs[position].presence = Presence::Empty;
  });
}

void expect_nothing_recovered(const Problem& problem, const Outputs& outputs, std::string_view wrong) {
  const std::string words = nearest_node(problem, outputs, {}).value_or("");
  EXPECT_THAT(words, Not(AnyOf(HasSubstr("with B"), HasSubstr("with initial")))) << wrong;
}

TEST(RecoveredInputs, AreNoneWhereAnEngineIsWrong) {
  int tried = 0;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Problem problem = bare_problem(op, seed);
      for (const lab::mutants::Mutant& mutant : lab::mutants::mutants()) {
        if (!lab::mutants::applies(problem, mutant)) continue;
        ++tried;
        expect_nothing_recovered(problem, lab::mutants::run(problem, mutant), mutant.id);
      }
    }
  }
  EXPECT_GT(tried, 100);
}

TEST(RecoveredInputs, AreNoneWhereOutputsAreOff) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = bare_problem(op, 3);
    const Outputs right = lab::zoo::run(problem, lab::zoo::styles().front(), 1);
    for (const double noise : {1e-6, 1e-5, 1e-4, 1e-2, 1.0}) {
      std::mt19937_64 random(7);
      std::normal_distribution<double> off(0, noise);
      Outputs outputs = right;
      for (auto& output : outputs) {
        std::vector<double> values = oracle::values_of(*output);
        for (double& value : values) value += off(random);
        output = Tensor::from_values(ElementType::Float, output->shape(), values);
      }
      expect_nothing_recovered(problem, outputs, "noise");
    }
  }
}

/// A closed output gate gives zeros, and so would a bias of -40; a closed update gate keeps the state.
TEST(RecoveredInputs, AreNoneWhereOutputsAreZero) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    const Problem problem = bare_problem(op, 4);
    Outputs zeros = lab::zoo::run(problem, lab::zoo::styles().front(), 1);
    for (auto& output : zeros)
      output = Tensor::from_values(ElementType::Float, output->shape(), std::vector<double>(output->size()));
    expect_nothing_recovered(problem, zeros, "zeros");
  }
}

}  // namespace
}  // namespace cellproof::oracle
