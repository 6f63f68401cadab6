#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "campaign/export_suite.hpp"
#include "cli/command.hpp"
#include "corpus/suite.hpp"
#include "fuzz/suites.hpp"

namespace cellproof::cli {
namespace {

struct ExportArguments {
  std::string suite;
  std::string output;
  std::string match;
};

/// The suite with only those cases whose name contains the text.
corpus::Suite matching(corpus::Suite suite, const std::string& text) {
  std::erase_if(suite.cases, [&](const corpus::SuiteCase& c) { return c.name.find(text) == std::string::npos; });
  return suite;
}

int export_suites(const ExportArguments& arguments) {
  if (std::filesystem::is_regular_file(arguments.suite))
    throw std::invalid_argument(
        fmt::format("--suite {0}: a file, expected a suite; `cellproof check {0} --engine ENGINE --export DIR` writes "
                    "the nodes of a model that fail",
                    arguments.suite));
  std::int64_t written = 0;
  for (const std::string& name : fuzz::expand_suite_argument(arguments.suite)) {
    written += campaign::export_suite(matching(fuzz::load_suite(name), arguments.match),
                                      std::filesystem::path(arguments.output) / name);
  }
  if (written == 0)
    throw std::invalid_argument(
        fmt::format("--match {}: no case of {} has that in its name", arguments.match, arguments.suite));
  fmt::print("{} backend-test directories in {}\n", written, arguments.output);
  return ok;
}

}  // namespace

void add_export(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a suite as ONNX backend-test directories");
  command->add_option("--suite", arguments->suite, "Write this suite or tier; required")
      ->option_text("SUITE")
      ->required();
  command->add_option("-o,--output", arguments->output, "Write a folder per suite here; required")
      ->option_text("DIR")
      ->required();
  command->add_option("--match", arguments->match, "Write only cases whose name contains this")->option_text("TEXT");
  command->footer(
      "Examples:\n  cellproof export --suite smoke -o exported\n"
      "  cellproof export --suite smoke --match LSTM-14 -o exported");
  command->callback([arguments, &work] { work = [arguments] { return export_suites(*arguments); }; });
}

}  // namespace cellproof::cli
