#include "cli/testing/run_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         const std::filesystem::path& folder) {
  const int out = open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err = open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out < 0 || err < 0) _exit(127);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

ProgramResult run_to_end(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         std::optional<std::chrono::milliseconds> kill_after) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(command, environment, folder.path());
  if (kill_after) {
    std::this_thread::sleep_for(*kill_after);
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ProgramResult result{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content_of(folder / "out"),
                       content_of(folder / "err")};
  return result;
}

std::vector<std::string> command_of(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{std::string(CELLPROOF_BINARY_DIR) + "/bin/" + program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace

ProgramResult run_command(const std::vector<std::string>& command) {
  return run_to_end(command, {}, std::nullopt);
}

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::vector<std::pair<std::string, std::string>>& environment,
                          std::optional<std::chrono::milliseconds> kill_after) {
  return run_to_end(command_of("cellproof", arguments), environment, kill_after);
}

ProgramResult run_lab(const std::vector<std::string>& arguments,
                      const std::vector<std::pair<std::string, std::string>>& environment) {
  return run_to_end(command_of("cellproof-lab", arguments), environment, std::nullopt);
}

}  // namespace cellproof::cli
