// Nodes that move elements, against what numpy gives for the same.
#include "corpus/surroundings/moves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <limits>
#include <span>

#include "corpus/surroundings/known_values.hpp"
#include "corpus/testing/files.hpp"
#include "corpus/testing/whole_models.hpp"

namespace cellproof::corpus {
namespace {

using testing::attribute_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Operand known(Tensor tensor) {
  Operand operand;
  operand.shape = tensor.shape();
  operand.known = std::move(tensor);
  return operand;
}

Operand integers(std::vector<std::int64_t> values) {
  const auto bytes = std::as_bytes(std::span(values));
  return known({ElementType::Int64, {std::ssize(values)}, {bytes.begin(), bytes.end()}});
}

/// Numbers 0, 1, 2, ...
Operand counted(Shape shape) {
  Tensor tensor(ElementType::Float, std::move(shape));
  for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, static_cast<double>(k));
  return known(std::move(tensor));
}

void set_ints(onnx::NodeProto& node, const char* name, std::initializer_list<std::int64_t> values) {
  auto& attribute = attribute_of(node, name);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

void set_int(onnx::NodeProto& node, const char* name, std::int64_t value) {
  attribute_of(node, name).set_i(value);
}

std::vector<std::vector<std::uint64_t>> elements_of(const onnx::NodeProto& node, const std::vector<Operand>& inputs,
                                                    std::vector<Shape>* shapes = nullptr) {
  Operands operands;
  for (const Operand& input : inputs) operands.push_back(&input);
  std::vector<std::vector<std::uint64_t>> result;
  const std::vector<Move> moves = moves_of(node, operands, "model").value();
  for (const Move& move : moves) {
    result.emplace_back();
    // 100 for each input before the one that it comes from
    for (const auto& [from, element] : move.from) result.back().push_back(100 * from + element);
    if (shapes != nullptr) shapes->push_back(move.shape);
  }
  return result;
}

TEST(Moves, KeepTheOrderWhereOnlyTheShapeChanges) {
  std::vector<Shape> shapes;
  auto squeeze_all = testing::node_of("Squeeze", {"x"}, {"y"}),
       squeeze_one = testing::node_of("Squeeze", {"x", "axes"}, {"y"});
  auto unsqueeze = testing::node_of("Unsqueeze", {"x"}, {"y"}), flatten = testing::node_of("Flatten", {"x"}, {"y"});
  set_ints(unsqueeze, "axes", {0, -1});
  for (const auto& [node, inputs] : std::vector<std::pair<onnx::NodeProto, std::vector<Operand>>>{
           {squeeze_all, {counted({1, 3, 1, 2})}},
           {squeeze_one, {counted({1, 3, 1, 2}), integers({-2})}},
           {unsqueeze, {counted({3, 2})}},
           {flatten, {counted({1, 3, 1, 2})}},
           {testing::node_of("Identity", {"x"}, {"y"}), {counted({3, 2})}},
           {testing::node_of("Reshape", {"x", "shape"}, {"y"}), {counted({3, 2, 1}), integers({0, -1})}}})
    EXPECT_THAT(elements_of(node, inputs, &shapes), ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5)));
  EXPECT_THAT(shapes,
              ElementsAre(Shape{3, 2}, Shape{1, 3, 2}, Shape{1, 3, 2, 1}, Shape{1, 6}, Shape{3, 2}, Shape{3, 2}));
}

TEST(Moves, TransposeByPermOrTheOtherWayRound) {
  auto node = testing::node_of("Transpose", {"x"}, {"y"});
  EXPECT_THAT(elements_of(node, {counted({2, 3})}), ElementsAre(ElementsAre(0, 3, 1, 4, 2, 5)));
  set_ints(node, "perm", {1, 2, 0});
  std::vector<Shape> shapes;
  EXPECT_THAT(elements_of(node, {counted({2, 1, 3})}, &shapes), ElementsAre(ElementsAre(0, 3, 1, 4, 2, 5)));
  EXPECT_THAT(shapes, ElementsAre(Shape{1, 3, 2}));
}

