#include "corpus/parse.hpp"

#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

namespace cellproof::corpus {
namespace {

TEST(Parse, SaysYesOrNoAndNothingElse) {
  onnx::NodeProto node;
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(parse("\x1a\x03wow", node));  // name
  EXPECT_EQ(node.name(), "wow");
  parse("\x1a\x03w\xffw", node);  // a name that is no UTF-8: protobuf may accept it, but must not print
  EXPECT_FALSE(parse("\x1a\x04wow", node));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace cellproof::corpus
