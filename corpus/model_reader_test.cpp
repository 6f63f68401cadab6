#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "corpus/model.hpp"
#include "corpus/testing/cases.hpp"
#include "corpus/testing/files.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ModelNode read(const onnx::ModelProto& model) {
  return from_model(model.SerializeAsString(), "model.onnx");
}

onnx::ModelProto model_of(const Problem& problem) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(to_model(problem)));
  return model;
}

Problem plain_problem(OperatorVersion version = {Operator::LSTM, 14}) {
  return make_problem(plain_case(version, ElementType::Float, 5, 3, 4, 6));
}

/// The tensors of the graph inputs, in their order.
std::vector<Tensor> fed(const Problem& problem) {
  std::vector<Tensor> result;
  for (const auto& in : problem.inputs) {
    if (in.presence == Presence::Given && in.source == Source::GraphInput) result.push_back(*in.tensor);
  }
  return result;
}

TEST(ModelReader, EveryVersionComesBackAsItWas) {
  for (const Case& c : varied_cases(20)) {
    const Problem problem = as_written(make_problem(c));
    const auto model = from_model(to_model(problem), "model.onnx");
    EXPECT_EQ(bind_inputs(model, fed(problem), "data"), problem) << to_string(c.version) << " seed " << c.seed;
    EXPECT_EQ(model.opset, c.version.since_version);
  }
}

RC_GTEST_PROP(ModelReader, RoundTripsAnyCase, ()) {
  const auto versions = all_operator_versions();
  const auto version = versions[*rc::gen::inRange<std::size_t>(0, versions.size())];
  const Problem problem = as_written(make_problem(varied_case(version, *rc::gen::arbitrary<std::uint64_t>())));
  const auto model = from_model(to_model(problem), "model.onnx");
  RC_ASSERT(bind_inputs(model, fed(problem), "data") == problem);
}

TEST(ModelReader, NamesGraphInputsAndOutputsByPosition) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6);
  c.inputs[input::initial_h].presence = Presence::Given;
  c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  const auto model = from_model(to_model(make_problem(c)), "model.onnx");
  EXPECT_THAT(model.graph_inputs, ElementsAre("X", "initial_h"));
  EXPECT_THAT(model.input_positions, ElementsAre(0, 5));
  EXPECT_THAT(model.graph_outputs, ElementsAre("Y_h", "Y_c"));
  EXPECT_THAT(model.output_positions, ElementsAre(1, 2));
  EXPECT_EQ(model.node_name, "LSTM");
}

TEST(ModelReader, KeepsTheGraphsOrderWhateverTheNodes) {
  auto proto = model_of(make_problem([] {
    Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6);
    c.inputs[input::initial_h].presence = Presence::Given;
    return c;
  }()));
  proto.mutable_graph()->mutable_input()->SwapElements(0, 1);
  proto.mutable_graph()->mutable_output()->SwapElements(0, 2);
  const auto model = read(proto);
  EXPECT_THAT(model.input_positions, ElementsAre(5, 0));
  EXPECT_THAT(model.output_positions, ElementsAre(2, 1, 0));
}

/// As exporters of Keras write it: one tensor of zeros for both states.
TEST(ModelReader, TakesOneGraphInputForTwoInputsOfTheNode) {
  auto proto = model_of(make_problem([] {
    Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6);
    c.inputs[input::initial_h].presence = c.inputs[input::initial_c].presence = Presence::Given;
    return c;
  }()));
  auto& graph = *proto.mutable_graph();
  for (int k = 0; k < graph.input_size(); ++k)
    if (graph.input(k).name() == "initial_c") graph.mutable_input()->DeleteSubrange(k, 1);
  graph.mutable_node(0)->set_input(static_cast<int>(input::initial_c), "initial_h");
  const auto model = read(proto);
  EXPECT_THAT(model.graph_inputs, ElementsAre("X", "initial_h"));
  Tensor state(ElementType::Float, {1, 3, 6});
  state.set_value(4, 0.5);
  const Problem problem = bind_inputs(model, {Tensor(ElementType::Float, {5, 3, 4}), state}, "data");
  EXPECT_EQ(*problem.input(input::initial_h), state);
  EXPECT_EQ(*problem.input(input::initial_c), state);
}

