// The node that outputs do follow from: computed with one node, judged beside another.
#include "oracle/nearest_node.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "lab/zoo/zoo.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using ::testing::StartsWith;

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

void forget(Problem& problem, std::size_t position) {
  problem.inputs[position] = {Presence::Empty, Source::GraphInput, {}};
}

/// "NAME 0.123,...": the first number of what the framework had.
std::string first_of(Operator op, std::size_t position, std::size_t other = 0) {
  const Problem problem = testing::some_problem(op, ElementType::Float, [](Case& c) { c.T = 6; });
  const Tensor& tensor = *problem.input(position);
  const double value = tensor.value(0) + (other > 0 ? tensor.value(other) : 0);
  return fmt::format("{} {:.3g},", input_names(op)[position], value);
}

/// A state that all rows share: in RNN and GRU another row is all that confirms it.
void share_state(Case& c) {
  std::vector<double> all;
  for (int row = 0; row < 3; ++row) all.insert(all.end(), {0.5, -0.25, 0.75, 0.125, -0.5, 0.3125});
  c.inputs[input::initial_h].values = Tensor::from_values(ElementType::Float, {1, 3, 6}, all);
}

TEST(NearestNode, RecoversLostStates) {
  constexpr auto h = input::initial_h, c = input::initial_c;
  const auto lose_h = [](Problem& p) { forget(p, h); };
  const auto lose_c = [](Problem& p) { forget(p, c); };
  const auto linear = [](Case& made) {
    made.attributes.linear_before_reset = 1;
    share_state(made);
  };
  const auto shared = StartsWith("with initial_h 0.5,-0.25,0.75,0.125,-0.5,0.312,... (18 values)");
  EXPECT_THAT(said_of_export(Operator::RNN, share_state, lose_h), shared);
  EXPECT_THAT(said_of_export(Operator::GRU, linear, lose_h), shared);
  EXPECT_THAT(said_of_export(Operator::LSTM, {}, lose_h), StartsWith("with " + first_of(Operator::LSTM, h)));
  EXPECT_THAT(said_of_export(Operator::LSTM, {}, lose_c), StartsWith("with " + first_of(Operator::LSTM, c)));
}

/// One wrong step of an RNN or GRU follows from some state: no row with the same one confirms it.
TEST(NearestNode, TakesNoWrongFirstStepForALostState) {
  const auto lose_h = [](Problem& p) { forget(p, input::initial_h); };
  const auto linear = [](Case& made) { made.attributes.linear_before_reset = 1; };
  EXPECT_EQ(said_of_export(Operator::RNN, {}, lose_h), "");
  EXPECT_EQ(said_of_export(Operator::GRU, linear, lose_h), "");
}

/// B's halves show as their sum alone, but in the candidate of a GRU.
TEST(NearestNode, RecoversALostBias) {
  const auto lose = [](Problem& p) { forget(p, input::B); };
  const auto linear = [](Case& made) { made.attributes.linear_before_reset = 1; };
  constexpr std::size_t H = 6;
  EXPECT_THAT(said_of_export(Operator::RNN, {}, lose), StartsWith("with " + first_of(Operator::RNN, input::B, H)));
  EXPECT_THAT(said_of_export(Operator::GRU, linear, lose),
              StartsWith("with " + first_of(Operator::GRU, input::B, 3 * H)));
  EXPECT_THAT(said_of_export(Operator::LSTM, {}, lose),
              StartsWith("with " + first_of(Operator::LSTM, input::B, 4 * H)));
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
