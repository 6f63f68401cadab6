#include "campaign/shard.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cellproof::campaign {
namespace {

TEST(Shard, EveryCaseIsInExactlyOneShard) {
  for (std::int64_t number = 0; number < 50; ++number) {
    int owners = 0;
    for (const char* text : {"1/4", "2/4", "3/4", "4/4"}) owners += parse_shard(text).contains(number);
    EXPECT_EQ(owners, 1) << number;
  }
}

TEST(Shard, RefusesWhatIsNoShard) {
  for (const char* text : {"", "1", "0/4", "5/4", "1/0", "a/b", "1/4x", "-1/4", "1/", "/4"}) {
    EXPECT_THROW(parse_shard(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace cellproof::campaign
