#include "engines/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cellproof::engines {
namespace {

/// Bytes of the UTF-8 sequence at the start of `text`, 0 when there is none. Surrogates and overlong forms are none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
  return length;
}

bool is_space(unsigned char c) {
  return c <= 0x20 || c == 0x7f;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  bool gap = false;
  while (!text.empty()) {
    if (is_space(static_cast<unsigned char>(text.front()))) {
      gap = !line.empty();
      text.remove_prefix(1);
      continue;
    }
    if (line.size() >= limit) return line + "...";
    if (gap) line.push_back(' ');
    gap = false;
    const std::size_t length = utf8_length(text);
    line.append(length == 0 ? std::string_view("?") : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
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
