// A recurrent node read out of the graph that an exporter puts around it.
#include "corpus/surroundings/node_among_moves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include "corpus/testing/files.hpp"
#include "corpus/testing/whole_models.hpp"

namespace cellproof::corpus {
namespace {

using testing::add_integer;
using testing::attribute_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t steps = 3, rows = 2, inputs = testing::model_inputs, hidden = testing::model_hidden;

void set_perm(onnx::NodeProto& node, std::initializer_list<std::int64_t> perm) {
  auto& attribute = attribute_of(node, "perm");
  for (const std::int64_t axis : perm) attribute.add_ints(axis);
}

void set_direction(onnx::NodeProto& node, const char* direction) {
  attribute_of(node, "direction").set_s(direction);
}

void add_list(onnx::GraphProto& graph, const char* name, std::initializer_list<std::int64_t> values) {
  auto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
}

void write_zeros(onnx::GraphProto& graph, const char* name, const Shape& shape) {
  write_tensor(Tensor(ElementType::Float, shape), name, *graph.add_initializer());
}

Tensor numbered(Shape shape) {
  Tensor tensor(ElementType::Float, std::move(shape));
  for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, static_cast<double>(k) + 1);
  return tensor;
}

/// As Keras has it: x is [N,T,I], W lacks its first axis, the states are zeros of the size of the batch.
onnx::ModelProto model_of_keras() {
  onnx::ModelProto model = testing::empty_model();
  auto& graph = *model.mutable_graph();
  add_list(graph, "axes", {0});
  add_list(graph, "second", {1});
  add_list(graph, "one", {1});
  add_list(graph, "hidden", {hidden});
  add_integer(graph, "zero", 0);
  write_zeros(graph, "W", {4 * hidden, inputs});
  write_zeros(graph, "R", {1, 4 * hidden, hidden});
  auto turned = testing::node_of("Transpose", {"x"}, {"xt"});
  set_perm(turned, {1, 0, 2});
  *graph.add_node() = turned;
  *graph.add_node() = testing::node_of("Unsqueeze", {"W", "axes"}, {"W3"});
  *graph.add_node() = testing::node_of("Shape", {"x"}, {"shape"});
  *graph.add_node() = testing::node_of("Gather", {"shape", "zero"}, {"batch"});
  *graph.add_node() = testing::node_of("Unsqueeze", {"batch", "axes"}, {"batch1"});
  auto shape = testing::node_of("Concat", {"one", "batch1", "hidden"}, {"of_state"});
  attribute_of(shape, "axis").set_i(0);
  *graph.add_node() = shape;
  *graph.add_node() = testing::node_of("ConstantOfShape", {"of_state"}, {"h0"});
  *graph.add_node() = testing::recurrent_node(Operator::LSTM, {"xt", "W3", "R", "", "", "h0", "h0"}, {"Y"}, "cell");
  return model;
}

/// Y alone, of a GRU without states: [T,D,N,H].
onnx::ModelProto model_with_y(const char* direction) {
  onnx::ModelProto model = testing::empty_model();
  auto& graph = *model.mutable_graph();
  const std::int64_t directions = std::string_view(direction) == "bidirectional" ? 2 : 1;
  write_zeros(graph, "W", {directions, 3 * hidden, inputs});
  write_zeros(graph, "R", {directions, 3 * hidden, hidden});
  auto node = testing::recurrent_node(Operator::GRU, {"x", "W", "R"}, {"Y"}, "cell");
  set_direction(node, direction);
  *graph.add_node() = node;
  return model;
}

void add_slice_of_steps(onnx::ModelProto& model, std::int64_t from, std::int64_t to) {
  auto& graph = *model.mutable_graph();
  add_list(graph, "from", {from});
  add_list(graph, "to", {to});
  *graph.add_node() = testing::node_of("Slice", {"Y", "from", "to"}, {"yh"});
}

JoinedNode seen_in(const onnx::ModelProto& model, const std::vector<Tensor>& given, const Outputs& outputs) {
  return NodesAmongMoves::read(model.SerializeAsString(), "model", "").value().seen(given, outputs, "data").at(0);
}

std::string refusal_of(const onnx::ModelProto& model, const Outputs& outputs) {
  return corpus_error_of([&] { seen_in(model, {numbered({steps, rows, inputs})}, outputs); });
}

TEST(NodesAmongMoves, IsReadAsKerasExportsIt) {
  onnx::ModelProto model = model_of_keras();
  auto& graph = *model.mutable_graph();
  *graph.add_node() = testing::node_of("Squeeze", {"Y", "second"}, {"y3"});
  auto turned = testing::node_of("Transpose", {"y3"}, {"yh"});
  set_perm(turned, {1, 0, 2});
  *graph.add_node() = turned;
  const Tensor x = numbered({rows, steps, inputs}), z = numbered({rows, steps, hidden});
  const JoinedNode node = seen_in(model, {x}, {z});
  EXPECT_EQ(node.opset, 14);
  EXPECT_EQ(node.problem.version, (OperatorVersion{Operator::LSTM, 14}));
  EXPECT_EQ(node.problem.inputs[input::W].tensor->shape(), (Shape{1, 4 * hidden, inputs}));
  EXPECT_EQ(node.problem.inputs[input::W].source, Source::Initializer);
  EXPECT_EQ(node.problem.inputs[input::X].source, Source::GraphInput);
  EXPECT_EQ(*node.problem.inputs[input::initial_c].tensor, Tensor(ElementType::Float, {1, rows, hidden}));
  ASSERT_TRUE(node.outputs.at(output::Y));
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t n = 0; n < rows; ++n) {
      for (std::int64_t k = 0; k < inputs; ++k)
        EXPECT_EQ(node.problem.input(input::X)->value({t, n, k}), x.value({n, t, k}));
      for (std::int64_t h = 0; h < hidden; ++h)
        EXPECT_EQ(node.outputs[output::Y]->value({t, 0, n, h}), z.value({n, t, h}));
    }
}

