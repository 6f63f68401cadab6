#include "cli/command_line.hpp"

namespace cellproof::cli {
namespace {

std::string remembered = "cellproof";

/// Quoted as a shell needs it.
std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@+") ==
          std::string::npos &&
      !word.empty())
    return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void remember_command_line(const std::vector<std::string>& words) {
  remembered = "cellproof";
  for (const std::string& word : words) remembered += " " + quoted(word);
}

const std::string& command_line() {
  return remembered;
}

}  // namespace cellproof::cli
