#include "engines/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CommandLine, SplitsAsAShellDoes) {
  EXPECT_THAT(split_command("python3  worker.py\t--fast"), ElementsAre("python3", "worker.py", "--fast"));
  EXPECT_THAT(split_command(R"('my engine' "a b"'c' d\ e)"), ElementsAre("my engine", "a bc", "d e"));
  EXPECT_THAT(split_command(R"("a\"b\\c\n" '\' "")"), ElementsAre(R"(a"b\c\n)", R"(\)", ""));
  EXPECT_THAT(split_command("a $HOME *"), ElementsAre("a", "$HOME", "*"));
  EXPECT_THAT(split_command("  "), IsEmpty());
}

TEST(CommandLine, RefusesWhatIsOpen) {
  EXPECT_THROW(split_command("a 'b"), std::invalid_argument);
  EXPECT_THROW(split_command("a \"b"), std::invalid_argument);
  EXPECT_THROW(split_command("a \\"), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::engines
