#include "cli/command_line.hpp"

#include "reports/plain_text.hpp"

namespace cellproof::cli {
namespace {

std::string remembered = "cellproof";
std::vector<std::string> remembered_words;

}  // namespace

void remember_command_line(const std::string& program, const std::vector<std::string>& words) {
  remembered = program;
  remembered_words = words;
  for (const std::string& word : words) remembered += " " + reports::shell_quoted(word);
}

const std::string& command_line() {
  return remembered;
}

const std::vector<std::string>& command_words() {
  return remembered_words;
}

}  // namespace cellproof::cli