TEST(Moves, SliceFromEitherEnd) {
  const auto sliced = [](const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& end,
                         const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& steps) {
    const auto node = testing::node_of("Slice", {"x", "starts", "ends", "axes", "steps"}, {"y"});
    return elements_of(node, {counted({3, 4}), integers(start), integers(end), integers(axes), integers(steps)}).at(0);
  };
  constexpr auto most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  EXPECT_THAT(sliced({-1}, {most}, {0}, {1}), ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(sliced({1, 0}, {most, 3}, {1, 0}, {2, 2}), ElementsAre(1, 3, 9, 11));
  EXPECT_THAT(sliced({-1}, {least}, {-1}, {-2}), ElementsAre(3, 1, 7, 5, 11, 9));
  EXPECT_THAT(sliced({2}, {1}, {0}, {1}), ElementsAre());
  auto of_opset_1 = testing::node_of("Slice", {"x"}, {"y"});
  set_ints(of_opset_1, "starts", {1});
  set_ints(of_opset_1, "ends", {2});
  EXPECT_THAT(elements_of(of_opset_1, {counted({3, 2})}), ElementsAre(ElementsAre(2, 3)));
}

TEST(Moves, SplitIntoEqualPartsOrAsItIsSaid) {
  auto node = testing::node_of("Split", {"x"}, {"a", "b"});
  set_int(node, "axis", 1);
  EXPECT_THAT(elements_of(node, {counted({2, 3})}), ElementsAre(ElementsAre(0, 1, 3, 4), ElementsAre(2, 5)));
  EXPECT_THAT(elements_of(node, {counted({2, 3}), integers({1, 2})}),
              ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2, 4, 5)));
}

TEST(Moves, TakeElementsOfSeveralTensors) {
  auto concat = testing::node_of("Concat", {"x", "z"}, {"y"});
  set_int(concat, "axis", -1);
  EXPECT_THAT(elements_of(concat, {counted({2, 2}), counted({2, 1})}), ElementsAre(ElementsAre(0, 1, 100, 2, 3, 101)));
  auto gather = testing::node_of("Gather", {"x", "indices"}, {"y"});
  set_int(gather, "axis", 1);
  EXPECT_THAT(elements_of(gather, {counted({2, 3}), integers({-1, 0})}), ElementsAre(ElementsAre(2, 0, 5, 3)));
  const auto expand = testing::node_of("Expand", {"x", "shape"}, {"y"});
  std::vector<Shape> shapes;
  EXPECT_THAT(elements_of(expand, {counted({2, 1}), integers({2, 1, 2})}, &shapes),
              ElementsAre(ElementsAre(0, 0, 1, 1, 0, 0, 1, 1)));
  EXPECT_THAT(shapes, ElementsAre(Shape{2, 2, 2}));
}

TEST(Moves, AreNoneOfNodesThatCompute) {
  const Operand x = counted({2});
  EXPECT_FALSE(moves_of(testing::node_of("Relu", {"x"}, {"y"}), {&x}, "model"));
}

TEST(Moves, RefuseInOneLineWhatDoesNotFit) {
  const auto refused = [](const onnx::NodeProto& node, const std::vector<Operand>& inputs) {
    return corpus_error_of([&] { elements_of(node, inputs); });
  };
  auto flat = testing::node_of("Concat", {"x", "z"}, {"y"});
  set_int(flat, "axis", 2);
  EXPECT_THAT(refused(flat, {counted({2, 2}), counted({2, 2})}), HasSubstr("axis 2, expected -2 to 1"));
  const auto reshape = testing::node_of("Reshape", {"x", "shape"}, {"y"}, "r");
  EXPECT_THAT(refused(reshape, {counted({2, 2}), integers({3, -1})}),
              HasSubstr("model: Reshape 'r': shape [3,1], expected as many"));
  EXPECT_THAT(refused(reshape, {counted({2, 2}), integers({1 << 20, 1 << 20})}), HasSubstr("expected a smaller one"));
  EXPECT_THAT(refused(testing::node_of("Expand", {"x", "shape"}, {"y"}), {counted({2, 2}), integers({3, 2})}),
              HasSubstr("that [2,2] fits"));
  auto transpose = testing::node_of("Transpose", {"x"}, {"y"});
  set_ints(transpose, "perm", {0, 0});
  EXPECT_THAT(refused(transpose, {counted({2, 2})}), HasSubstr("each of 2 axes once"));
  Operand of_node;
  of_node.shape = {1};
  of_node.origins = {{0, 0}};
  EXPECT_THAT(refused(reshape, {counted({2, 2}), of_node}), HasSubstr("computed by the recurrent node"));
}

Tensor value_of(const onnx::NodeProto& node, const std::vector<Operand>& inputs) {
  Operands operands;
  for (const Operand& input : inputs) operands.push_back(&input);
  return known_value_of(node, operands, "model", "").value();
}

std::vector<double> numbers_in(const Tensor& tensor) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < tensor.size(); ++k) numbers.push_back(tensor.value(k));
  return numbers;
}

