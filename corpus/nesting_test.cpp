#include "corpus/nesting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <string>

#include "corpus/model.hpp"
#include "spec/case.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::ElementsAre;

Problem lstm(Nesting nesting) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 3, 2, 4, 5);
  c.outputs = {Presence::Given, Presence::Empty, Presence::Given};
  c.presentation.nesting = nesting;
  return make_problem(c);
}

onnx::ModelProto nested_lstm(Nesting nesting) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(to_model(lstm(nesting))));
  return model;
}

/// Types of the nodes, those of inner graphs between parentheses.
std::string nodes_of(const onnx::GraphProto& graph) {
  std::string text;
  for (const auto& node : graph.node()) {
    text += (text.empty() ? "" : " ") + node.op_type();
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) text += "(" + nodes_of(attribute.g()) + ")";
  }
  return text;
}

TEST(Nesting, PutsTheNodeWhereItIsToStand) {
  EXPECT_EQ(nodes_of(nested_lstm(Nesting::Flat).graph()), "LSTM");
  EXPECT_EQ(nodes_of(nested_lstm(Nesting::If).graph()), "Shape Gather Cast If(LSTM)(Constant Constant)");
  EXPECT_EQ(nodes_of(nested_lstm(Nesting::NestedIf).graph()),
            "Shape Gather Cast If(If(LSTM)(Constant Constant))(Constant Constant)");
  EXPECT_EQ(nodes_of(nested_lstm(Nesting::Loop).graph()), "Loop(Identity Identity LSTM) Squeeze Squeeze");
  const auto called = nested_lstm(Nesting::Function);
  EXPECT_EQ(nodes_of(called.graph()), "Recurrence");
  ASSERT_EQ(called.functions_size(), 1);
  EXPECT_THAT(called.functions(0).input(), ElementsAre("X", "W", "R"));
  EXPECT_THAT(called.functions(0).output(), ElementsAre("Y", "Y_c"));
  EXPECT_EQ(called.functions(0).node(0).op_type(), "LSTM");
}

TEST(Nesting, GivesNoNameTwice) {
  const auto model = nested_lstm(Nesting::NestedIf);
  const auto& outer = model.graph().node(3).attribute(0).g();
  const auto& inner = outer.node(0).attribute(0).g();
  EXPECT_THAT(model.graph().node(3).output(), ElementsAre("Y", "Y_c"));
  EXPECT_THAT(outer.node(0).output(), ElementsAre("nesting_Y", "nesting_Y_c"));
  EXPECT_THAT(inner.node(0).output(), ElementsAre("nesting_nesting_Y", "", "nesting_nesting_Y_c"));
}

TEST(Nesting, IsTakenBackWhole) {
  for (const Nesting nesting : all_nestings()) {
    auto model = nested_lstm(nesting);
    EXPECT_EQ(unnest_node(model), nesting);
    EXPECT_EQ(model.SerializeAsString(), nested_lstm(Nesting::Flat).SerializeAsString()) << name(nesting);
  }
}

/// Without an output an If, a Loop or a call gives nothing.
TEST(Nesting, LeavesANodeWithoutOutputsInTheGraph) {
  Problem problem = lstm(Nesting::If);
  problem.outputs.clear();
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(to_model(problem)));
  EXPECT_EQ(nodes_of(model.graph()), "LSTM");
}

/// A model of somebody else's is read node by node, and refused where another node is around the recurrent one.
TEST(Nesting, LeavesForeignModelsAlone) {
  auto model = nested_lstm(Nesting::If);
  model.mutable_graph()->mutable_node(3)->set_name("If_0");
  EXPECT_EQ(unnest_node(model), Nesting::Flat);
  EXPECT_THROW(from_model(model.SerializeAsString(), "model"), CorpusError);
}

}  // namespace
}  // namespace cellproof::corpus