TEST(NodesAmongMoves, IsReadWithBothDirectionsInOneAxis) {
  onnx::ModelProto model = model_with_y("bidirectional");
  auto& graph = *model.mutable_graph();
  auto turned = testing::node_of("Transpose", {"Y"}, {"y4"});
  set_perm(turned, {0, 2, 1, 3});
  *graph.add_node() = turned;
  add_list(graph, "framework", {0, 0, -1});
  *graph.add_node() = testing::node_of("Reshape", {"y4", "framework"}, {"yh"});
  const Tensor z = numbered({steps, rows, 2 * hidden});
  const JoinedNode node = seen_in(model, {numbered({steps, rows, inputs})}, {z});
  for (std::int64_t d = 0; d < 2; ++d)
    EXPECT_EQ(node.outputs.at(output::Y)->value({2, d, 1, 3}), z.value({2, 1, d * hidden + 3}));
}

TEST(NodesAmongMoves, TakesTheLastStepOfYForTheFinalState) {
  const Tensor last = numbered({1, 1, rows, hidden});
  for (const auto& [direction, from] : {std::pair("forward", steps - 1), std::pair("reverse", std::int64_t{0})}) {
    onnx::ModelProto model = model_with_y(direction);
    add_slice_of_steps(model, from, from + 1);
    const JoinedNode node = seen_in(model, {numbered({steps, rows, inputs})}, {last});
    EXPECT_THAT(node.problem.outputs, ElementsAre(Presence::Empty, Presence::Given));
    EXPECT_FALSE(node.outputs.at(output::Y));
    EXPECT_EQ(node.outputs.at(output::Y_h)->value({0, 1, 2}), last.value({0, 0, 1, 2}));
  }
}

TEST(NodesAmongMoves, TakesNoOtherStepForTheFinalState) {
  const Tensor step = numbered({1, 1, rows, hidden});
  onnx::ModelProto first = model_with_y("forward"), ragged = model_with_y("forward");
  add_slice_of_steps(first, 0, 1);
  add_slice_of_steps(ragged, steps - 1, steps);
  auto& lengths = *ragged.mutable_graph()->add_initializer();
  write_tensor(Tensor::from_values(ElementType::Int32, {rows}, std::vector<double>{2, 3}), "lengths", lengths);
  auto& cell = *ragged.mutable_graph()->mutable_node(0);
  cell.add_input("");
  cell.add_input("lengths");
  for (const auto& model : {first, ragged})
    EXPECT_THAT(refusal_of(model, {step}), HasSubstr("the outputs show 10 of 30 elements of Y, expected all of Y"));
}

TEST(NodesAmongMoves, SaysWhatComputesInTheWay) {
  onnx::ModelProto behind = model_with_y("forward"), before = model_with_y("forward");
  *behind.mutable_graph()->add_node() = testing::node_of("Relu", {"Y"}, {"yh"}, "head");
  EXPECT_THAT(refusal_of(behind, {std::nullopt}),
              HasSubstr("show nothing of the recurrent node; output 'yh' rests on node 'head' (Relu), expected all"));
  auto& graph = *before.mutable_graph();
  const onnx::NodeProto cell = graph.node(0);
  graph.clear_node();
  *graph.add_node() = testing::node_of("Relu", {"W"}, {"loud"});
  *graph.add_node() = cell;
  graph.mutable_node(1)->set_input(1, "loud");
  EXPECT_THAT(
      refusal_of(before, {std::nullopt}),
      HasSubstr("node 'cell' (GRU) takes 'loud', which rests on node '' (Relu), expected nodes before it that"));
}

