#include "reports/plain_text.hpp"

#include <gtest/gtest.h>

namespace cellproof::reports {
namespace {

TEST(PlainText, EscapesMarkup) {
  EXPECT_EQ(html_escape("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
  EXPECT_EQ(xml_escape("a\nb\tc\x01"), "a&#10;b&#9;c&lt;U+0001&gt;");
}

TEST(PlainText, CutsBetweenCharacters) {
  const std::string three = "\xC3\xA9\xC3\xA9\xC3\xA9", many(41, 'x');
  EXPECT_EQ(shortened(three, 3), three);
  EXPECT_EQ(shortened(three + many, 3), three + "... (41 more characters)");
  EXPECT_EQ(shortened(three + many, 1), "\xC3\xA9... (43 more characters)");
}

TEST(PlainText, CutsNothingThatTheNoteWouldTakeTheRoomOf) {
  const std::string text = "abc" + std::string(40, 'x');
  EXPECT_EQ(shortened(text, 3), text);
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
