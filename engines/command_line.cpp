#include "engines/command_line.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace cellproof::engines {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

/// In double quotes a backslash keeps its meaning only before these.
bool is_escapable_in_double_quotes(char c) {
  return c == '"' || c == '\\' || c == '$' || c == '`';
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  const auto append = [&](char c) { (word ? *word : word.emplace()).push_back(c); };
  for (std::size_t k = 0; k < command.size(); ++k) {
    const char c = command[k];
    const bool last = k + 1 == command.size();
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else if (quote == '"' && c == '\\' && !last && is_escapable_in_double_quotes(command[k + 1]))
        append(command[++k]);
      else
        append(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      if (!word) word.emplace();
    } else if (c == '\\') {
      if (last) throw std::invalid_argument(fmt::format("the command '{}' ends with a lone \\", command));
      append(command[++k]);
    } else if (!is_blank(c)) {
      append(c);
    } else if (word) {
      words.push_back(*std::exchange(word, std::nullopt));
    }
  }
  if (quote != 0) throw std::invalid_argument(fmt::format("the command {} has an open {} quote", command, quote));
  if (word) words.push_back(*std::move(word));
  return words;
}

}  // namespace cellproof::engines
