#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cellproof::cli {

/// Gives a program its name, `--version`, the form of its help (one line an option) and the exit codes at the end of
/// it. Commands that are added later take the form over.
void set_up_help(CLI::App& app, const std::string& name);

/// Returns an option's description and default, as its line of help has them.
std::string line_of_option(const CLI::Option& option);

/// Returns one line about the first command or option among the words that the program does not have, with what may
/// have been meant; "" where all are known.
std::string unknown_word(const CLI::App& app, std::span<const std::string> words);

}  // namespace cellproof::cli
