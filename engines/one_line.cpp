#include "engines/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spec/utf8.hpp"

namespace cellproof::engines {

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  bool gap = false;
  while (!text.empty()) {
    const Utf8Character c = decode_utf8(text);
    const std::size_t length = std::max<std::size_t>(c.length, 1);
    const std::string_view shown = c.length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(length);
    if (c.length > 0 && (c.code_point == ' ' || is_control(c.code_point))) {
      gap = !line.empty();
      continue;
    }
    if (line.size() >= limit) return line + "...";
    if (gap) line += ' ';
    gap = false;
    line += shown;
  }
  return line;
}

std::string last_lines(std::string_view log, std::size_t limit) {
  std::string joined;
  while (!log.empty() && joined.size() < limit) {
    const auto cut = log.find_last_of('\n');
    auto line = one_line(cut == std::string_view::npos ? log : log.substr(cut + 1), limit);
    if (!line.empty()) joined = joined.empty() ? std::move(line) : fmt::format("{} | {}", line, joined);
    log = cut == std::string_view::npos ? std::string_view{} : log.substr(0, cut);
  }
  return joined;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\')
      text.push_back(c);
    else
      text += fmt::format("\\x{:02x}", byte);
  }
  return text;
}

}  // namespace cellproof::engines
