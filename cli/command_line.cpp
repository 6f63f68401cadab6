#include "cli/command_line.hpp"

#include "reports/plain_text.hpp"

namespace cellproof::cli {
namespace {

std::string remembered = "cellproof";

}  // namespace

void remember_command_line(const std::string& program, const std::vector<std::string>& words) {
  remembered = program;
  for (const std::string& word : words) remembered += " " + reports::shell_quoted(word);
}

const std::string& command_line() {
  return remembered;
}

}  // namespace cellproof::cli
