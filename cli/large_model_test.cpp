// `check` on a model that no request holds: one line that says the limit and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <filesystem>

#include "cli/testing/run_program.hpp"
#include "corpus/files.hpp"
#include "corpus/testing/whole_models.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

/// Adds a table of floats that nothing uses, with its data in a file of holes alone.
void add_table(onnx::ModelProto& model, const std::string& name, const std::filesystem::path& folder,
               std::uint64_t bytes) {
  auto& table = *model.mutable_graph()->add_initializer();
  table.set_name(name);
  table.set_data_type(onnx::TensorProto::FLOAT);
  table.add_dims(static_cast<std::int64_t>(bytes / 4));
  table.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& entry = *table.add_external_data();
  entry.set_key("location");
  entry.set_value(name);
  corpus::write_file(folder / name, "");
  std::filesystem::resize_file(folder / name, bytes);
}

TEST(LargeModel, IsNotSentAndSaidInOneLine) {
  const TemporaryFolder folder;
  auto model = corpus::testing::model_at_top();
  for (const char* name : {"one.bin", "two.bin"}) add_table(model, name, folder.path(), std::uint64_t{600} << 20);
  const std::string file = folder / "model.onnx";
  corpus::write_file(file, model.SerializeAsString());
  const auto result = run_program({"check", file});
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_THAT(result.out, ::testing::HasSubstr("1073741824 is the most that a worker takes"));
  EXPECT_THAT(result.out, ::testing::HasSubstr("cut the part with the recurrent nodes out (onnx.utils.extract_model)"));
  EXPECT_THAT(result.out, ::testing::Not(::testing::HasSubstr("HARNESS_ERROR")));
  EXPECT_EQ(run_program({"check", file, "--list"}).exit_code, 0);
}

}  // namespace
}  // namespace cellproof::cli
