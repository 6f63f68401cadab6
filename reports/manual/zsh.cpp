#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "reports/manual/program.hpp"

namespace cellproof::reports::manual {
namespace {

/// Text in single quotes in which `special` characters are no syntax of _arguments or _describe.
std::string zsh_text(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

/// ":DIR:_files", ":SUITE:(quick ci)"
std::string argument_of(const Option& option) {
  if (option.takes.empty()) return "";
  std::vector<std::string> values;
  for (const std::string& value : option.values) values.push_back(zsh_text(value, ":() "));
  const std::string action = !values.empty()     ? fmt::format("({})", fmt::join(values, " "))
                             : option.takes_path ? "_files"
                                                 : " ";
  return fmt::format(":{}:{}", zsh_text(option.takes, ":[]"), action);
}

/// --suite smoke and --suite=smoke
bool is_long_taker(const std::string& name, const Option& option) {
  return name.starts_with("--") && !option.takes.empty();
}

std::string function_of(const Command& command, const std::string& function) {
  std::string arguments, cases, described;
  for (const Option& option : command.options) {
    if (option.names.empty()) arguments += fmt::format(" \\\n    '*{}'", argument_of(option));
    for (const std::string& name : option.names)
      arguments += fmt::format(" \\\n    '*{}{}[{}]{}'", name, is_long_taker(name, option) ? "=" : "",
                               zsh_text(option.what, "[]:\\"), argument_of(option));
  }
  std::string inner;
  for (const Command& next : command.commands) {
    described += fmt::format("\n    '{}:{}'", next.name, zsh_text(next.what, ":\\"));
    cases += fmt::format("        {0}) {1}_{0} ;;\n", next.name, function);
    inner += function_of(next, function + "_" + next.name);
  }
  if (command.commands.empty()) return fmt::format("{}() {{\n  _arguments -s{}\n}}\n", function, arguments);
  return inner +
         fmt::format(
             "{0}() {{\n  local -a commands=({1})\n  _arguments -C{2} \\\n    '1: :->command' \\\n    '*:: :->rest'\n"
             "  case $state in\n    command) _describe command commands ;;\n    rest)\n      case $words[1] in\n{3}    "
             "  esac ;;\n  esac\n}}\n",
             function, described, arguments, cases);
}

}  // namespace

std::string render_zsh(const Program& program) {
  const std::string& name = program.all.name;
  return fmt::format(
      "#compdef {0}\n# Completion for zsh: {0} completion zsh >DIR/_{0}, with DIR in fpath\n{1}"
      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _{0} \"$@\"; else compdef _{0} {0}; fi\n",
      name, function_of(program.all, "_" + name));
}

}  // namespace cellproof::reports::manual
