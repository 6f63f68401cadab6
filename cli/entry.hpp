#pragma once

#include <string>

#include "cli/command.hpp"

namespace cellproof::cli {

/// Runs all that a main() does. Signals and streams are set as every program of ours needs them before it prints or
/// starts a worker; where memory runs out, that is one line and exit code 2.
int run_whole_program(int (*program)(int, char**), int argc, char** argv);

/// Returns the end of a program's help: each exit code and its meaning.
std::string exit_codes_text();

/// Reads the command line, does the work that the chosen subcommand left in `work`, and returns the exit code. Without
/// arguments it prints the help. An error is one line on stderr.
int run_command_line(CLI::App& app, const Work& work, int argc, const char* const* argv);

}  // namespace cellproof::cli
