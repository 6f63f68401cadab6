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

/// Appends what stands between the quote at place k and the one that closes it. Returns the place of that one.
std::size_t append_quoted(std::string_view command, std::size_t k, std::string& word) {
  const char quote = command[k];
  for (++k; k < command.size() && command[k] != quote; ++k) {
    const bool escapes =
        quote == '"' && command[k] == '\\' && k + 1 < command.size() && is_escapable_in_double_quotes(command[k + 1]);
    if (escapes) ++k;
    word.push_back(command[k]);
  }
  if (k == command.size())
    throw std::invalid_argument(fmt::format("the command {} has an open {} quote", command, quote));
  return k;
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  const auto current = [&]() -> std::string& { return word ? *word : word.emplace(); };
  for (std::size_t k = 0; k < command.size(); ++k) {
    const char c = command[k];
    if (c == '\'' || c == '"') {
      k = append_quoted(command, k, current());
    } else if (c == '\\') {
      if (k + 1 == command.size())
        throw std::invalid_argument(fmt::format("the command '{}' ends with a lone \\", command));
      current().push_back(command[++k]);
    } else if (!is_blank(c)) {
      current().push_back(c);
    } else if (word) {
      words.push_back(*std::exchange(word, std::nullopt));
    }
  }
  if (word) words.push_back(*std::move(word));
  return words;
}

}  // namespace cellproof::engines
