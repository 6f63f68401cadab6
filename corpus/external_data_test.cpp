#include "corpus/external_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>
#include <sys/stat.h>

#include <functional>

#include "corpus/model.hpp"
#include "corpus/testing/files.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// dir/inside.bin holds "0123456789abcdef", outside.bin lies beside dir.
class ExternalData : public ::testing::Test {
 protected:
  void SetUp() override {
    put_file(directory() / "inside.bin", "0123456789abcdef");
    put_file(base_.path() / "outside.bin", "0123456789abcdef");
  }
  fs::path directory() const { return base_.path() / "dir"; }

  std::string read(const ExternalLocation& external, std::size_t size) const {
    const auto bytes = read_external_data(external, size, "W", directory().string());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::string error(const ExternalLocation& external, std::size_t size) const {
    return corpus_error_of([&] { read(external, size); });
  }

 private:
  TemporaryFolder base_;
};

TEST_F(ExternalData, ReadsWhatOffsetAndLengthSay) {
  EXPECT_EQ(read({"inside.bin", 0, std::nullopt}, 16), "0123456789abcdef");
  EXPECT_EQ(read({"inside.bin", 4, 3}, 3), "456");
  EXPECT_EQ(read({"./inside.bin", 16, 0}, 0), "");
}

TEST_F(ExternalData, MayLieInASubdirectoryAndBehindALinkThatStaysInside) {
  put_file(directory() / "sub" / "w.bin", "xyz");
  EXPECT_EQ(read({"sub/w.bin", 0, 3}, 3), "xyz");
  fs::create_symlink("sub/w.bin", directory() / "link.bin");
  EXPECT_EQ(read({"link.bin", 0, 3}, 3), "xyz");
}

TEST_F(ExternalData, NeverLeavesTheDirectory) {
  fs::create_symlink(directory().parent_path() / "outside.bin", directory() / "escape.bin");
  fs::create_directory_symlink(directory().parent_path(), directory() / "up");
  EXPECT_THAT(error({"../outside.bin", 0, 16}, 16), HasSubstr("expected a path without '..'"));
  EXPECT_THAT(error({"sub/../../outside.bin", 0, 16}, 16), HasSubstr("expected a path without '..'"));
  EXPECT_THAT(error({(directory() / "inside.bin").string(), 0, 16}, 16), HasSubstr("expected a relative path"));
  EXPECT_THAT(error({"escape.bin", 0, 16}, 16), HasSubstr("leads out of the model's directory"));
  EXPECT_THAT(error({"up/outside.bin", 0, 16}, 16), HasSubstr("leads out of the model's directory"));
  EXPECT_THAT(error({"", 0, 16}, 16), HasSubstr("expected a relative path"));
  EXPECT_THAT(error({std::string("inside.bin\0x", 12), 0, 16}, 16), HasSubstr("expected a relative path"));
}

TEST_F(ExternalData, RefusesWhatIsNoRegularFile) {
  ASSERT_EQ(::mkfifo((directory() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error({"pipe", 0, 16}, 16), HasSubstr("not a regular file"));
  EXPECT_THAT(error({".", 0, 16}, 16), HasSubstr("leads out"));
  EXPECT_THAT(error({"missing.bin", 0, 16}, 16), HasSubstr("No such file"));
}

TEST_F(ExternalData, ChecksOffsetAndLengthBeforeReading) {
  EXPECT_THAT(error({"inside.bin", 17, std::nullopt}, 0), HasSubstr("offset 17 lies beyond its 16 bytes"));
  EXPECT_THAT(error({"inside.bin", 8, 16}, 16), HasSubstr("holds 8 bytes from offset 8, expected 16 bytes"));
  EXPECT_THAT(error({"inside.bin", 0, 12}, 16), HasSubstr("gives 12 bytes, expected 16 bytes"));
  EXPECT_THAT(error({"inside.bin", 0, std::nullopt}, 12), HasSubstr("gives 16 bytes, expected 12 bytes"));
  EXPECT_THAT(error({"inside.bin", ~std::uint64_t{0}, 16}, 16), HasSubstr("beyond"));
  EXPECT_THAT(error({"inside.bin", 8, ~std::uint64_t{0}}, 16), HasSubstr("expected 16 bytes"));
}

onnx::TensorProto external_proto(std::initializer_list<std::pair<const char*, const char*>> entries) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::FLOAT);
  proto.add_dims(2);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    auto& entry = *proto.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return proto;
}

TEST_F(ExternalData, IsReadThroughATensorProto) {
  const auto proto = external_proto({{"location", "inside.bin"}, {"offset", "8"}, {"length", "8"}});
  const Tensor tensor = from_tensor_proto(proto.SerializeAsString(), "W", directory().string());
  EXPECT_EQ(tensor.shape(), Shape{2});
  EXPECT_EQ(tensor.bits(0), 0x62613938U);  // "89ab", little endian
}

TEST_F(ExternalData, IsForbiddenWithoutADirectoryAndChecksItsNumbers) {
  const auto error_of = [&](const onnx::TensorProto& proto, const std::string& where) {
    return corpus_error_of([&] { from_tensor_proto(proto.SerializeAsString(), "W", where); });
  };
  const auto honest = external_proto({{"location", "inside.bin"}, {"length", "8"}});
  EXPECT_THAT(error_of(honest, ""), HasSubstr("external data is not allowed here"));
  EXPECT_THAT(error_of(external_proto({}), directory().string()), HasSubstr("expected a relative path"));
  EXPECT_THAT(error_of(external_proto({{"location", "inside.bin"}, {"offset", "-1"}}), directory().string()),
              HasSubstr("offset is '-1', expected a number of bytes"));
  EXPECT_THAT(error_of(external_proto({{"location", "inside.bin"}, {"length", "1e3"}}), directory().string()),
              HasSubstr("length is '1e3'"));
  auto both = honest;
  both.add_float_data(1);
  EXPECT_THAT(error_of(both, directory().string()), HasSubstr("external data and float_data"));
  auto huge = honest;
  huge.set_dims(0, 1 << 29);
  EXPECT_THAT(error_of(huge, directory().string()), HasSubstr("at most 1 GiB"));
}

}  // namespace
}  // namespace cellproof::corpus
