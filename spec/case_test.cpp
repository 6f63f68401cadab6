#include "spec/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "spec/expectation.hpp"
#include "spec/testing/case_generator.hpp"

namespace cellproof {
namespace {

using testing::ElementsAre;

Case with_all_inputs(OperatorVersion version) {
  Case c = plain_case(version, ElementType::Float, 4, 3, 2, 5);
  for (CaseInput& in : c.inputs) in.presence = Presence::Given;
  return c;
}

Shape shape_of(const Problem& problem, std::size_t position) {
  return problem.input(position)->shape();
}

TEST(PlainCase, IsValidForEveryVersionAndWhollyAskedFor) {
  for (const OperatorVersion version : all_operator_versions()) {
    const Case c = plain_case(version, ElementType::Float, 4, 3, 2, 5);
    const Problem problem = make_problem(c);
    EXPECT_TRUE(expectation_of(problem).violations.empty()) << to_string(version);
    EXPECT_EQ(problem.attributes.hidden_size, 5);
    EXPECT_EQ(problem.outputs.size(), output_names(version.op).size());
    EXPECT_EQ(problem.inputs[input::X].source, Source::GraphInput);
    EXPECT_EQ(problem.inputs[input::W].source, Source::Initializer);
    EXPECT_EQ(dimensions_of(problem).T, 4);
    EXPECT_EQ(dimensions_of(problem).H, 5);
  }
}

TEST(MakeProblem, GivesEveryInputTheSpecifiedShape) {
  Case c = with_all_inputs({Operator::LSTM, 22});
  c.attributes.direction = "bidirectional";
  Problem problem = make_problem(c);
  EXPECT_EQ(shape_of(problem, input::X), (Shape{4, 3, 2}));
  EXPECT_EQ(shape_of(problem, input::W), (Shape{2, 20, 2}));
  EXPECT_EQ(shape_of(problem, input::R), (Shape{2, 20, 5}));
  EXPECT_EQ(shape_of(problem, input::B), (Shape{2, 40}));
  EXPECT_EQ(shape_of(problem, input::sequence_lens), (Shape{3}));
  EXPECT_EQ(shape_of(problem, input::initial_c), (Shape{2, 3, 5}));
  EXPECT_EQ(shape_of(problem, input::P), (Shape{2, 15}));
  EXPECT_EQ(problem.input(input::sequence_lens)->type(), ElementType::Int32);
  c.attributes.layout = 1;
  problem = make_problem(c);
  EXPECT_EQ(shape_of(problem, input::X), (Shape{3, 4, 2}));
  EXPECT_EQ(shape_of(problem, input::initial_h), (Shape{3, 2, 5}));
  EXPECT_EQ(shape_of(problem, input::W), (Shape{2, 20, 2}));
}

TEST(MakeProblem, QuantisedWeightsAreTransposedAndTyped) {
  Case c = with_all_inputs({Operator::DynamicQuantizeLSTM, 1});
  c.weight_type = ElementType::Int8;
  const Problem problem = make_problem(c);
  EXPECT_EQ(shape_of(problem, input::W), (Shape{1, 2, 20}));
  EXPECT_EQ(shape_of(problem, input::R), (Shape{1, 5, 20}));
  EXPECT_EQ(shape_of(problem, input::W_scale), (Shape{1}));
  EXPECT_EQ(shape_of(problem, input::R_zero_point), (Shape{1}));
  EXPECT_EQ(problem.input(input::W)->type(), ElementType::Int8);
  EXPECT_EQ(problem.input(input::R_zero_point)->type(), ElementType::Int8);
  EXPECT_EQ(problem.input(input::R_scale)->type(), ElementType::Float);
  EXPECT_EQ(problem.input(input::B)->type(), ElementType::Float);
}

TEST(MakeProblem, WhatIsSaidOfOneInputChangesOnlyThatInput) {
  const Case c = with_all_inputs({Operator::LSTM, 14});
  Case changed = c;
  changed.inputs[input::R].values = Generated{Regime::Zero, 99};
  changed.inputs[input::B].type = ElementType::Double;
  changed.inputs[input::P].shape = Shape{7};
  const Problem before = make_problem(c), after = make_problem(changed);
  EXPECT_EQ(after.input(input::R)->value(0), 0);
  EXPECT_EQ(after.input(input::B)->type(), ElementType::Double);
  EXPECT_EQ(shape_of(after, input::P), Shape{7});
  for (const std::size_t same : {input::X, input::W, input::sequence_lens, input::initial_h, input::initial_c}) {
    EXPECT_EQ(before.inputs[same], after.inputs[same]) << same;
  }
}

TEST(MakeProblem, WritesAbsentOnesOnlyWhereANodeCan) {
  Case c = plain_case({Operator::LSTM, 7}, ElementType::Float, 1, 1, 1, 1);
  c.inputs[input::initial_h].presence = Presence::Given;
  c.outputs = {Presence::Absent, Presence::Given, Presence::Absent};
  const Problem problem = make_problem(c);
  ASSERT_EQ(problem.inputs.size(), 6u);
  EXPECT_EQ(problem.inputs[input::B].presence, Presence::Empty);
  EXPECT_EQ(problem.inputs[input::sequence_lens].presence, Presence::Empty);
  EXPECT_THAT(problem.outputs, ElementsAre(Presence::Empty, Presence::Given));
}

TEST(MakeProblem, DrawsRaggedLengths) {
  Case c = plain_case({Operator::GRU, 14}, ElementType::Float, 6, 5, 1, 1);
  c.inputs[input::sequence_lens].presence = Presence::Given;
  for (c.seed = 0; c.seed < 50; ++c.seed) {
    const Problem problem = make_problem(c);
    std::vector<double> lengths;
    for (std::size_t i = 0; i < 5; ++i) lengths.push_back(problem.input(input::sequence_lens)->value(i));
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 6);
    EXPECT_LT(*std::min_element(lengths.begin(), lengths.end()), 6);
    EXPECT_GE(*std::min_element(lengths.begin(), lengths.end()), 1);
  }
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {5}, std::vector{6., 0., 1., 2., 3.});
  EXPECT_EQ(make_problem(c).input(input::sequence_lens)->integer(1), 0);
}

