#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <chrono>

#include "corpus/model.hpp"
#include "corpus/testing/cases.hpp"
#include "corpus/testing/onnx_checker.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::ElementsAre;

onnx::ModelProto parsed(const Problem& problem) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(to_model(problem)));
  return model;
}

std::vector<std::string> names_of(const auto& list) {
  std::vector<std::string> result;
  for (const auto& item : list) result.push_back(item.name());
  return result;
}

std::string shape_of(const onnx::ValueInfoProto& info) {
  std::string result;
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    const std::string symbol = dim.dim_param().empty() ? "?" : dim.dim_param();
    result += (result.empty() ? "" : ",") + (dim.has_dim_value() ? std::to_string(dim.dim_value()) : symbol);
  }
  return result;
}

TEST(ModelWriter, WritesOneNodeUnderFormalNames) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6);
  c.inputs[input::sequence_lens].presence = Presence::Given;
  c.inputs[input::initial_c].presence = Presence::Empty;
  c.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  const auto model = parsed(make_problem(c));
  const auto& graph = model.graph();
  ASSERT_EQ(graph.node_size(), 1);
  EXPECT_EQ(graph.node(0).op_type(), "LSTM");
  EXPECT_EQ(graph.node(0).domain(), "");
  EXPECT_THAT(graph.node(0).input(), ElementsAre("X", "W", "R", "", "sequence_lens", "", ""));
  EXPECT_THAT(graph.node(0).output(), ElementsAre("", "Y_h", "Y_c"));
  EXPECT_THAT(names_of(graph.input()), ElementsAre("X", "sequence_lens"));
  EXPECT_THAT(names_of(graph.initializer()), ElementsAre("W", "R"));
  EXPECT_THAT(names_of(graph.output()), ElementsAre("Y_h", "Y_c"));
  EXPECT_EQ(shape_of(graph.input(0)), "5,3,4");
  EXPECT_EQ(shape_of(graph.output(0)), "1,3,6");
  EXPECT_EQ(graph.input(1).type().tensor_type().elem_type(), onnx::TensorProto::INT32);
}

TEST(ModelWriter, StampsTheLowestOpsetThatMeansTheVersion) {
  for (const auto version : all_operator_versions()) {
    EXPECT_EQ(lowest_opset(version), version.since_version);
    const auto model = parsed(make_problem(plain_case(version, ElementType::Float, 1, 1, 1, 1)));
    EXPECT_EQ(model.ir_version(), 8);
    ASSERT_GE(model.opset_import_size(), 1);
    EXPECT_EQ(model.opset_import(0).domain(), domain(version.op));
    EXPECT_EQ(model.opset_import(0).version(), version.since_version);
    if (version.op != Operator::DynamicQuantizeLSTM) {
      EXPECT_EQ(model.opset_import_size(), 1);
      continue;
    }
    ASSERT_EQ(model.opset_import_size(), 2);
    EXPECT_EQ(model.opset_import(1).domain(), "");
  }
}

TEST(ModelWriter, GivesOutputShapesByDirectionAndLayout) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Double, 5, 3, 4, 6);
  c.attributes.direction = "bidirectional";
  EXPECT_EQ(shape_of(parsed(make_problem(c)).graph().output(0)), "5,2,3,6");
  c.attributes.layout = 1;
  const auto model = parsed(make_problem(c));
  EXPECT_EQ(shape_of(model.graph().output(0)), "3,5,2,6");
  EXPECT_EQ(shape_of(model.graph().output(2)), "3,2,6");
  EXPECT_EQ(model.graph().output(0).type().tensor_type().elem_type(), onnx::TensorProto::DOUBLE);
}

/// Shapes of X, sequence_lens, initial_h, Y and Y_h.
std::vector<std::string> declared_shapes(Dims dims, std::int64_t layout) {
  Case c = plain_case({Operator::GRU, 14}, ElementType::Float, 5, 3, 4, 6);
  for (const auto position : {input::sequence_lens, input::initial_h}) c.inputs[position].presence = Presence::Given;
  c.attributes.layout = layout;
  c.presentation.dims = dims;
  const auto graph = parsed(make_problem(c)).graph();
  std::vector<std::string> shapes;
  for (const auto& info : graph.input()) shapes.push_back(shape_of(info));
  for (const auto& info : graph.output()) shapes.push_back(shape_of(info));
  return shapes;
}

TEST(ModelWriter, DeclaresSizesAsThePresentationSays) {
  EXPECT_THAT(declared_shapes(Dims::Steps, 0), ElementsAre("T,3,4", "3", "1,3,6", "T,1,3,6", "1,3,6"));
  EXPECT_THAT(declared_shapes(Dims::Batch, 0), ElementsAre("5,N,4", "N", "1,N,6", "5,1,N,6", "1,N,6"));
  EXPECT_THAT(declared_shapes(Dims::StepsAndBatch, 1), ElementsAre("N,T,4", "N", "N,1,6", "N,T,1,6", "N,1,6"));
  EXPECT_THAT(declared_shapes(Dims::StepsAndBatchOfX, 1), ElementsAre("N,T,4", "3", "3,1,6", "3,5,1,6", "3,1,6"));
  EXPECT_THAT(declared_shapes(Dims::All, 0),
              ElementsAre("T,N,X_2", "N", "initial_h_0,N,initial_h_2", "T,Y_1,N,Y_3", "Y_h_0,N,Y_h_2"));
  EXPECT_THAT(declared_shapes(Dims::Unranked, 0), ElementsAre("5,3,4", "3", "1,3,6", "", ""));
}

