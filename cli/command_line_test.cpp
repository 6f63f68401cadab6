#include "cli/command_line.hpp"

#include <gtest/gtest.h>

namespace cellproof::cli {
namespace {

TEST(CommandLine, CanBeTypedAgain) {
  remember_command_line("cellproof", {"run", "--engine", "my=./worker --fast", "it's", ""});
  EXPECT_THAT(command_words(), testing::ElementsAre("run", "--engine", "my=./worker --fast", "it's", ""));
  EXPECT_EQ(command_line(), R"(cellproof run --engine 'my=./worker --fast' 'it'\''s' '')");
}

}  // namespace
}  // namespace cellproof::cli