TEST(MakeProblem, TakesEmptySequencesAndBatches) {
  for (const auto& [T, N] : {std::pair{0, 2}, {2, 0}, {0, 0}}) {
    Case c = plain_case({Operator::RNN, 7}, ElementType::Float, T, N, 2, 2);
    c.inputs[input::sequence_lens].presence = Presence::Given;
    EXPECT_EQ(make_problem(c).input(input::X)->size(), 0u);
  }
}

TEST(MakeProblem, RefusesTensorsAboveAGibibyte) {
  Case c = plain_case({Operator::RNN, 7}, ElementType::Float, 1 << 14, 1 << 14, 1, 1);
  c.N += 1;
  EXPECT_THROW(make_problem(c), std::length_error);
  c.T = c.N = c.I = c.H = 1'000'000'000;
  EXPECT_THROW(make_problem(c), std::length_error);
}

TEST(MakeProblem, IsFast) {
  const Case c = with_all_inputs({Operator::LSTM, 22});
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) make_problem(c);
  const std::chrono::duration<double> each = (std::chrono::steady_clock::now() - start) / 1000;
  EXPECT_LT(each.count(), 1e-3) << "suites make hundreds; it takes microseconds even where the machine is busy";
}

RC_GTEST_PROP(CaseOf, GivesACaseThatMakesTheProblem, (const Case& c)) {
  Case made = c;
  for (CaseInput& in : made.inputs) in.shape = std::nullopt;  // arbitrary ones may not hold sequence_lens
  const Problem problem = [&] {
    try {
      return make_problem(made);
    } catch (const std::length_error&) {
      RC_DISCARD("an arbitrary hidden_size or layout made a tensor too large");
    }
  }();
  RC_ASSERT(make_problem(case_of(problem)) == problem);
}

TEST(CaseOf, KeepsTheSizesOfAValidProblem) {
  Case c = with_all_inputs({Operator::LSTM, 14});
  c.attributes.layout = 1;
  const Case literal = case_of(make_problem(c));
  EXPECT_EQ(literal.T, 4);
  EXPECT_EQ(literal.N, 3);
  EXPECT_EQ(literal.I, 2);
  EXPECT_EQ(literal.H, 5);
}

TEST(CaseEquality, TrailingAbsentOnesDoNotCount) {
  const Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 1, 1, 1, 1);
  Case shorter = c;
  shorter.inputs.resize(3);
  EXPECT_TRUE(c == shorter);
  shorter.inputs.resize(2);
  EXPECT_FALSE(c == shorter);
  Case longer = c;
  longer.outputs.push_back(Presence::Absent);
  EXPECT_TRUE(c == longer);
  longer.outputs.push_back(Presence::Empty);
  EXPECT_FALSE(c == longer);
}

TEST(DefaultShape, HasNoInputBeyondTheOperators) {
  const Case c = plain_case({Operator::GRU, 7}, ElementType::Float, 1, 1, 1, 1);
  EXPECT_THROW(default_shape(c, input::initial_c), std::out_of_range);
  EXPECT_THROW(default_type(c, input::initial_c), std::out_of_range);
}

}  // namespace
}  // namespace cellproof
