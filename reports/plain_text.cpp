#include "reports/plain_text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace cellproof::reports {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Decoded {
  std::uint32_t code_point;
  std::size_t length;  ///< 0: the byte at hand starts no well-formed sequence
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead >= 0xC2 && lead <= 0xDF && tail(1)) return {(lead & 0x1FU) << 6 | (byte(1) & 0x3FU), 2};
  if (lead >= 0xE0 && lead <= 0xEF && tail(1) && tail(2)) {
    const std::uint32_t c = (lead & 0xFU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
    if (c >= 0x800 && (c < 0xD800 || c > 0xDFFF)) return {c, 3};
  }
  if (lead >= 0xF0 && lead <= 0xF4 && tail(1) && tail(2) && tail(3)) {
    const std::uint32_t c = (lead & 7U) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 | (byte(3) & 0x3FU);
    if (c >= 0x10000 && c <= 0x10FFFF) return {c, 4};
  }
  return {0, 0};
}

/// Calls take(code point, its bytes) for each character; bad bytes come as U+FFFD.
template <class Take>
void for_each_character(std::string_view text, Take take) {
  while (!text.empty()) {
    const Decoded d = decode(text);
    if (d.length == 0)
      take(std::uint32_t{0xFFFD}, replacement);
    else
      take(d.code_point, text.substr(0, d.length));
    text.remove_prefix(d.length == 0 ? 1 : d.length);
  }
}

/// Marks, joiners and overrides that change how other characters are shown without showing themselves.
bool is_invisible(std::uint32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         c == 0x061C || c == 0xFFFE || c == 0xFFFF || (c >= 0xE0000 && c <= 0xE007F);
}

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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = decode(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string repaired_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](std::uint32_t, std::string_view bytes) { out += bytes; });
  return out;
}

std::string visible_text(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](std::uint32_t c, std::string_view bytes) {
    const bool kept = keep_lines && (c == '\n' || c == '\t');
    if (!kept && (c == '\n' || c == '\r' || c == '\t'))
      out += ' ';
    else if (!kept && (c < 0x20 || (c >= 0x7F && c < 0xA0) || is_invisible(c)))
      out += fmt::format("<U+{:04X}>", c);
    else
      out += bytes;
  });
  return out;
}

std::string html_escape(std::string_view text) {
  return escaped(visible_text(text, true), false);
}

std::string xml_escape(std::string_view text) {
  return escaped(visible_text(text, true), true);
}

std::string shortened(std::string_view text, std::size_t characters) {
  std::string kept;
  std::size_t count = 0;
  for_each_character(text, [&](std::uint32_t, std::string_view bytes) {
    if (count++ < characters) kept += bytes;
  });
  if (count <= characters) return kept;
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