TEST(ModelReader, AnOutputThatTheGraphDoesNotShowIsEmpty) {
  auto proto = model_of(plain_problem());
  proto.mutable_graph()->mutable_output()->DeleteSubrange(0, 1);
  const auto model = read(proto);
  EXPECT_THAT(model.problem.outputs, ElementsAre(Presence::Empty, Presence::Given, Presence::Given));
  EXPECT_THAT(model.output_positions, ElementsAre(1, 2));
}

TEST(ModelReader, TakesTheVersionFromTheImportedOpset) {
  for (const auto& [opset, version] :
       {std::pair{1, 1}, {6, 1}, {7, 7}, {13, 7}, {14, 14}, {21, 14}, {22, 22}, {28, 22}}) {
    auto proto = model_of(plain_problem());
    proto.mutable_opset_import(0)->set_version(opset);
    EXPECT_EQ(read(proto).problem.version, (OperatorVersion{Operator::LSTM, version})) << opset;
    EXPECT_EQ(read(proto).opset, opset);
  }
  auto spelled_out = model_of(plain_problem());
  spelled_out.mutable_opset_import(0)->set_domain("ai.onnx");
  spelled_out.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
  EXPECT_EQ(read(spelled_out).opset, 14);
}

TEST(ModelReader, TheNewestOpsetIsThatOfThePinnedOnnx) {
  EXPECT_EQ(newest_opset, nlohmann::json::parse(std::ifstream(CELLPROOF_ONNX_SCHEMAS)).at("newest_opset"));
}

TEST(ModelReader, ConstantNodesAreTold) {
  Problem problem = plain_problem();
  auto proto = model_of(problem);
  problem.inputs[input::W].source = Source::ConstantNode;
  auto& graph = *proto.mutable_graph();
  auto& constant = *graph.add_node();
  constant.set_op_type("Constant");
  constant.add_output("W");
  auto& value = *constant.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  value.mutable_t()->Swap(graph.mutable_initializer(0));
  graph.mutable_initializer()->DeleteSubrange(0, 1);
  EXPECT_EQ(bind_inputs(read(proto), fed(problem), "data"), as_written(problem));
}

TEST(ModelReader, ConstantNodesMayBeListsOrScalars) {
  auto proto = model_of(plain_problem({Operator::RNN, 14}));
  auto& graph = *proto.mutable_graph();
  const auto add_constant = [&](const char* output, const char* attribute) -> onnx::AttributeProto& {
    auto& node = *graph.add_node();
    node.set_op_type("Constant");
    node.add_output(output);
    graph.mutable_node(0)->add_input(output);
    node.add_attribute()->set_name(attribute);
    return *node.mutable_attribute(0);
  };
  auto& floats = add_constant("b", "value_floats");
  floats.add_floats(1.5F);
  floats.add_floats(2.5F);
  add_constant("lens", "value_ints").add_ints(7);
  add_constant("h", "value_float").set_f(0.25F);
  add_constant("extra", "value_int").set_i(-3);
  const auto& inputs = read(proto).problem.inputs;
  ASSERT_EQ(inputs.size(), 7U);
  EXPECT_EQ(inputs[3].tensor->value({1}), 2.5);
  EXPECT_EQ(inputs[4].tensor->type(), ElementType::Int64);
  EXPECT_EQ(inputs[5].tensor->rank(), 0U);
  EXPECT_EQ(inputs[6].tensor->integer(0), -3);
  EXPECT_EQ(inputs[6].source, Source::ConstantNode);
}

