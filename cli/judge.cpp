#include <unistd.h>

#include <CLI/CLI.hpp>

#include "campaign/judge_server.hpp"
#include "cli/command.hpp"

namespace cellproof::cli {

void add_judge(CLI::App& app, Work& work) {
  CLI::App* command = app.add_subcommand("judge", "Judge for another program over a pipe");
  command->footer(
      "Examples:\n  cellproof judge < requests > replies\n"
      "  cellproof judge --help    docs/judge-protocol.md describes the pipe");
  command->callback([&work] {
    work = [] {
      campaign::serve_judgements(STDIN_FILENO, STDOUT_FILENO);
      return ok;
    };
  });
}

}  // namespace cellproof::cli
