#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace cellproof {

/// For tests: what a command line of the shell printed, stderr with stdout, and its exit code; -1 where it did not
/// exit by itself.
struct ShellRun {
  int exit_code = -1;
  std::string output;
};

inline ShellRun run_in_shell(const std::string& command) {
  ShellRun run;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    run.output.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

}  // namespace cellproof
