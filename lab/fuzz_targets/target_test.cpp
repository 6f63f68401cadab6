#include "lab/fuzz_targets/target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::fuzz {
namespace {

namespace fs = std::filesystem;

TEST(Target, GetsAFolderThatIsEmptyAtEachCall) {
  const fs::path folder = scratch_folder();
  EXPECT_EQ(folder.parent_path(), process_folder());
  std::ofstream(folder / "remains") << "of the input before";
  EXPECT_EQ(scratch_folder(), folder);
  EXPECT_TRUE(fs::is_empty(folder));
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Ended {
  int status;  ///< as waitpid() gives it
  std::string said;
};

/// A target as people run it by hand, over one file and some changes of it, with this folder for temporary files.
Ended run_target(const std::string& target, const fs::path& temporary, const std::string& input) {
  const TemporaryFolder own;
  std::ofstream(own / "input", std::ios::binary) << input;
  const std::string program = fmt::format("{}/bin/cellproof-fuzz-{}", CELLPROOF_BINARY_DIR, target);
  const std::string file = (own / "input").string(), log = (own / "log").string();
  const pid_t child = ::fork();
  if (child == 0) {
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::setenv("TMPDIR", temporary.c_str(), 1);
    ::execl(program.c_str(), program.c_str(), "--random", "2000", file.c_str(), nullptr);
    ::_exit(127);
  }
  Ended run{};
  ::waitpid(child, &run.status, 0);
  run.said = content_of(log);
  return run;
}

/// The file of which the program said that it holds the input that crashed.
std::string last_input(const std::string& said) {
  const std::string_view before = "if an input crashes, it is ";
  const std::size_t at = said.find(before);
  if (at == std::string::npos) return "";
  const std::size_t from = at + before.size();
  return content_of(said.substr(from, said.find('\n', from) - from));
}

TEST(Target, SaysWhereItsLastInputIsAndLeavesNothingWhenItEnds) {
  const TemporaryFolder outer;
  const fs::path temporary = outer / "a folder's name";
  fs::create_directory(temporary);
  const Ended run = run_target("case-text", temporary, "cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=1");
  EXPECT_EQ(run.status, 0) << run.said;
  EXPECT_TRUE(fs::is_empty(temporary));
  EXPECT_NE(run.said.find("if an input crashes, it is " + temporary.string()), std::string::npos) << run.said;
}

TEST(Target, EndsAtAFindAndKeepsTheInput) {
  // One of two thousand inputs that differ from the file in some bytes lacks its first byte and nothing else.
  for (const std::string begin : {"found", "throw"}) {
    const TemporaryFolder temporary;
    const Ended run = run_target("planted", temporary.path(), "-" + begin);
    EXPECT_TRUE(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGABRT) << run.status << run.said;
    EXPECT_NE(run.said.find("planted"), std::string::npos) << run.said;
    EXPECT_TRUE(last_input(run.said).starts_with(begin)) << run.said;
  }
}

TEST(Target, EndsAtAFindInAFileThatIsGiven) {
  const TemporaryFolder temporary;
  for (const std::string begin : {"found", "throw"}) {
    const Ended run = run_target("planted", temporary.path(), begin);
    EXPECT_TRUE(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGABRT) << run.status << run.said;
  }
}

}  // namespace
}  // namespace cellproof::fuzz
