#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "engines/registry.hpp"
#include "fuzz/endless.hpp"
#include "fuzz/law.hpp"
#include "fuzz/suites.hpp"
#include "reports/formats.hpp"
#include "reports/manual/program.hpp"
#include "spec/contract.hpp"
#include "spec/readings.hpp"

namespace cellproof::cli {
namespace {

namespace manual = reports::manual;
using Words = std::vector<std::string>;

template <class Items, class Name>
Words words_of(const Items& items, Name name_of) {
  Words words;
  for (const auto& item : items) words.emplace_back(name_of(item));
  return words;
}

Words suites() {
  Words words = words_of(fuzz::tiers(), [](const fuzz::TierInfo& tier) { return tier.name; });
  for (const corpus::SuiteInfo& suite : fuzz::suites()) words.emplace_back(suite.name);
  return words;
}

Words engine_names() {
  return words_of(engines::known_engines(), [](const engines::KnownEngine& engine) { return engine.name; });
}

Words contracts() {
  return words_of(all_contracts(), [](ContractId id) { return name(id); });
}

Words contracts_of_engines() {
  Words words;
  for (const std::string& engine : engine_names())
    for (const std::string& contract : contracts()) words.push_back(fmt::format("{}={}", engine, contract));
  return words;
}

Words readings() {
  Words words;
  for (const ClauseInfo& clause : clauses())
    for (const std::string_view reading : reading_ids(clause))
      words.push_back(fmt::format("{}={}", clause.id, reading));
  return words;
}

/// The words that an option takes, by what its line of help says that it takes.
Words values_of(const std::string& takes) {
  using Make = Words (*)();
  static constexpr std::array<std::pair<std::string_view, Make>, 10> lists{
      {{"SUITE", suites},
       {"ENGINE", engine_names},
       {"NAME[=COMMAND]", engine_names},
       {"ID", contracts},
       {"ENGINE=ID", contracts_of_engines},
       {"CLAUSE=READING", readings},
       {"LAW", [] { return words_of(fuzz::laws(), [](const fuzz::Law& law) { return law.id; }); }},
       {"FORMAT,...", reports::names_of_formats},
       {"KIND,...", [] { return words_of(fuzz::endless_kinds, [](std::string_view kind) { return kind; }); }},
       {"I/N|NAME[/N]", [] {
          return Words{"1/2", "bazel", "slurm", "kubernetes/"};
        }}}};
  for (const auto& [kind, make] : lists)
    if (kind == takes) return make();
  return {};
}

bool is_path(const std::string& takes) {
  for (const char* kind : {"FILE", "DIR", "STORE", "...", " ", "NPZ|DIR"})
    if (takes == kind) return true;
  return false;
}

manual::Option option_of(const CLI::Option& option) {
  manual::Option row;
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  const std::string& takes = option.get_option_text();
  row.takes_path = is_path(takes);
  row.takes = option.get_positional() ? option.get_name() + (takes == " " ? "" : takes) : takes;
  row.what = line_of_option(option);
  row.values = values_of(takes);
  return row;
}

manual::Command command_of(const CLI::App& app) {
  manual::Command command{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; }))
    command.options.push_back(option_of(*option));
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; }))
    command.commands.push_back(command_of(*inner));
  return command;
}

manual::Program program_of(const CLI::App& app) {
  manual::Program program{command_of(app), CELLPROOF_VERSION, {}};
  for (const auto& [code, meaning] : campaign::exit_code_meanings()) program.exit_codes.emplace_back(code, meaning);
  return program;
}

}  // namespace

void add_completion(CLI::App& app, Work& work) {
  app.add_flag_callback(
      "--man", [&app] { throw CLI::CallForVersion(manual::render_man(program_of(app)), 0); },
      "Print the manual page and exit");
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes words in a shell");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n  cellproof completion bash >/etc/bash_completion.d/cellproof\n"
      "  cellproof completion fish | source");
  struct Shell {
    const char* name;
    std::string (*render)(const manual::Program&);
  };
  for (const Shell& shell :
       {Shell{"bash", manual::render_bash}, Shell{"zsh", manual::render_zsh}, Shell{"fish", manual::render_fish}}) {
    CLI::App* sub = command->add_subcommand(shell.name, fmt::format("Print it for {}", shell.name));
    sub->callback([&app, &work, render = shell.render] {
      work = [&app, render] {
        fmt::print("{}", render(program_of(app)));
        return static_cast<int>(ok);
      };
    });
  }
}

}  // namespace cellproof::cli
