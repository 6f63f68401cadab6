#include "oracle/version_range.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cellproof::oracle {
namespace {

TEST(VersionRange, ComparesNumberByNumber) {
  const VersionRange range(">=1.31,<1.32");
  for (const char* inside : {"1.31", "1.31.0", "1.31.1", "1.31.10-rc1", "1.31.1+cu12"})
    EXPECT_TRUE(range.contains(inside));
  for (const char* outside : {"1.30.9", "1.32", "1.4", "2", "", "unknown"}) EXPECT_FALSE(range.contains(outside));
  EXPECT_TRUE(VersionRange("==1.31").contains("1.31.0"));
  EXPECT_FALSE(VersionRange("==1.31").contains("1.31.1"));
  EXPECT_TRUE(VersionRange(">1.9,<=1.10").contains("1.10"));
  EXPECT_TRUE(VersionRange("*").contains("anything"));
}

TEST(VersionRange, SaysWhatWasExpected) {
  for (const char* text : {"", "1.31", ">=", ">=1.31,", "~1.31", ">=1.31 <1.32", ">=x", ">=1.x"}) {
    try {
      VersionRange{text};
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("expected versions such as"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace cellproof::oracle
