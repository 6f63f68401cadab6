#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cellproof::cli {

/// Test support: what a program did.
struct ProgramResult {
  int exit_code = -1;  ///< -signal when a signal ended it
  std::string out, err;
};

/// Runs another program, found in PATH unless it has a '/', with its arguments.
ProgramResult run_command(const std::vector<std::string>& command);

/// Runs the built `cellproof` to its end, or until `kill_after`, when it gets SIGKILL.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::vector<std::pair<std::string, std::string>>& environment = {},
                          std::optional<std::chrono::milliseconds> kill_after = std::nullopt);

/// Runs the built `cellproof-lab` to its end.
ProgramResult run_lab(const std::vector<std::string>& arguments,
                      const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace cellproof::cli
