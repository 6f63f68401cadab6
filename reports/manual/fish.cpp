#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/manual/program.hpp"

namespace cellproof::reports::manual {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// A word that fish does not take apart or run: what stands in brackets would be a command.
std::string fish_word(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' || c == '(' || c == ')') out += '\\';
    out += c;
  }
  return out;
}

std::string line_of(const Option& option, const std::string& start) {
  std::string line = start;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.takes.empty()) line += option.takes_path ? " -r -F" : " -x";
  std::vector<std::string> values;
  for (const std::string& value : option.values) values.push_back(fish_word(value));
  if (!values.empty()) line += " -a " + fish_quoted(fmt::format("{}", fmt::join(values, " ")));
  return line + " -d " + fish_quoted(option.what) + "\n";
}

/// `condition`: that the line so far has led to the command.
void add(const std::string& program, const Command& command, const std::string& condition, std::string& script) {
  std::vector<std::string> next;
  for (const Command& inner : command.commands) next.push_back(inner.name);
  const std::string here = command.commands.empty()
                               ? condition
                               : fmt::format("{}not __fish_seen_subcommand_from {}",
                                             condition.empty() ? "" : condition + "; and ", fmt::join(next, " "));
  const std::string start = fmt::format("complete -c {} -n {}", program, fish_quoted(here));
  for (const Command& inner : command.commands)
    script += fmt::format("{} -f -a {} -d {}\n", start, inner.name, fish_quoted(inner.what));
  for (const Option& option : command.options) {
    if (!option.names.empty()) script += line_of(option, start);
    if (option.names.empty() && option.takes_path) script += start + " -F\n";
  }
  for (const Command& inner : command.commands) {
    const std::string led = fmt::format("__fish_seen_subcommand_from {}", inner.name);
    add(program, inner, condition.empty() ? led : fmt::format("{}; and {}", condition, led), script);
  }
}

}  // namespace

std::string render_fish(const Program& program) {
  std::string script =
      fmt::format("# Completion for fish: {0} completion fish | source\ncomplete -c {0} -f\n", program.all.name);
  add(program.all.name, program.all, "", script);
  return script;
}

}  // namespace cellproof::reports::manual