TEST(NodesAmongMoves, RefusesInOneLineWhatDoesNotFit) {
  onnx::ModelProto model = model_with_y("forward");
  *model.mutable_graph()->add_node() = testing::node_of("Identity", {"Y"}, {"yh"});
  EXPECT_THAT(refusal_of(model, {numbered({steps, rows, hidden})}),
              HasSubstr("data: output 'yh' of shape [3,2,5], expected [3,1,2,5] as the graph gives"));
  EXPECT_THAT(corpus_error_of([&] {
                seen_in(model, {numbered({steps, rows, inputs + 1})}, {std::nullopt});
              }),
              HasSubstr("input 'x' is float [3,2,5], expected float [?,?,4]"));
  model.mutable_graph()->mutable_node(1)->set_input(0, "nobody");
  EXPECT_THAT(refusal_of(model, {std::nullopt}), HasSubstr("tensor 'nobody' is not defined"));
  model.mutable_graph()->mutable_node(1)->set_input(0, "Y");
  write_zeros(*model.mutable_graph(), "Y", {1});
  EXPECT_THAT(refusal_of(model, {std::nullopt}), HasSubstr("tensor 'Y' defined twice"));
  model = model_with_y("forward");
  *model.mutable_graph()->add_node() = testing::node_of("Identity", {"Y"}, {"yh"});
  model.mutable_graph()->mutable_node(0)->set_input(2, "W");
  model.mutable_graph()->mutable_initializer(0)->mutable_dims()->erase(model.graph().initializer(0).dims().begin());
  EXPECT_THAT(refusal_of(model, {std::nullopt}), HasSubstr("expected X and R of three dimensions"));
}

/// As torch exports two layers: [T,D,N,H] -> [T,N,D*H] by Transpose and Reshape.
TEST(NodesAmongMoves, AreReadOneAfterTheOther) {
  onnx::ModelProto model = model_with_y("bidirectional");
  auto& graph = *model.mutable_graph();
  auto turned = testing::node_of("Transpose", {"Y"}, {"t"});
  set_perm(turned, {0, 2, 1, 3});
  *graph.add_node() = turned;
  add_list(graph, "flat", {0, 0, 2 * hidden});
  *graph.add_node() = testing::node_of("Reshape", {"t", "flat"}, {"x2"});
  write_zeros(graph, "W2", {1, 4 * hidden, 2 * hidden});
  write_zeros(graph, "R2", {1, 4 * hidden, hidden});
  *graph.add_node() = testing::recurrent_node(Operator::LSTM, {"x2", "W2", "R2"}, {"Z"}, "second");
  *graph.add_node() = testing::node_of("Identity", {"Z"}, {"yh"});
  const Tensor z = numbered({steps, 1, rows, hidden});
  const std::vector<JoinedNode> nodes = NodesAmongMoves::read(model.SerializeAsString(), "model", "")
                                            .value()
                                            .seen({numbered({steps, rows, inputs})}, {z}, "data");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].name, "cell");
  EXPECT_TRUE(nodes[0].X_from.empty());
  EXPECT_FALSE(nodes[0].problem.asks_for(output::Y));
  EXPECT_EQ(nodes[1].problem.version.op, Operator::LSTM);
  EXPECT_EQ(nodes[1].outputs.at(output::Y), z);
  const Tensor X = *nodes[1].problem.input(input::X), Y(ElementType::Float, {steps, 2, rows, hidden});
  ASSERT_EQ(X.shape(), (Shape{steps, rows, 2 * hidden}));
  ASSERT_EQ(nodes[1].X_from.size(), X.size());
  for (std::size_t k = 0; k < X.size(); ++k) {
    const auto at = X.index_of(k), from = Y.index_of(nodes[1].X_from[k].element);
    EXPECT_EQ(nodes[1].X_from[k].node, 0U);
    EXPECT_EQ(from, (std::vector<std::int64_t>{at[0], at[2] / hidden, at[1], at[2] % hidden}));
  }
}

TEST(NodesAmongMoves, MayTakeNothingButXFromEachOther) {
  onnx::ModelProto model = model_with_y("forward");
  auto& graph = *model.mutable_graph();
  graph.mutable_node(graph.node_size() - 1)->add_output("state");
  *graph.add_node() = testing::recurrent_node(Operator::GRU, {"x", "W", "R", "", "", "state"}, {"yh"}, "second");
  EXPECT_THAT(refusal_of(model, {std::nullopt}),
              HasSubstr("node 'second' (GRU) takes 'state' from another recurrent node, expected X alone from there"));
}

TEST(NodesAmongMoves, IsNoneWhereAnotherReaderIsRight) {
  for (const auto& model : {testing::model_at_top(), testing::model_with_if(), testing::model_with_loop()})
    EXPECT_FALSE(NodesAmongMoves::read(model.SerializeAsString(), "model", ""));
}

}  // namespace
}  // namespace cellproof::corpus
