#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "campaign/vectors/write_vectors.hpp"
#include "cli/command.hpp"

namespace cellproof::cli {

void add_vectors(CLI::App& app, Work& work) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("vectors", "Write few sharp cases with an interval an element");
  command->add_option("-o,--output", *folder, "Write the files here; required")->option_text("DIR")->required();
  command->footer(
      "Examples:\n  cellproof vectors -o vectors\n"
      "  cellproof vectors --help         docs/vectors.md describes the files");
  command->callback([folder, &work] { work = [folder] { return campaign::write_vectors(*folder), ok; }; });
}

}  // namespace cellproof::cli
