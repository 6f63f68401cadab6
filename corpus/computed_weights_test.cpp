#include "corpus/computed_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include "corpus/model.hpp"
#include "corpus/testing/cases.hpp"
#include "spec/axes.hpp"
#include "spec/case.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

Problem computed_problem(int version, const char* direction) {
  Case c = plain_case({Operator::LSTM, version}, ElementType::Float, 2, 1, 3, 2);
  c.attributes.direction = direction;
  c.presentation.weights = Weights::Computed;
  return make_problem(c);
}

onnx::ModelProto computed_model(int version, const char* direction) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(to_model(computed_problem(version, direction))));
  return model;
}

std::vector<std::string> operators_of(const onnx::ModelProto& model) {
  std::vector<std::string> list;
  for (const auto& node : model.graph().node()) list.push_back(node.op_type());
  return list;
}

std::vector<std::string> initializers_of(const onnx::ModelProto& model) {
  std::vector<std::string> list;
  for (const auto& tensor : model.graph().initializer()) list.push_back(tensor.name());
  return list;
}

TEST(ComputedWeights, AreMadeAsExportersMakeThem) {
  EXPECT_THAT(operators_of(computed_model(7, "forward")), ElementsAre("Unsqueeze", "Unsqueeze", "LSTM"));
  EXPECT_THAT(initializers_of(computed_model(7, "forward")), UnorderedElementsAre("W_0", "R_0"));
  EXPECT_THAT(operators_of(computed_model(14, "bidirectional")),
              ElementsAre("Unsqueeze", "Unsqueeze", "Concat", "Unsqueeze", "Unsqueeze", "Concat", "LSTM"));
  EXPECT_THAT(initializers_of(computed_model(14, "forward")),
              UnorderedElementsAre("W_0", "W_0_axes", "R_0", "R_0_axes"));
}

TEST(ComputedWeights, AreReadAsTheWeightsThatTheyAre) {
  for (const int version : {1, 7, 14, 22}) {
    for (const char* direction : {"forward", "bidirectional"}) {
      const Problem problem = computed_problem(version, direction);
      const ModelNode read = from_model(to_model(problem), "model");
      EXPECT_EQ(read.problem.presentation, problem.presentation);
      EXPECT_EQ(read.problem.inputs[input::W], problem.inputs[input::W]) << version << " " << direction;
      EXPECT_EQ(read.problem.inputs[input::R], problem.inputs[input::R]) << version << " " << direction;
    }
  }
}

TEST(ComputedWeights, OtherNodesAreLeftAlone) {
  onnx::ModelProto model = computed_model(14, "forward");
  auto& other = *model.mutable_graph()->add_node();
  other.set_op_type("Relu");
  other.add_input("Y");
  const std::string before = model.SerializeAsString();
  EXPECT_EQ(store_computed(model, "model", ""), Weights::Stored);
  EXPECT_EQ(model.SerializeAsString(), before);
}

/// One tensor for both states: fed once, and initial_c is initial_h.
TEST(SharedStates, AreOneGraphInput) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 2, 1, 3, 2);
  c = axis("states").apply(c, "shared");
  const Problem problem = make_problem(c);
  EXPECT_EQ(problem.inputs[input::initial_h].tensor, problem.inputs[input::initial_c].tensor);
  EXPECT_TRUE(shares_states(problem));
  EXPECT_TRUE(is_fed(problem, input::initial_h));
  EXPECT_FALSE(is_fed(problem, input::initial_c));
  const ModelNode read = from_model(to_model(problem), "model");
  EXPECT_THAT(read.graph_inputs, ElementsAre("X", "initial_h"));
  const Problem bound = bind_inputs(read, {*problem.input(input::X), *problem.input(input::initial_h)}, "data");
  EXPECT_EQ(bound, as_written(problem));
}

TEST(SharedStates, AreTwoWhereTheValuesDiffer) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 2, 1, 3, 2);
  Problem problem = make_problem(axis("states").apply(c, "shared"));
  problem.inputs[input::initial_c].tensor->set_value(0, 7);
  EXPECT_FALSE(shares_states(problem));
  EXPECT_THAT(from_model(to_model(problem), "model").graph_inputs, ElementsAre("X", "initial_h", "initial_c"));
}

}  // namespace
}  // namespace cellproof::corpus