/// The checker asks for a shape of each graph output; runtimes do without, and so do files in the field.
TEST(ModelWriter, PresentationsPassTheCheckerButForMissingShapes) {
  OnnxChecker checker, strict;
  for (const Case& each : varied_cases(5)) {
    const Nesting nesting = all_nestings()[each.seed % all_nestings().size()];
    for (const Dims dims : all_dims()) {
      Case c = each;
      c.presentation = {dims, nesting, all_weights()[(each.seed + 1) % 2], all_states()[each.seed % 2]};
      OnnxChecker& asked = dims == Dims::Unranked ? strict : checker;
      asked.add(fmt::format("{}-{}-{}", to_string(c.version), name(dims), asked.models()), to_model(make_problem(c)));
    }
  }
  EXPECT_EQ(checker.complaints(), "");
  const std::string complaints = strict.complaints();
  EXPECT_EQ(std::ranges::count(complaints, '\n'), strict.models());
  EXPECT_THAT(complaints, ::testing::HasSubstr("Field 'shape' of 'type' is required but missing"));
}

TEST(ModelWriter, WritesAttributesAsTheyStand) {
  Case c = plain_case({Operator::RNN, 7}, ElementType::Float, 1, 1, 1, 1);
  c.attributes.activations = std::vector<std::string>{};
  c.attributes.clip = 0.5F;
  c.attributes.others = {{"clip", std::string("wrong")}, {"mystery", std::vector<std::int64_t>{1, 2}}};
  const auto model = parsed(make_problem(c));
  const auto& node = model.graph().node(0);
  EXPECT_THAT(names_of(node.attribute()), ElementsAre("activations", "clip", "hidden_size", "clip", "mystery"));
  EXPECT_EQ(node.attribute(0).type(), onnx::AttributeProto::STRINGS);
  EXPECT_EQ(node.attribute(1).f(), 0.5F);
  EXPECT_EQ(node.attribute(3).s(), "wrong");
  EXPECT_THAT(node.attribute(4).ints(), ElementsAre(1, 2));
}

TEST(ModelWriter, WritesInvalidProblemsToo) {
  Problem problem = make_problem(plain_case({Operator::GRU, 7}, ElementType::Float, 2, 1, 1, 1));
  problem.inputs.resize(8);
  problem.inputs[7] = {Presence::Given, Source::GraphInput, Tensor(ElementType::Int64, {2})};
  problem.inputs[input::R] = {Presence::Empty, Source::GraphInput, std::nullopt};
  problem.outputs.push_back(Presence::Given);
  const auto model = parsed(problem);
  EXPECT_THAT(model.graph().node(0).input(), ElementsAre("X", "W", "", "", "", "", "", "input_7"));
  EXPECT_THAT(model.graph().node(0).output(), ElementsAre("Y", "Y_h", "output_2"));
  EXPECT_EQ(shape_of(model.graph().output(0)), "?,?,?,?");
}

TEST(ModelWriter, RefusesAGivenInputWithoutATensor) {
  Problem problem = make_problem(plain_case({Operator::GRU, 7}, ElementType::Float, 2, 1, 1, 1));
  problem.inputs[input::W].tensor.reset();
  EXPECT_THROW(to_model(problem), std::invalid_argument);
}

TEST(ModelWriter, ExportsPassTheCheckerWithFullShapeInference) {
  OnnxChecker checker;
  for (const Case& c : varied_cases(40))
    checker.add(fmt::format("{}-{}", to_string(c.version), checker.models()), to_model(make_problem(c)));
  EXPECT_EQ(checker.models(), 14 * 40);
  EXPECT_EQ(checker.complaints(), "");
}

TEST(ModelWriter, TheCheckerRefusesWhatIsWrong) {
  auto model = parsed(make_problem(plain_case({Operator::GRU, 7}, ElementType::Float, 2, 1, 1, 1)));
  model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_name("no_attribute_of_GRU");
  OnnxChecker checker;
  checker.add("wrong", model.SerializeAsString());
  EXPECT_THAT(checker.complaints(), ::testing::StartsWith("wrong: "));
}

TEST(ModelWriter, IsFastEnoughToRunForEveryCase) {
  const Problem problem = make_problem(plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6));
  constexpr int rounds = 200;
  const auto start = std::chrono::steady_clock::now();
  std::size_t bytes = 0;
  for (int i = 0; i < rounds; ++i) bytes += to_model(problem).size();
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds_per_model", fmt::format("{:.1f}", spent.count() / rounds));
  EXPECT_GT(bytes, 0U);
  // Aim 50 us; the limit leaves room for sanitizers and a busy machine.
  EXPECT_LT(spent.count() / rounds, 2000.0);
}

}  // namespace
}  // namespace cellproof::corpus
