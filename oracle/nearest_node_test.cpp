// The node that outputs do follow from: computed with one node, judged beside another.
#include "oracle/nearest_node.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "lab/zoo/zoo.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

/// Returns the words for outputs of `ran` beside the node after `export_it`.
std::string said_of_export(Operator op, const std::function<void(Case&)>& ran,
                           const std::function<void(Problem&)>& export_it) {
  const Problem in_framework = testing::some_problem(op, ElementType::Float, [&](Case& c) {
    c.T = 6;
    if (ran) ran(c);
  });
  Problem exported = in_framework;
  export_it(exported);
  const Outputs outputs = lab::zoo::run(in_framework, lab::zoo::styles().front(), 1);
  return nearest_node(exported, outputs, {}).value_or("");
}

TEST(NearestNode, GivesLostLengthsBack) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    EXPECT_EQ(said_of_export(
                  op,
                  [](Case& c) {
                    testing::give_lengths(c, {6, 4, 2});
                  },
                  [](Problem& p) {
                    p.inputs[input::sequence_lens] = {Presence::Empty, Source::GraphInput, {}};
                  }),
              "with sequence_lens 6,4,2");
  }
}

TEST(NearestNode, NamesAnInputThatWasAdded) {
  EXPECT_EQ(said_of_export(Operator::GRU, {},
                           [](Problem& p) {
                             p.inputs[input::sequence_lens] = {
                                 Presence::Given, Source::GraphInput,
                                 Tensor::from_values(ElementType::Int32, {3}, std::vector<double>{6, 3, 2})};
                           }),
            "without sequence_lens");
  EXPECT_EQ(said_of_export(
                Operator::RNN, [](Case& c) { c.inputs[input::initial_h].presence = Presence::Empty; },
                [](Problem& p) {
                  p.inputs[input::initial_h] = {
                      Presence::Given, Source::GraphInput,
                      Tensor::from_values(ElementType::Float, {1, 3, 6}, std::vector<double>(18, 0.5))};
                }),
            "without initial_h");
}

TEST(NearestNode, NamesTheAttribute) {
  EXPECT_EQ(said_of_export(
                Operator::GRU, [](Case& c) { c.attributes.linear_before_reset = 1; },
                [](Problem& p) { p.attributes.linear_before_reset.reset(); }),
            "with linear_before_reset=1");
  EXPECT_EQ(said_of_export(
                Operator::LSTM, [](Case& c) { c.attributes.direction = "reverse"; },
                [](Problem& p) { p.attributes.direction.reset(); }),
            "with direction=reverse");
  EXPECT_EQ(said_of_export(
                Operator::LSTM,
                [](Case& c) {
                  c.attributes.activations = {{"HardSigmoid", "Relu", "Tanh"}};
                },
                [](Problem& p) { p.attributes.activations.reset(); }),
            "with activations=HardSigmoid,Relu,Tanh");
}

TEST(NearestNode, IsNoneWhereTheWeightsAreOthers) {
  EXPECT_EQ(said_of_export(Operator::LSTM, {},
                           [](Problem& p) {
                             Tensor& W = *p.inputs[input::W].tensor;
                             for (std::size_t k = 0; k < W.size(); ++k) W.set_value(k, 0.5 * W.value(k));
                           }),
            "");
}

}  // namespace
}  // namespace cellproof::oracle