TEST(KnownValues, AreThoseOfShapesAndFillings) {
  auto shape = testing::node_of("Shape", {"x"}, {"y"});
  EXPECT_THAT(numbers_in(value_of(shape, {counted({4, 3, 2})})), ElementsAre(4, 3, 2));
  set_int(shape, "start", -2);
  set_int(shape, "end", 2);
  EXPECT_THAT(numbers_in(value_of(shape, {counted({4, 3, 2})})), ElementsAre(3));
  auto filling = testing::node_of("ConstantOfShape", {"shape"}, {"y"});
  EXPECT_EQ(value_of(filling, {integers({2, 1})}), Tensor(ElementType::Float, {2, 1}));
  auto& seven = *attribute_of(filling, "value").mutable_t();
  seven.set_data_type(onnx::TensorProto::INT64);
  seven.add_dims(1);
  seven.add_int64_data(7);
  EXPECT_THAT(numbers_in(value_of(filling, {integers({2, 1})})), ElementsAre(7, 7));
}

TEST(KnownValues, AreCastWhereNothingIsLeftOpen) {
  auto node = testing::node_of("Cast", {"x"}, {"y"});
  set_int(node, "to", onnx::TensorProto::FLOAT16);
  EXPECT_EQ(value_of(node, {counted({3})}),
            Tensor::from_values(ElementType::Float16, {3}, std::vector<double>{0, 1, 2}));
  node.mutable_attribute(0)->set_i(onnx::TensorProto::INT32);
  EXPECT_THAT(numbers_in(value_of(node, {integers({5, -3})})), ElementsAre(5, -3));
  const Operand x = counted({1}), large = integers({std::int64_t{1} << 40});
  EXPECT_FALSE(known_value_of(node, {&x}, "model", "")) << "a number cut to an integer";
  EXPECT_FALSE(known_value_of(node, {&large}, "model", "")) << "an integer that does not fit";
}

TEST(KnownValues, AreDequantizedByTensorAndByAxis) {
  auto node = testing::node_of("DequantizeLinear", {"x", "s", "z"}, {"y"});
  const auto codes = [](std::vector<double> values) {
    return known(Tensor::from_values(ElementType::UInt8, {2, 2}, values));
  };
  const auto floats = [](std::vector<double> values) {
    return known(Tensor::from_values(ElementType::Float, {std::ssize(values)}, values));
  };
  const auto zeros = [](std::vector<double> values) {
    return known(Tensor::from_values(ElementType::UInt8, {std::ssize(values)}, values));
  };
  EXPECT_THAT(numbers_in(value_of(node, {codes({128, 0, 255, 130}), floats({0.5}), zeros({128})})),
              ElementsAre(0, -64, 63.5, 1));
  EXPECT_THAT(numbers_in(value_of(node, {codes({1, 2, 3, 4}), floats({1, 10}), zeros({0, 1})})),
              ElementsAre(1, 10, 3, 30));
  set_int(node, "axis", 0);
  EXPECT_THAT(numbers_in(value_of(node, {codes({1, 2, 3, 4}), floats({1, 10}), zeros({0, 1})})),
              ElementsAre(1, 2, 20, 30));
  EXPECT_THAT(numbers_in(value_of(node, {codes({1, 2, 3, 4}), floats({0.1}), zeros({0})})),
              ElementsAre(0.1F, 2 * static_cast<double>(0.1F), static_cast<float>(3 * static_cast<double>(0.1F)),
                          4 * static_cast<double>(0.1F)));
}

TEST(KnownValues, AreQuantizedWhereEveryWayToRoundAgrees) {
  const auto node = testing::node_of("QuantizeLinear", {"x", "s", "z"}, {"y"});
  const auto floats = [](std::vector<double> values) {
    return known(Tensor::from_values(ElementType::Float, {std::ssize(values)}, values));
  };
  const auto zero = [](ElementType type, double value) {
    return known(Tensor::from_values(type, {1}, std::vector<double>{value}));
  };
  const Operand x = floats({0.25, 0.75, -0.75, 1e6, -1e6, 3});
  EXPECT_THAT(numbers_in(value_of(node, {x, floats({0.5}), zero(ElementType::Int8, 0)})),
              ElementsAre(0, 2, -2, 127, -128, 6));
  EXPECT_THAT(numbers_in(value_of(node, {floats({3, -1e6}), floats({0.5}), zero(ElementType::UInt8, 128)})),
              ElementsAre(134, 0));
  const auto refusal = [&](double number, double step, double zero_point) {
    const Operand in = floats({number}), scale = floats({step}), zeros = zero(ElementType::UInt8, zero_point);
    return corpus_error_of([&] { known_value_of(node, {&in, &scale, &zeros}, "model", ""); });
  };
  EXPECT_THAT(refusal(0.25, 0.5, 127), HasSubstr("between two codes")) << "0 + 127 or 127.5 rounded";
  EXPECT_THAT(refusal(0.35, 0.1, 0), HasSubstr("between two codes")) << "a tie in float, none exactly";
  EXPECT_THAT(numbers_in(value_of(node, {floats({0.36}), floats({0.1}), zero(ElementType::UInt8, 127)})),
              ElementsAre(131));
}

}  // namespace
}  // namespace cellproof::corpus
