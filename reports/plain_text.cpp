#include "reports/plain_text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace cellproof::reports {
namespace {

std::string escaped(std::string_view text, bool numeric_breaks) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
        out += numeric_breaks ? "&#10;" : "\n";
        break;
      case '\t':
        out += numeric_breaks ? "&#9;" : "\t";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string html_escape(std::string_view text) {
  return escaped(visible_text(text, true), false);
}

std::string xml_escape(std::string_view text) {
  return escaped(visible_text(text, true), true);
}

std::string shortened(std::string_view text, std::size_t characters) {
  constexpr std::size_t not_worth_a_note = 40;
  std::string kept, rest;
  std::size_t count = 0;
  for_each_character(text, "\xEF\xBF\xBD",
                     [&](std::uint32_t, std::string_view bytes) { (count++ < characters ? kept : rest) += bytes; });
  if (count <= characters + not_worth_a_note) return kept + rest;
  return fmt::format("{}... ({} more characters)", kept, thousands(count - characters));
}

std::string shell_quoted(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string thousands(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", thousands(number), noun, number == 1 ? "" : "s");
}

}  // namespace cellproof::reports
