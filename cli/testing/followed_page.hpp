#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/testing/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {

/// Test support: a code block of a page, commands or what the ones before it print.
struct Block {
  bool commands = false;
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::filesystem::path& page);

/// The first quoted line that does not come in the output behind the ones before it; "" where all do. Numbers do not
/// count: processors differ in the last digits, and suites grow.
std::string missing_line(const std::vector<std::string>& quoted, const std::string& output);

/// Test support: a page as its reader follows it, command by command in a folder of its own.
class FollowedPage {
 public:
  FollowedPage();

  /// The folder that the commands run in.
  std::filesystem::path folder() const { return folder_ / "work"; }

  /// Puts a folder of programs, relative to the sources, before all others.
  void take_programs_from(const std::string& folder);
  /// Copies files of the sources into the folder.
  void bring(const std::vector<std::string>& files) const;

  /// Runs a line of a page, with the built program as `cellproof` and in the place of `../../cellproof`, whose folder
  /// is that of the sources.
  ProgramResult run_line(std::string line) const;

  /// Follows all `sh` blocks of a page, a line each, whose exit code is 0 or that of its comment `# exit code N`. What
  /// other blocks quote must be printed by the commands of the block before.
  /// Expects so many commands and quotes.
  void follow(const std::string& page, int commands, int quotes) const;

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace cellproof::cli
