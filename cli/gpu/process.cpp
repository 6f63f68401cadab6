#include "cli/gpu/process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace cellproof::cli {
namespace {

std::string quoted_for_shell(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace

ProcessEnd run_bounded(const std::vector<std::string>& command, const std::filesystem::path& input, int seconds) {
  std::string line = fmt::format("exec timeout -k 5 {}", seconds);
  for (const std::string& word : command) line += " " + quoted_for_shell(word);
  line += " <" + quoted_for_shell(input.empty() ? "/dev/null" : input.string()) + " 2>&1";
  // Every word is quoted or ours. NOLINTNEXTLINE(bugprone-command-processor)
  FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return {127, "its process cannot be started"};
  ProcessEnd end;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe))
    end.output.append(piece.data(), count);
  const int status = pclose(pipe);
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace cellproof::cli
