#include "cli/help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/entry.hpp"
#include "spec/suggestion.hpp"

namespace cellproof::cli {
namespace {

/// The place of descriptions in a line of at most 80 characters.
constexpr std::size_t description_column = 27;

/// An option's line: its name, what it takes, what it does and its default.
class OneLineFormatter : public CLI::Formatter {
 public:
  OneLineFormatter() { column_width(description_column); }

  std::string make_option_desc(const CLI::Option* option) const override { return line_of_option(*option); }
};

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; }))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Complaint about a word that is none of the candidates. `path`: the commands before it.
std::string complaint(const std::string& path, std::string_view kind, std::string_view word,
                      std::span<const std::string> candidates) {
  const std::string meant = nearest(word, candidates);
  return fmt::format("{}{}unknown {} {}; {}", path, path.empty() ? "" : ": ", kind, word,
                     meant.empty() ? "--help lists what there is" : fmt::format("did you mean {}?", meant));
}

}  // namespace

std::string line_of_option(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  const bool elsewhere = option.get_option_text().empty();  // beside its type
  return option.get_description() + (value.empty() || elsewhere ? "" : fmt::format(" (default: {})", value));
}

void set_up_help(CLI::App& app, const std::string& name) {
  app.name(name);
  app.formatter(std::make_shared<OneLineFormatter>());
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("-V,--version", fmt::format("{} {}", name, CELLPROOF_VERSION), "Print the version and exit");
  app.require_subcommand(1);
  app.footer(exit_codes_text());
}

std::string unknown_word(const CLI::App& app, std::span<const std::string> words) {
  const CLI::App* command = &app;
  std::string path;
  std::vector<std::string> options = names_of_options(app), commands = names_of_commands(app);
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word.starts_with("--")) {
      const std::string option = word.substr(0, word.find('='));
      if (std::ranges::find(options, option) == options.end()) return complaint(path, "option", option, options);
    } else if (!word.starts_with('-') && !commands.empty()) {
      if (std::ranges::find(commands, word) == commands.end()) return complaint(path, "command", word, commands);
      command = command->get_subcommand(word);
      path += (path.empty() ? "" : " ") + word;
      options = names_of_options(*command);
      commands = names_of_commands(*command);
    }
  }
  return "";
}

}  // namespace cellproof::cli
