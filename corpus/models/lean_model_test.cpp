// Large initializers stay in their files until they are asked for, and come back whole.
#include "corpus/models/lean_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include "corpus/files.hpp"
#include "corpus/model.hpp"
#include "corpus/models/whole_model.hpp"
#include "corpus/testing/whole_models.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

constexpr int side = 600;  ///< a table of 1.4 MB

/// A model whose first initializer is large.
onnx::ModelProto model_with_table(int type = onnx::TensorProto::FLOAT, std::size_t width = sizeof(float)) {
  auto model = testing::model_at_top();
  auto& initializers = *model.mutable_graph()->mutable_initializer();
  auto& table = *initializers.Add();
  table.set_name("table");
  table.set_data_type(type);
  for (int k = 0; k < 2; ++k) table.add_dims(side);
  std::string bytes(std::size_t{side} * side * width, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(k % 97);
  table.set_raw_data(std::move(bytes));
  initializers.SwapElements(0, initializers.size() - 1);
  return model;
}

const onnx::TensorProto* table_of(const onnx::ModelProto& model) {
  for (const auto& tensor : model.graph().initializer())
    if (tensor.name() == "table") return &tensor;
  return nullptr;
}

class ALeanModel : public ::testing::Test {
 protected:
  void expect_whole(const WholeModel& model, const std::string& bytes) const {
    const auto* lean = table_of(*model.tapped);
    ASSERT_NE(lean, nullptr);
    EXPECT_EQ(lean->raw_data(), "");
    for (const Pieces& pieces : {model.unmodified, tapped_pieces(model)}) {
      onnx::ModelProto whole;
      ASSERT_TRUE(whole.ParseFromString(pieces.text()));
      const auto* table = table_of(whole);
      ASSERT_NE(table, nullptr);
      EXPECT_EQ(table->raw_data(), bytes);
      EXPECT_EQ(table->external_data_size(), 0);
      EXPECT_EQ(table->dims(0), side);
      EXPECT_EQ(whole.graph().initializer_size(), model.tapped->graph().initializer_size());
    }
  }

  TemporaryFolder folder_;
};

TEST_F(ALeanModel, LeavesLargeInitializersInItsFile) {
  for (const auto& proto : {model_with_table(), model_with_table(onnx::TensorProto::INT16, 4)}) {  // no type of ours
    write_file(folder_ / "model.onnx", proto.SerializeAsString());
    expect_whole(read_whole_model(folder_ / "model.onnx"), proto.graph().initializer(0).raw_data());
    EXPECT_EQ(read_whole_model(folder_ / "model.onnx").unmodified.text(), proto.SerializeAsString());
    std::filesystem::remove(folder_ / "model.onnx");
  }
}

TEST_F(ALeanModel, LeavesLargeExternalDataOutside) {
  auto proto = model_with_table();
  const std::string bytes = testing::move_outside(proto, "table.bin");
  write_file(folder_ / "table.bin", bytes);
  write_file(folder_ / "model.onnx", proto.SerializeAsString());
  expect_whole(read_whole_model(folder_ / "model.onnx"), bytes);
  std::filesystem::resize_file(folder_ / "table.bin", 1000);
  EXPECT_THROW(read_whole_model(folder_ / "model.onnx"), CorpusError);
}

/// Hubs keep a model as a link into another folder, and its data beside the link.
TEST_F(ALeanModel, IsFoundThroughALink) {
  std::filesystem::create_directory(folder_ / "blobs");
  std::filesystem::create_directory(folder_ / "snapshot");
  const auto proto = model_with_table();
  write_file(folder_ / "blobs/1", proto.SerializeAsString());
  std::filesystem::create_symlink("../blobs/1", folder_ / "snapshot/model.onnx");
  expect_whole(read_whole_model(folder_ / "snapshot/model.onnx"), proto.graph().initializer(0).raw_data());

  auto outside = proto;
  write_file(folder_ / "snapshot/weights.bin", testing::move_outside(outside, "weights.bin"));
  write_file(folder_ / "blobs/2", outside.SerializeAsString());
  std::filesystem::create_symlink("../blobs/2", folder_ / "snapshot/other.onnx");
  expect_whole(read_whole_model(folder_ / "snapshot/other.onnx"), proto.graph().initializer(0).raw_data());
}

TEST_F(ALeanModel, IsRefusedWhereTheFileHoldsNone) {
  const std::string whole = model_with_table().SerializeAsString();
  write_file(folder_ / "cut.onnx", whole.substr(0, whole.size() / 2));
  write_file(folder_ / "text.onnx", "no model");
  EXPECT_THROW(read_whole_model(folder_ / "cut.onnx"), CorpusError);
  EXPECT_THROW(read_whole_model(folder_ / "text.onnx"), CorpusError);
}

}  // namespace
}  // namespace cellproof::corpus
