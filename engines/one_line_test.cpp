#include "engines/one_line.hpp"

#include <gtest/gtest.h>

namespace cellproof::engines {
namespace {

TEST(OneLine, JoinsLinesAndKeepsUtf8) {
  EXPECT_EQ(one_line("  a\n\tb \x01 c\r\n"), "a b c");
  EXPECT_EQ(one_line("größer ≥ 1"), "größer ≥ 1");
  EXPECT_EQ(one_line(""), "");
}

TEST(OneLine, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(one_line("a\xff"
                     "b"),
            "a?b");
  EXPECT_EQ(one_line("\xc3"), "?");                 // cut short
  EXPECT_EQ(one_line("\xc0\xaf"), "??");            // overlong
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???");       // a surrogate
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "????");  // beyond Unicode
}

TEST(OneLine, CutsLongText) {
  EXPECT_EQ(one_line(std::string(1000, 'x'), 10), std::string(10, 'x') + "...");
}

TEST(OneLine, TakesTheEndOfALog) {
  EXPECT_EQ(last_lines("one\ntwo\n\nthree\n", 100), "one | two | three");
  EXPECT_EQ(last_lines("one\ntwo\n\nthree\n", 4), "thre...");
  EXPECT_EQ(last_lines("one\ntwo\n\nthree\n", 6), "two | three");
  EXPECT_EQ(last_lines("\n\n", 10), "");
}

TEST(OneLine, ShowsBytes) {
  EXPECT_EQ(escaped(std::string_view("a\"\\\n\0z", 6)), R"(a\x22\x5c\x0a\x00z)");
}

}  // namespace
}  // namespace cellproof::engines
