#include "cli/testing/followed_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

std::string without_numbers(const std::string& line) {
  static const std::regex number(R"(-?\d+(\.\d+)?(e[+-]?\d+)?)");
  return std::regex_replace(line, number, "#");
}

}  // namespace

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

FollowedPage::FollowedPage() : path_(fmt::format("{}:{}", (folder_ / "bin").string(), std::getenv("PATH"))) {
  fs::create_directory(folder_ / "bin");
  fs::create_directory(folder());
  fs::create_symlink(fs::path(CELLPROOF_BINARY_DIR) / "bin" / "cellproof", folder_ / "bin" / "cellproof");
}

void FollowedPage::take_programs_from(const std::string& folder) {
  path_ = fmt::format("{}/{}:{}", CELLPROOF_SOURCE_DIR, folder, path_);
}

void FollowedPage::bring(const std::vector<std::string>& files) const {
  for (const std::string& file : files) fs::copy(fs::path(CELLPROOF_SOURCE_DIR) / file, folder());
}

ProgramResult FollowedPage::run_line(std::string line) const {
  const std::regex program(R"(\.\./\.\./cellproof)"), root(R"(\.\./\.\./)");
  line = std::regex_replace(line, program, "cellproof");
  line = std::regex_replace(line, root, fmt::format("{}/", CELLPROOF_SOURCE_DIR));
  return run_command({"bash", "-c",
                      fmt::format("cd '{}' && export CELLPROOF_ROOT='{}' PATH='{}'\n{}", folder().string(),
                                  CELLPROOF_SOURCE_DIR, path_, line)});
}

void FollowedPage::follow(const std::string& page, int commands, int quotes) const {
  static const std::regex code_of_line(R"(# exit code (\d+)$)");
  int run = 0, quoted = 0;
  std::string output;
  for (const Block& block : blocks_of(fs::path(CELLPROOF_SOURCE_DIR) / "docs" / page)) {
    if (!block.commands) {
      ++quoted;
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
      ++run;
    }
  }
  EXPECT_EQ(run, commands);
  EXPECT_EQ(quoted, quotes);
}

}  // namespace cellproof::cli
