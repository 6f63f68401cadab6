#include "spec/utf8.hpp"

#include <fmt/format.h>

namespace cellproof {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Marks, joiners and overrides that change how other characters are shown without showing themselves.
bool is_invisible(std::uint32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         c == 0x061C || c == 0xFFFE || c == 0xFFFF || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

Utf8Character decode_utf8(std::string_view text) {
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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = decode_utf8(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string repaired_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, replacement, [&](std::uint32_t, std::string_view bytes) { out += bytes; });
  return out;
}

bool is_control(std::uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

std::string visible_text(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, replacement, [&](std::uint32_t c, std::string_view bytes) {
    const bool kept = keep_lines && (c == '\n' || c == '\t');
    if (!kept && (c == '\n' || c == '\r' || c == '\t'))
      out += ' ';
    else if (!kept && (is_control(c) || is_invisible(c)))
      out += fmt::format("<U+{:04X}>", c);
    else
      out += bytes;
  });
  return out;
}

}  // namespace cellproof
