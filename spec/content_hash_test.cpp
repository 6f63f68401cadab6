#include "spec/content_hash.hpp"

#include <gtest/gtest.h>

namespace cellproof {
namespace {

// The values that the algorithm's description gives for its seed 0.
TEST(ContentHash, IsXxh64) {
  EXPECT_EQ(content_hash(""), "ef46db3751d8e999");
  EXPECT_EQ(content_hash("a"), "d24ec4f1a98c6e5b");
  EXPECT_EQ(content_hash("abc"), "44bc2cf5ad770999");
}

TEST(ContentHash, BytesAndTextAreTheSame) {
  const std::string_view text = "abc";
  EXPECT_EQ(content_hash(std::as_bytes(std::span(text))), content_hash(text));
}

}  // namespace
}  // namespace cellproof
