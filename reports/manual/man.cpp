#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "reports/manual/program.hpp"

namespace cellproof::reports::manual {
namespace {

/// Text in which no character is a request of roff, and quotes and hyphens can be copied.
std::string roff_text(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Lines as they are.
std::string literal(const std::string& text) {
  std::string out = ".nf\n";
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out += (line.empty() ? ".sp" : roff_text(line)) + "\n";
  return out + ".fi\n";
}

std::string item(const std::string& head, const std::string& what) {
  return fmt::format(".TP\n{}\n{}\n", head, roff_text(what));
}

std::string options_of(const Command& command) {
  std::string out;
  for (const Option& option : command.options) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff_text(name)));
    std::string head = fmt::format("{}", fmt::join(names, ", "));
    if (!option.takes.empty()) head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", roff_text(option.takes));
    out += item(head, option.what);
  }
  return out;
}

std::string commands_of(const Command& command, const std::string& path) {
  std::string out;
  for (const Command& inner : command.commands) {
    const std::string full = path + inner.name;
    out += fmt::format(".SS {}\n{}\n{}", roff_text(full), roff_text(inner.what + "."), options_of(inner));
    if (!inner.after.empty()) out += ".PP\n" + literal(inner.after);
    out += commands_of(inner, full + " ");
  }
  return out;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::string render_man(const Program& program) {
  const Command& all = program.all;
  const std::string first = all.what.substr(0, all.what.find("\n\n"));
  std::string sentence = first;
  std::ranges::replace(sentence, '\n', ' ');
  std::string page = fmt::format(
      ".TH {0} 1 \"\" \"{1} {2}\" \"User Commands\"\n.SH NAME\n{1} \\- prove that a runtime computes ONNX\\(aqs "
      "recurrent "
      "operators as specified\n"
      ".SH SYNOPSIS\n\\fB{1}\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n{3}\n",
      upper_case(all.name), all.name, program.version, roff_text(sentence));
  page += ".SH OPTIONS\n" + options_of(all) + ".SH COMMANDS\n" + commands_of(all, "") + ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : program.exit_codes) page += item(roff_text(code), meaning);
  if (first.size() < all.what.size())
    page += ".SH EXAMPLES\n" + literal(all.what.substr(all.what.find('\n', first.size() + 2) + 1));
  return page;
}

}  // namespace cellproof::reports::manual
