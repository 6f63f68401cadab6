// Inputs of whole models: from .npz, .npy and .pb files, and drawn.
#include "corpus/models/model_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include "corpus/files.hpp"
#include "corpus/model.hpp"
#include "corpus/models/numpy_files.hpp"
#include "corpus/testing/npz.hpp"
#include "corpus/testing/whole_models.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npy(const std::string& header, const std::string& data) {
  std::string text = header + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(text.size());
  bytes += '\0';
  return bytes + text + data;
}

const std::string floats_2_1 =
    npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", std::string("\0\0\x80\x3f\0\0\0\x40", 8));

using testing::npz;

std::string refusal(auto call) {
  try {
    call();
  } catch (const CorpusError& error) {
    return error.what();
  }
  return "";
}

TEST(NumpyFiles, AreReadWithTypeAndShape) {
  const Tensor tensor = from_npy(floats_2_1, "x.npy");
  EXPECT_EQ(tensor, Tensor::from_values(ElementType::Float, {2, 1}, std::vector<double>{1, 2}));
  EXPECT_EQ(from_npz(npz("x.npy", floats_2_1), "in.npz").at("x"), tensor);
  const auto scalar =
      from_npy(npy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", std::string("\7\0\0\0\0\0\0\0", 8)), "");
  EXPECT_EQ(scalar.shape(), Shape{});
  EXPECT_EQ(scalar.integer(0), 7);
}

TEST(NumpyFiles, AreRefusedWithTheReason) {
  const auto said = [](const std::string& bytes) { return refusal([&] { from_npy(bytes, "x.npy"); }); };
  EXPECT_THAT(said("text"), HasSubstr("no .npy header"));
  EXPECT_THAT(said(floats_2_1.substr(0, floats_2_1.size() - 1)), HasSubstr("7 bytes of data"));
  EXPECT_THAT(said(npy("{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }", "")), HasSubstr("'<U4'"));
  EXPECT_THAT(said(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1), }", "")),
              HasSubstr("ascontiguousarray"));
  EXPECT_THAT(said(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (999999999, 999999999), }", "")),
              HasSubstr("bytes of data"));
  const std::string whole = npz("x.npy", floats_2_1);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(refusal([&] { from_npz(whole.substr(0, length), "in.npz"); }), "") << length;
}

class InputsOfAModel : public ::testing::Test {
 protected:
  WholeModel read(const onnx::ModelProto& proto) const {
    write_file(folder_ / "model.onnx", proto.SerializeAsString());
    WholeModel model = read_whole_model(folder_ / "model.onnx");
    std::filesystem::remove(folder_ / "model.onnx");
    return model;
  }

  TemporaryFolder folder_;
};

TEST_F(InputsOfAModel, ComeFromAFolder) {
  const WholeModel model = read(testing::model_at_top());
  const Tensor x(ElementType::Float, {2, 1, 4});
  write_file(folder_ / "input_0.pb", to_tensor_proto(x, ""));
  EXPECT_THAT(read_inputs(model, folder_.path()).tensors, ElementsAre(x));
  std::filesystem::remove(folder_ / "input_0.pb");
  EXPECT_THAT(refusal([&] { read_inputs(model, folder_.path()); }), HasSubstr("no input 'x'"));
  write_file(folder_ / "x.pb", to_tensor_proto(Tensor(ElementType::Float, {2, 1, 3}), ""));
  EXPECT_THAT(refusal([&] { read_inputs(model, folder_.path()); }), HasSubstr("x FLOAT [T,N,4] as the model declares"));
  std::filesystem::remove(folder_ / "x.pb");
  write_file(folder_ / "x.pb", to_tensor_proto(x, ""));
  write_file(folder_ / "z.pb", to_tensor_proto(x, ""));
  EXPECT_THAT(refusal([&] { read_inputs(model, folder_.path()); }), HasSubstr("'z' is no input of the model"));
}

TEST_F(InputsOfAModel, AreDrawnAlikeForTheSameSeed) {
  const WholeModel model = read(testing::model_at_top());
  Drawing drawing{.seed = 7, .sizes = {{"T", 6}, {"N", 3}}, .values = {}};
  const Tensor x = draw_inputs(model, drawing).tensors.at(0);
  EXPECT_EQ(x.shape(), (Shape{6, 3, 4}));
  EXPECT_EQ(draw_inputs(model, drawing).tensors.at(0), x);
  drawing.seed = 8;
  EXPECT_NE(draw_inputs(model, drawing).tensors.at(0), x);
  drawing.sizes["Q"] = 2;
  EXPECT_THAT(refusal([&] { draw_inputs(model, drawing); }), HasSubstr("one of N, T, x.0, x.1"));
}

TEST_F(InputsOfAModel, MeanWhatTheModelTakesThemFor) {
  auto proto = testing::model_with_if();
  auto& graph = *proto.mutable_graph();
  testing::declare(*graph.add_input(), "words", onnx::TensorProto::INT64, {"T", "N"});
  testing::declare(*graph.add_input(), "lengths", onnx::TensorProto::INT32, {"N"});
  auto& table = *graph.add_initializer();
  write_tensor(Tensor(ElementType::Float, {3, 2}), "table", table);
  *graph.add_node() = testing::node_of("Gather", {"table", "words"}, {"gathered"});
  const WholeModel model = read(proto);
  const auto tensors = draw_inputs(model, {.seed = 1, .sizes = {{"T", 40}, {"N", 5}}, .values = {}}).tensors;
  EXPECT_EQ(tensors.at(1).integer(0), 16000);  // rate, which the model compares with it
  std::set<std::int64_t> words, lengths;
  for (std::size_t k = 0; k < tensors.at(2).size(); ++k) words.insert(tensors[2].integer(k));
  for (std::size_t k = 0; k < tensors.at(3).size(); ++k) lengths.insert(tensors[3].integer(k));
  EXPECT_THAT(words, ElementsAre(0, 1, 2));
  EXPECT_EQ(*lengths.rbegin(), 40);
  EXPECT_GE(*lengths.begin(), 1);
  EXPECT_GT(lengths.size(), 1U);
  const auto chosen = draw_inputs(model, {.seed = 1, .sizes = {}, .values = {{"rate", 8000}}}).tensors;
  EXPECT_EQ(chosen.at(1).integer(0), 8000);
}

TEST_F(InputsOfAModel, AreRefusedWhereNoneCanBeDrawn) {
  auto proto = testing::model_at_top();
  testing::declare(*proto.mutable_graph()->add_input(), "text", onnx::TensorProto::STRING, {"N"});
  const WholeModel model = read(proto);
  EXPECT_THAT(refusal([&] { draw_inputs(model, {}); }), HasSubstr("input 'text' is STRING"));
}

}  // namespace
}  // namespace cellproof::corpus
