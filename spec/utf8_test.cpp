#include "spec/utf8.hpp"

#include <gtest/gtest.h>

namespace cellproof {
namespace {

TEST(Utf8, KnowsWellFormedText) {
  for (const char* good : {"", "abc", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xc3\xa4z"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad :
       {"\x80", "\xff", "\xc0\xaf", "\xc1\xbf", "\xc3", "\xc3z", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(Utf8, RepairsByteByByte) {
  EXPECT_EQ(repaired_utf8("a\xFF"
                          "b\xE2\x82"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(repaired_utf8("\xC3\xA9"), "\xC3\xA9");
}

TEST(Utf8, ShowsWhatWouldHide) {
  EXPECT_EQ(visible_text("a\x1b[31m\nb\tc"), "a<U+001B>[31m b c");
  EXPECT_EQ(visible_text("a\n\tb\r", true), "a\n\tb ");
  EXPECT_EQ(visible_text("x\xE2\x80\xAEy"), "x<U+202E>y");
  EXPECT_EQ(visible_text("\xC2\x9B"
                         "31m"),
            "<U+009B>31m");
  EXPECT_EQ(visible_text(std::string_view("\0", 1)), "<U+0000>");
}

}  // namespace
}  // namespace cellproof
