#include "cli/gpu/process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <sstream>

namespace cellproof::cli {
namespace {

constexpr int seconds_to_end = 2;  // between being asked to and being killed

std::string quoted_for_shell(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace

ProcessEnd run_bounded(const std::vector<std::string>& command, const std::filesystem::path& input, int seconds) {
  const auto begin = std::chrono::steady_clock::now();
  std::string line = fmt::format("exec timeout -k {} {}", seconds_to_end, seconds);
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
  // What does not end when it is asked to is killed, and timeout(1) with it, so that only the clock tells.
  const bool took_all = std::chrono::steady_clock::now() - begin >= std::chrono::seconds(seconds);
  if (took_all && end.exit_code == 128 + SIGKILL) end.exit_code = timed_out_code;
  return end;
}

nlohmann::json json_among(const std::string& output) {
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('{')) continue;
    if (nlohmann::json json = nlohmann::json::parse(line, nullptr, false); json.is_object()) return json;
  }
  return nullptr;
}

}  // namespace cellproof::cli
