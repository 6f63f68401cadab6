#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cellproof::reports::manual {

/// An option or an argument of a command, as `--help` lists it.
struct Option {
  std::vector<std::string> names;   ///< "-o", "--output"; none of an argument
  std::string takes;                ///< "DIR"; "" of a flag
  std::string what;                 ///< one line
  std::vector<std::string> values;  ///< to choose from; none where any will do
  bool takes_path = false;
};

/// A command with all that may follow it. The program itself is one, too.
struct Command {
  std::string name;
  std::string what;   ///< one line; of the program several
  std::string after;  ///< examples and notes at the end of its help
  std::vector<Option> options;
  std::vector<Command> commands;
};

/// A program that explains itself: the one table from which help, completion and manual page are made.
struct Program {
  Command all;
  std::string version;
  std::vector<std::pair<std::string, std::string>> exit_codes;
};

/// Scripts that complete the program's commands, options and values.
std::string render_bash(const Program& program);
std::string render_zsh(const Program& program);
std::string render_fish(const Program& program);

/// The manual page, in the macros of man(7).
std::string render_man(const Program& program);

}  // namespace cellproof::reports::manual
