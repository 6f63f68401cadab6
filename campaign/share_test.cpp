#include "campaign/share.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace cellproof::campaign {
namespace {

using std::chrono::seconds;

TEST(Share, ATimeIsReadAsItIsWritten) {
  EXPECT_EQ(text_of_time(seconds(12)), "12.0 s");
  EXPECT_EQ(time_of_text("12.0 s"), seconds(12));
  EXPECT_EQ(time_of_text(""), seconds(0));
  EXPECT_EQ(time_of_text("-3 s"), seconds(0));
  EXPECT_EQ(time_of_text("1e300 s"), seconds(0));
  EXPECT_EQ(time_of_text("nan s"), seconds(0));
}

TEST(Share, KeepsPartsOfTheTimeForWhatComesBehindTheCases) {
  const std::chrono::steady_clock::time_point begin{seconds(100)};
  EXPECT_EQ(end_of_modelling(begin, begin + seconds(80)), begin + seconds(120));
  EXPECT_EQ(end_of_modelling(begin, begin + seconds(1)), begin + seconds(31)) << "a short run may take longer";
}

}  // namespace
}  // namespace cellproof::campaign
