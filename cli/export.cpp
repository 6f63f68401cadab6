#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "campaign/export_suite.hpp"
#include "cli/command.hpp"
#include "corpus/suite.hpp"

namespace cellproof::cli {
namespace {

struct Arguments {
  std::string suite;
  std::string output;
};

int export_suites(const Arguments& arguments) {
  std::int64_t written = 0;
  for (const std::string& name : corpus::expand_suite_argument(arguments.suite)) {
    written += campaign::export_suite(corpus::load_suite(name), std::filesystem::path(arguments.output) / name);
  }
  fmt::print("{} backend-test directories in {}\n", written, arguments.output);
  return ok;
}

}  // namespace

void add_export(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("export", "Write a suite as ONNX backend-test directories that any runtime can eat");
  command->add_option("--suite", arguments->suite, "Suite or tier")->required();
  command->add_option("-o,--output", arguments->output, "Folder; one folder per suite is made in it")->required();
  command->footer("Example:\n  cellproof export --suite smoke -o exported");
  command->callback([arguments, &work] { work = [arguments] { return export_suites(*arguments); }; });
}

}  // namespace cellproof::cli
