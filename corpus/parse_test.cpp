#include "corpus/parse.hpp"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

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

TEST(Parse, Utf8) {
  for (const char* good : {"", "abc", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xc3\xa4z"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xff", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3z", "\xe0\x9f\xbf", "\xed\xa0\x80",
                          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace cellproof::corpus
