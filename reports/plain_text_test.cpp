#include "reports/plain_text.hpp"

#include <gtest/gtest.h>

namespace cellproof::reports {
namespace {

TEST(PlainText, KnowsWellFormedUtf8) {
  for (const char* good : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                          "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "a\xE2\x82"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(PlainText, RepairsByteByByte) {
  EXPECT_EQ(repaired_utf8("a\xFF"
                          "b\xE2\x82"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(repaired_utf8("\xC3\xA9"), "\xC3\xA9");
}

TEST(PlainText, ShowsWhatWouldHide) {
  EXPECT_EQ(visible_text("a\x1b[31m\nb\tc"), "a<U+001B>[31m b c");
  EXPECT_EQ(visible_text("a\n\tb\r", true), "a\n\tb ");
  EXPECT_EQ(visible_text("x\xE2\x80\xAEy"), "x<U+202E>y");
  EXPECT_EQ(visible_text("\xC2\x9B"
                         "31m"),
            "<U+009B>31m");
  EXPECT_EQ(visible_text(std::string_view("\0", 1)), "<U+0000>");
}

TEST(PlainText, EscapesMarkup) {
  EXPECT_EQ(html_escape("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
  EXPECT_EQ(xml_escape("a\nb\tc\x01"), "a&#10;b&#9;c&lt;U+0001&gt;");
}

TEST(PlainText, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 3), "\xC3\xA9\xC3\xA9\xC3\xA9");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 1), "\xC3\xA9... (2 more characters)");
}

TEST(PlainText, QuotesForTheShell) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("onnxruntime-1.31.1"), "onnxruntime-1.31.1");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("it's $(rm)"), "'it'\\''s $(rm)'");
}

TEST(PlainText, CountsForPeople) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(1000, "case"), "1,000 cases");
}

}  // namespace
}  // namespace cellproof::reports