TEST(ModelReader, InitializersThatAreGraphInputsTooAreInitializers) {
  const Problem problem = plain_problem();
  auto proto = model_of(problem);
  proto.set_ir_version(3);
  for (const auto& initializer : proto.graph().initializer()) {
    auto& info = *proto.mutable_graph()->add_input();
    info.set_name(initializer.name());
    info.mutable_type()->mutable_tensor_type()->set_elem_type(initializer.data_type());
  }
  const auto model = read(proto);
  EXPECT_THAT(model.graph_inputs, ElementsAre("X"));
  EXPECT_EQ(bind_inputs(model, fed(problem), "data"), as_written(problem));
}

TEST(ModelReader, OneInitializerMayFeedTwoInputs) {
  auto proto = model_of(plain_problem());
  auto& node = *proto.mutable_graph()->mutable_node(0);
  for (const char* name : {"", "", "zeros", "zeros"}) node.add_input(name);
  auto& zeros = *proto.mutable_graph()->add_initializer();
  ASSERT_TRUE(zeros.ParseFromString(to_tensor_proto(Tensor(ElementType::Float, {1, 3, 6}), "zeros")));
  const auto model = read(proto);
  EXPECT_EQ(model.problem.input(input::initial_h)->shape(), (Shape{1, 3, 6}));
  EXPECT_EQ(model.problem.inputs[input::initial_h], model.problem.inputs[input::initial_c]);
}

TEST(ModelReader, UnknownAndMistypedAttributesAreOthers) {
  auto proto = model_of(plain_problem());
  auto& node = *proto.mutable_graph()->mutable_node(0);
  auto& clip = *node.add_attribute();
  clip.set_name("clip");
  clip.set_type(onnx::AttributeProto::INT);
  clip.set_i(3);
  auto& mystery = *node.add_attribute();
  mystery.set_name("mystery");
  mystery.set_type(onnx::AttributeProto::STRINGS);
  const auto attributes = read(proto).problem.attributes;
  EXPECT_FALSE(attributes.clip);
  EXPECT_THAT(attributes.others, ElementsAre(OtherAttribute{"clip", std::int64_t{3}},
                                             OtherAttribute{"mystery", std::vector<std::string>{}}));
}

TEST(ModelReader, AnAttributeWrittenAgainIsAnother) {
  auto proto = model_of(plain_problem());
  auto& node = *proto.mutable_graph()->mutable_node(0);
  *node.add_attribute() = node.attribute(0);
  const auto attributes = read(proto).problem.attributes;
  EXPECT_EQ(attributes.hidden_size, 6);
  EXPECT_THAT(attributes.others, ElementsAre(OtherAttribute{"hidden_size", std::int64_t{6}}));
}

TEST(ModelReader, BindingChecksNumberTypeAndShape) {
  const auto model = from_model(to_model(plain_problem()), "model.onnx");
  EXPECT_THAT(corpus_error_of([&] { bind_inputs(model, {}, "set"); }), HasSubstr("set: 0 input tensors, expected 1"));
  EXPECT_THAT(corpus_error_of([&] {
                bind_inputs(model, {Tensor(ElementType::Double, {5, 3, 4})}, "set");
              }),
              HasSubstr("input 'X' is double [5,3,4], expected float [5,3,4] as the graph declares"));
  EXPECT_THAT(corpus_error_of([&] {
                bind_inputs(model, {Tensor(ElementType::Float, {5, 3})}, "set");
              }),
              HasSubstr("input 'X' is float [5,3]"));
}

TEST(ModelReader, BindingLetsSymbolsTakeAnySize) {
  auto proto = model_of(plain_problem());
  auto& dims = *proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  dims.mutable_dim(0)->set_dim_param("seq");
  dims.mutable_dim(1)->clear_value();
  EXPECT_EQ(bind_inputs(read(proto), {Tensor(ElementType::Float, {9, 8, 4})}, "set").input(input::X)->shape(),
            (Shape{9, 8, 4}));
  proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_EQ(bind_inputs(read(proto), {Tensor(ElementType::Float, {1})}, "set").input(input::X)->shape(), Shape{1});
}

}  // namespace
}  // namespace cellproof::corpus
