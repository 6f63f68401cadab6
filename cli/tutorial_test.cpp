// The tutorial as its reader follows it: each command ends with the exit code that the page states, and prints what the
// page quotes. So does the divergence that the README shows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/testing/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

/// A code block of a page: commands, or what the ones before it print.
struct Block {
  bool commands = false;
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> blocks;
  std::ifstream in(page);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line == "```sh", {}});
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
  }
  return blocks;
}

/// Processors differ in the last digits, and suites grow: the words must be those of the page.
std::string without_numbers(const std::string& line) {
  static const std::regex number(R"(-?\d+(\.\d+)?(e[+-]?\d+)?)");
  return std::regex_replace(line, number, "#");
}

/// The first quoted line that does not come in the output behind the ones before it; "" where all do.
std::string missing_line(const std::vector<std::string>& quoted, const std::string& output) {
  std::istringstream printed(output);
  for (const std::string& line : quoted) {
    bool found = line.empty();
    for (std::string candidate; !found && std::getline(printed, candidate);)
      found = without_numbers(candidate) == without_numbers(line);
    if (!found) return line;
  }
  return "";
}

class Tutorial : public testing::Test {
 protected:
  /// Runs a line of the page in the folder, with the built program in the place of `./cellproof`.
  ProgramResult run_line(std::string line) const {
    const std::regex program(R"(\.\./\.\./cellproof)"), root(R"(\.\./\.\./)");
    line = std::regex_replace(line, program, fmt::format("'{}/bin/cellproof'", CELLPROOF_BINARY_DIR));
    line = std::regex_replace(line, root, fmt::format("{}/", CELLPROOF_SOURCE_DIR));
    return run_command({"bash", "-c",
                        fmt::format("cd '{}' && export CELLPROOF_ROOT='{}'\n{}", folder_.path().string(),
                                    CELLPROOF_SOURCE_DIR, line)});
  }

  TemporaryFolder folder_;
};

TEST_F(Tutorial, DoesAndPrintsWhatItsPageSays) {
  static const std::regex code_of_line(R"(# exit code (\d+)$)");
  int commands = 0, quotes = 0;
  std::string output;
  for (const Block& block : blocks_of(fs::path(CELLPROOF_SOURCE_DIR) / "docs" / "tutorial.md")) {
    if (!block.commands) {
      ++quotes;
      EXPECT_EQ(missing_line(block.lines, output), "") << output;
      continue;
    }
    output.clear();
    for (const std::string& line : block.lines) {
      if (line.starts_with("mkdir ")) continue;  // the test has a folder of its own
      std::smatch code;
      const int expected = std::regex_search(line, code, code_of_line) ? std::stoi(code[1]) : 0;
      const ProgramResult result = run_line(line);
      EXPECT_EQ(result.exit_code, expected) << line << "\n" << result.out << result.err;
      output += result.out;
      ++commands;
    }
  }
  EXPECT_EQ(commands, 8);
  EXPECT_EQ(quotes, 5);
}

TEST_F(Tutorial, StandsBehindTheDivergenceOfTheReadme) {
  int shown = 0;
  for (const Block& block : blocks_of(fs::path(CELLPROOF_SOURCE_DIR) / "README.md")) {
    if (!block.lines.front().starts_with("$ ./cellproof ")) continue;
    ++shown;
    const ProgramResult result = run_line("../../" + block.lines.front().substr(std::string("$ ./").size()));
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    EXPECT_EQ(missing_line({block.lines.begin() + 1, block.lines.end()}, result.out), "") << result.out;
  }
  EXPECT_EQ(shown, 1);
}

TEST(TutorialText, IsHeldToItsWordsAndTheirOrder) {
  EXPECT_EQ(missing_line({"3 wrong", "", "gone x"}, "a\n4 wrong\n\nb\ngone x\n"), "");
  EXPECT_EQ(missing_line({"3 wrong"}, "3 right\n"), "3 wrong");
  EXPECT_EQ(missing_line({"b", "a"}, "a\nb\n"), "a");
}

}  // namespace
}  // namespace cellproof::cli
