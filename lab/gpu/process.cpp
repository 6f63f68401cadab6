#include "lab/gpu/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <sstream>

#include "engines/file_descriptor.hpp"

namespace cellproof::lab {
namespace {

constexpr int seconds_to_end = 2;  // between being asked to and being killed
constexpr int not_started = 127;

/// Becomes timeout(1) with its words, or ends. Between fork and exec: nothing here allocates.
[[noreturn]] void become_bounded(char* const* words, const char* input, int output, pid_t parent) {
  // With this process its child ends, too, and with that what it watches: none of them keeps the device.
  const bool is_bound = prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent;
  const int from = open(input, O_RDONLY | O_CLOEXEC);
  if (is_bound && from >= 0 && dup2(from, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0)
    execvp(words[0], words);
  _exit(not_started);
}

}  // namespace

ProcessEnd run_bounded(const std::vector<std::string>& command, const std::filesystem::path& input, int seconds) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> words{"timeout", "-k", std::to_string(seconds_to_end), std::to_string(seconds)};
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string from = input.empty() ? "/dev/null" : input.string();
  engines::Pipe pipe = engines::make_pipe();
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return {not_started, "its process cannot be started"};
  if (child == 0) become_bounded(arguments.data(), from.c_str(), pipe.write_end.number(), parent);
  pipe.write_end.close();
  ProcessEnd end;
  std::array<char, 4096> piece{};
  for (;;) {
    const engines::TransferResult read = engines::read_some(pipe.read_end.number(), piece.data(), piece.size());
    if (read.what != engines::Transfer::Moved) break;
    end.output.append(piece.data(), read.count);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  // A command that does not end when it is asked to is killed, and timeout(1) with it, so that only the clock tells.
  const bool took_all = std::chrono::steady_clock::now() - begin >= std::chrono::seconds(seconds);
  if (took_all && end.exit_code == 128 + SIGKILL) end.exit_code = timed_out_code;
  return end;
}

std::vector<nlohmann::json> json_lines(const std::string& output) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('{')) continue;
    if (nlohmann::json json = nlohmann::json::parse(line, nullptr, false); json.is_object())
      lines.push_back(std::move(json));
  }
  return lines;
}

nlohmann::json json_among(const std::string& output) {
  const std::vector<nlohmann::json> lines = json_lines(output);
  return lines.empty() ? nlohmann::json() : lines.front();
}

}  // namespace cellproof::lab
