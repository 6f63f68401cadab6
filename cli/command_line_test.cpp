#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <array>

namespace cellproof::cli {
namespace {

TEST(CommandLine, CanBeTypedAgain) {
  const std::array argv = {"/somewhere/build/cellproof", "run", "--engine", "my=./worker --fast", "it's", ""};
  remember_command_line(static_cast<int>(argv.size()), argv.data());
  EXPECT_EQ(command_line(), R"(cellproof run --engine 'my=./worker --fast' 'it'\''s' '')");
}

}  // namespace
}  // namespace cellproof::cli
