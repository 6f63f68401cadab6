#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/manual/program.hpp"

namespace cellproof::reports::manual {
namespace {

/// Cases of the script: what may follow a command, which of its options take a word, and the words to choose from.
struct BashTables {
  std::string words, takes, values;
};

void add(const Command& command, const std::string& path, BashTables& tables) {
  std::vector<std::string> next, takers;
  for (const Command& inner : command.commands) next.push_back(inner.name);
  for (const Option& option : command.options) {
    next.insert(next.end(), option.names.begin(), option.names.end());
    if (option.names.empty() || option.takes.empty()) continue;
    takers.insert(takers.end(), option.names.begin(), option.names.end());
    for (const std::string& name : option.names)
      if (!option.values.empty())
        tables.values +=
            fmt::format("    '{} {}') printf '%s\\n' '{}' ;;\n", path, name, fmt::join(option.values, "' '"));
  }
  tables.words += fmt::format("    '{}') echo '{}' ;;\n", path, fmt::join(next, " "));
  if (!takers.empty()) tables.takes += fmt::format("    '{}') echo ' {} ' ;;\n", path, fmt::join(takers, " "));
  for (const Command& inner : command.commands) add(inner, path.empty() ? inner.name : path + " " + inner.name, tables);
}

}  // namespace

std::string render_bash(const Program& program) {
  BashTables tables;
  add(program.all, "", tables);
  return fmt::format(
      R"sh(# Completion for bash: source <({0} completion bash)
_{0}_words() {{
  case $1 in
{1}  esac
}}
_{0}_takes() {{
  case $1 in
{2}  esac
}}
_{0}_values() {{
  case $1 in
{3}  esac
}}
_{0}() {{
  local line=${{COMP_LINE:0:COMP_POINT}} path='' before='' current='' word words
  read -ra words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    current=${{words[-1]}}
    unset 'words[-1]'
  fi
  for word in "${{words[@]:1}}"; do
    if [[ -n $before ]]; then
      before=''
    elif [[ $word == -* ]]; then
      [[ $(_{0}_takes "$path") != *" $word "* ]] || before=$word
    elif [[ " $(_{0}_words "$path") " == *" $word "* ]]; then
      path=${{path:+$path }}$word
    fi
  done
  if [[ $current == --*=* ]]; then
    before=${{current%%=*}}
    current=${{current#*=}}
  fi
  COMPREPLY=()
  local choices
  if [[ -n $before ]]; then
    choices=$(_{0}_values "$path $before")
  elif [[ $current == -* ]]; then
    choices=$(printf '%s\n' $(_{0}_words "$path"))
  else
    choices=$(printf '%s\n' $(_{0}_words "$path") | grep -v '^-')
  fi
  if [[ -z $choices ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  while IFS= read -r word; do # a word may hold blanks and brackets
    [[ $word != "$current"* ]] || COMPREPLY+=("$(printf %q "$word")")
  done <<<"$choices"
  # Readline has begun a new word at each =, : and @, and replaces that one alone.
  word=${{current%"${{current##*[=:@]}}"}}
  COMPREPLY=("${{COMPREPLY[@]#"$word"}}")
}}
complete -F _{0} {0}
)sh",
      program.all.name, tables.words, tables.takes, tables.values);
}

}  // namespace cellproof::reports::manual
